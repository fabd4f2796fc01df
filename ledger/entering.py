"""Posting one entry alone, as a person or a rule asks for it, and answering with it."""

from __future__ import annotations

from ledger.errors import OwnMoney, ReasonMissing
from ledger.posting import Draft, post
from ledger.queries import entry_by_key
from ledger.values import EntryView


def enter(draft: Draft) -> EntryView:
    """Post one entry; raises what the posting refuses, so that nobody can overlook it."""
    (outcome,) = post([draft])
    if outcome.error is not None:
        raise outcome.error
    found = entry_by_key(draft.key)
    if found is None:
        raise RuntimeError(f"entry {draft.key} vanished after it was posted")
    return found


def said(reason: str) -> str:
    """A person's reason without blanks around it. Raises ReasonMissing for none."""
    if not reason.strip():
        raise ReasonMissing()
    return reason.strip()


def not_own(owner_id: int, actor: int | None) -> None:
    """Nobody enters money for himself. Raises OwnMoney."""
    if actor == owner_id:
        raise OwnMoney()
