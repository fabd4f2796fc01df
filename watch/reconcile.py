"""Reconciliation: do ledger, games and cash agree? What does not becomes a finding; nothing is repaired."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ledger import book, money, seal, verify
from ledger.verify import Violation, recent
from watch import findings
from watch.models import Verification

#: Checks of verify_ledger that look at people, games and holds as they are now.
AGREEMENT = (
    "money_has_a_person",
    "games_settled_once",
    "games_without_winner_move_no_money",
    "entries_belong_to_settled_games",
    "holds_match_games",
    "open_holds_have_a_game",
)


def reconcile() -> int:
    """Verify what came since the last sound verification, compare people, games, holds, entries, cash, liabilities.

    Returns the number of violations, each of which is a finding now.
    """
    began = time.monotonic()
    violations, head = recent.run(verified())
    _store(len(violations), head, began, full=False)
    return findings.note([*violations, *verify.run(AGREEMENT), *segregation()])


def verify_all() -> int:
    """Every check of verify_ledger over the whole ledger, and segregation; the number of violations."""
    began = time.monotonic()
    head = seal.head()  # taken first: what is sealed meanwhile belongs to the next incremental run
    number = findings.note(list(verify.run()))  # its transaction is read-only: noted when it has ended
    _store(number, head, began, full=True)
    return number + findings.note(segregation())


def verified() -> seal.Head:
    """The head up to which the ledger was last found sound."""
    last = Verification.objects.filter(violations=0).order_by("-id").first()
    return seal.Head(last.number, last.digest) if last else seal.Head(0, seal.GENESIS)


def segregation() -> Iterator[Violation]:
    """Cash covers what players, tournaments and the promotion fund are owed, in each currency by itself."""
    for cover in book.covers():
        if cover.own.amount < 0:
            message = f"cash of {money.text(cover.cash)} does not cover the {money.text(cover.owed)} owed"
            yield Violation("segregation", f"currency {cover.currency}", message)


def _store(violations: int, head: seal.Head, began: float, *, full: bool) -> None:
    Verification.objects.create(
        full=full, number=head.number, digest=head.digest, violations=violations, seconds=time.monotonic() - began
    )
