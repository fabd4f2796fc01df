"""Movements of money that take two people: one asks (withdrawal, adjustment, reversal, capital out), a second decides.

The proposal's row is the lock: who decides takes it first, so that approval and cancellation never both happen. That
the second person is another one, that nobody decides on his own money, and that an entry of these kinds has its
approved proposal, the database checks again (ledger/sql/proposals.sql).
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal

from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _
from moneyed import Money

from ledger import accounts, chart, money
from ledger.entering import said
from ledger.errors import (
    AccountOwes,
    KeyConflict,
    NotReversible,
    ProposalDecided,
    ProposalNotFound,
    SecondPersonNeeded,
)
from ledger.holding import place_holds
from ledger.house import check_covered, lock_own_money
from ledger.locking import lock_balances, lock_keys, require_transaction
from ledger.models import Proposal
from ledger.posting import Draft, Part, Take, post, refusal
from ledger.queries import entry as find_entry
from ledger.queries import hold as find_hold
from ledger.reversing import check_reversible, mirrored, parties
from ledger.values import HoldRequest, ProposalView

COLUMNS = """p.id, p.kind, p.key, p.owner_id, p.currency, p.amount, p.reverses_id, p.reason, p.proposed_by,
             p.proposed_at, p.state, p.decided_by, p.decision_reason, p.decided_at, p.entry_id"""


# --- Asking -----------------------------------------------------------------------------------------------------------


def request_withdrawal(key: str, owner_id: int, amount: Money, requested_by: int, reason: str) -> ProposalView:
    """Set the money aside until somebody else than `requested_by` and the owner has decided. `reason`: where it goes.

    Frozen wallets may ask too. Raises InsufficientFunds, AccountOwes, BadAmount, UnknownCurrency (play chips stay
    here), ReasonMissing, KeyConflict.
    """
    money.check_real(amount.currency.code)
    made, new = _make("withdrawal", key, owner_id, money.positive(amount), None, requested_by, reason)
    if new:
        details = {"withdrawal": made.id}
        place_holds([HoldRequest(hold_key(made.id), owner_id, made.amount, reference(made), details)], frozen_may=True)
    return made


def propose_adjustment(key: str, owner_id: int, amount: Money, proposed_by: int, reason: str) -> ProposalView:
    """Ask for `amount` to be given to a player, or (below zero) taken from what is available.

    Raises BadAmount, UnknownCurrency, ReasonMissing, SecondPersonNeeded (for one's own wallet), KeyConflict.
    """
    if owner_id == proposed_by:
        raise SecondPersonNeeded(proposal="")
    money.positive(-amount if amount.amount < 0 else amount)
    return _make("adjustment", key, owner_id, money.quantize(amount), None, proposed_by, reason)[0]


def propose_reversal(key: str, entry_id: int, proposed_by: int, reason: str) -> ProposalView:
    """Ask for an entry to be undone by its mirror image.

    Raises NotReversible (unknown, of another kind, undone or about to be), SecondPersonNeeded (one's own money),
    ReasonMissing, KeyConflict.
    """
    entry = find_entry(entry_id)
    if entry is None:
        raise NotReversible(entry=entry_id, reason=_("there is no such entry."))
    check_reversible(entry)
    if proposed_by in parties(entry.lines):
        raise SecondPersonNeeded(proposal="")
    moved = [line.amount for line in entry.lines if line.amount.amount > 0]
    try:
        with transaction.atomic():
            total = Money(sum((one.amount for one in moved), Decimal(0)), moved[0].currency)
            return _make("reversal", key, None, total, entry_id, proposed_by, reason)[0]
    except IntegrityError as error:
        if "ledger_proposal_one_reversal" not in str(error):
            raise
        raise NotReversible(entry=entry_id, reason=_("it is reversed, or about to be.")) from error


def propose_capital_out(key: str, amount: Money, proposed_by: int, reason: str) -> ProposalView:
    """Ask for the house's own money to be taken out. What is owed and what is set aside for tournaments stays.

    Raises NotCovered, BadAmount, UnknownCurrency (play chips are no money), ReasonMissing, KeyConflict.
    """
    money.check_real(amount.currency.code)
    made, new = _make("capital_out", key, None, money.positive(amount), None, proposed_by, reason)
    if new:
        check_covered(made.amount)
    return made


def _make(
    kind: str, key: str, owner_id: int | None, amount: Money, reverses_id: int | None, by: int, reason: str
) -> tuple[ProposalView, bool]:
    """The proposal of this key, and whether it is new."""
    require_transaction()
    reason = said(reason)
    lock_keys([key])
    known = _select("p.key = %s", [key])
    if known:
        _check_same(known[0], kind, owner_id, amount, reverses_id, by, reason)
        return known[0], False
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_proposal (kind, key, owner_id, currency, amount, reverses_id, reason, proposed_by)
               VALUES (%s, %s, %s, %s, %s, %s, %s, %s)""",
            [kind, key, owner_id, amount.currency.code, amount.amount, reverses_id, reason, by],
        )
    return _select("p.key = %s", [key])[0], True


def _check_same(
    known: ProposalView, kind: str, owner: int | None, amount: Money, reverses_id: int | None, by: int, reason: str
) -> None:
    differences = {
        "kind": known.kind != kind,
        "owner": known.owner_id != owner,
        "amount": known.amount != amount,
        "entry": known.reverses_id != reverses_id,
        "actor": known.proposed_by != by,
        "reason": known.reason != reason,
    }
    for name, differs in differences.items():
        if differs:
            raise KeyConflict(key=known.key, field=name)


# --- Deciding ---------------------------------------------------------------------------------------------------------


def approve(proposal_id: int, actor: int, reason: str = "") -> ProposalView:
    """Do what was proposed. Approving again by the same person changes nothing.

    Raises ProposalNotFound, ProposalDecided, SecondPersonNeeded, and what the posting refuses (AccountOwes,
    InsufficientFunds and NotCovered; the proposal stays open then).
    """
    proposal = _locked(proposal_id)
    if _done_before(proposal, "approved", actor):
        return proposal
    if actor == proposal.proposed_by or actor in _parties(proposal):
        raise SecondPersonNeeded(proposal=proposal_id)
    lock_keys([entry_key(proposal)])
    draft = _DRAFTS[proposal.kind](proposal, actor)
    (outcome,) = post([draft])
    if outcome.error is not None:
        raise outcome.error
    return _decide(proposal, "approved", actor, reason, outcome.entry_id)


def reject(proposal_id: int, actor: int, reason: str) -> ProposalView:
    """Turn a proposal down; what was set aside is free again.

    Raises ProposalNotFound, ProposalDecided, SecondPersonNeeded (one's own is cancelled instead), ReasonMissing.
    """
    reason = said(reason)
    proposal = _locked(proposal_id)
    if _done_before(proposal, "rejected", actor):
        return proposal
    if actor == proposal.proposed_by or actor in _parties(proposal):
        raise SecondPersonNeeded(proposal=proposal_id)
    return _turn_down(proposal, "rejected", actor, reason)


def cancel(proposal_id: int, actor: int, reason: str = "cancelled by the one who asked") -> ProposalView:
    """Take back what one has asked for oneself, or what was asked in one's name.

    Raises ProposalNotFound (also for somebody else's), ProposalDecided.
    """
    proposal = _locked(proposal_id)
    if actor not in (proposal.proposed_by, proposal.owner_id):
        raise ProposalNotFound(proposal=proposal_id)
    if _done_before(proposal, "cancelled", actor):
        return proposal
    return _turn_down(proposal, "cancelled", actor, reason)


def _turn_down(
    proposal: ProposalView, state: Literal["rejected", "cancelled"], actor: int, reason: str
) -> ProposalView:
    if proposal.kind == "withdrawal":
        release = Draft(
            entry_key(proposal), "release", reference(proposal), takes=(_take(proposal, Decimal(0)),), reason=reason
        )
        (outcome,) = post([release])
        if outcome.error is not None:
            raise outcome.error
    return _decide(proposal, state, actor, reason, None)


def _locked(proposal_id: int) -> ProposalView:
    require_transaction()
    found = _select("p.id = %s", [proposal_id], "FOR NO KEY UPDATE")
    if not found:
        raise ProposalNotFound(proposal=proposal_id)
    return found[0]


def _done_before(proposal: ProposalView, state: str, actor: int) -> bool:
    """A second click; raises ProposalDecided when something else was decided, or by somebody else."""
    if proposal.state == "open":
        return False
    if (proposal.state, proposal.decided_by) != (state, actor):
        raise ProposalDecided(proposal=proposal.id, state=state_words(proposal.state))
    return True


def _decide(proposal: ProposalView, state: str, actor: int, reason: str, entry_id: int | None) -> ProposalView:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                """UPDATE ledger_proposal SET state = %s, decided_by = %s, decision_reason = %s,
                          decided_at = clock_timestamp(), entry_id = %s WHERE id = %s""",
                [state, actor, reason.strip(), entry_id, proposal.id],
            )
    except IntegrityError as error:
        raise refusal(error) from error
    return _select("p.id = %s", [proposal.id])[0]


def _parties(proposal: ProposalView) -> set[int]:
    if proposal.reverses_id is None:
        return {proposal.owner_id} if proposal.owner_id is not None else set()
    entry = find_entry(proposal.reverses_id)
    return parties(entry.lines) if entry is not None else set()


# --- What is posted ---------------------------------------------------------------------------------------------------


def _withdrawal(proposal: ProposalView, actor: int) -> Draft:
    take = _take(proposal, proposal.amount.amount)
    if lock_balances([take.account_id])[take.account_id].owes:
        raise AccountOwes(owner_id=proposal.owner_id, currency=proposal.amount.currency.code)
    return _between(proposal, actor, chart.CASH, -proposal.amount.amount, (take,))


def _adjustment(proposal: ProposalView, actor: int) -> Draft:
    return _between(proposal, actor, chart.ADJUSTMENTS, proposal.amount.amount, ())


def _capital_out(proposal: ProposalView, actor: int) -> Draft:
    code, amount = proposal.amount.currency.code, proposal.amount.amount
    lock_own_money(entry_key(proposal), code)
    check_covered(proposal.amount)
    cash, capital = accounts.house(chart.CASH, code), accounts.house(chart.CAPITAL, code)
    ids = accounts.open_ids([cash, capital])
    return _draft(proposal, actor, (Part(ids[cash], code, amount), Part(ids[capital], code, -amount)), ())


def _between(proposal: ProposalView, actor: int, house: str, to_wallet: Decimal, takes: tuple[Take, ...]) -> Draft:
    code = proposal.amount.currency.code
    wallet, other = (proposal.owner_id, chart.WALLET, code), accounts.house(house, code)
    ids = accounts.open_ids([wallet, other])
    parts = (Part(ids[wallet], code, to_wallet), Part(ids[other], code, -to_wallet))
    return _draft(proposal, actor, parts, takes)


def _reversal(proposal: ProposalView, actor: int) -> Draft:
    entry = find_entry(proposal.reverses_id or 0)
    if entry is None:
        raise NotReversible(entry=proposal.reverses_id, reason=_("there is no such entry."))
    return _draft(proposal, actor, mirrored(entry), ())


_DRAFTS = {
    "withdrawal": _withdrawal,
    "adjustment": _adjustment,
    "reversal": _reversal,
    "capital_out": _capital_out,
}


def _draft(proposal: ProposalView, actor: int, parts: tuple[Part, ...], takes: tuple[Take, ...]) -> Draft:
    details = {"proposal": proposal.id, "proposed_by": proposal.proposed_by}
    return Draft(
        entry_key(proposal), proposal.kind, reference(proposal), parts, takes, actor, proposal.reason, details,
        proposal.reverses_id,
    )  # fmt: skip


def _take(proposal: ProposalView, captured: Decimal) -> Take:
    held = find_hold(hold_key(proposal.id))
    if held is None:
        raise RuntimeError(f"withdrawal {proposal.id} has no hold")
    place = accounts.wallet(held.owner_id, held.amount.currency.code)
    return Take(held.id, accounts.ids([place])[place], captured)


# --- Names and reads --------------------------------------------------------------------------------------------------


def hold_key(proposal_id: int) -> str:
    return f"withdrawal:{proposal_id}:hold"


def reference(proposal: ProposalView) -> str:
    """ "withdrawal:12", "adjustment:13", …: how entries and holds name their proposal."""
    return f"{proposal.kind}:{proposal.id}"


def entry_key(proposal: ProposalView) -> str:
    return f"proposal:{proposal.id}"


def state_words(state: str) -> str:
    """A proposal's state for people."""
    return str(Proposal.State(state).label)


def proposal(proposal_id: int) -> ProposalView | None:
    """The proposal with this id, or None."""
    found = _select("p.id = %s", [proposal_id])
    return found[0] if found else None


def withdrawals(owner_id: int, limit: int = 20) -> list[ProposalView]:
    """A player's withdrawals, newest first, at most `limit`."""
    return _select("p.owner_id = %s AND p.kind = 'withdrawal'", [owner_id, limit], "ORDER BY p.id DESC LIMIT %s")


def _select(condition: str, params: Sequence[Any], tail: str = "") -> list[ProposalView]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {COLUMNS} FROM ledger_proposal p WHERE {condition} {tail}", params)
        return [
            ProposalView(row[0], row[1], row[2], row[3], money.money(row[5], row[4]), *row[6:])
            for row in cursor.fetchall()
        ]
