"""Reconciliation: do ledger, games and cash agree? What does not becomes a finding; nothing is repaired."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ledger import chart, seal, verify
from ledger.money import PLAY_CHIPS
from ledger.verify import Violation, recent
from ledger.verify.registry import found_by
from watch import findings
from watch.models import Verification

#: Checks of verify_ledger that look at games and holds as they are now; they cost the same however long the journal.
AGREEMENT = (
    "games_settled_once",
    "games_without_winner_move_no_money",
    "entries_belong_to_settled_games",
    "holds_match_games",
    "open_holds_have_a_game",
)


def reconcile() -> int:
    """Verify what came since the last sound verification, compare games, holds, entries, cash and liabilities.

    Returns the number of violations, each of which is a finding now.
    """
    began = time.monotonic()
    violations, head = recent.run(verified())
    _store(len(violations), head, began, full=False)
    return findings.note([*violations, *_agreement(), *segregation()])


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
    """Cash covers what players and tournaments are owed, in each currency by itself. Play chips are no money.

    What players owe us does not count: it cannot be paid out.
    """
    liabilities = [kind.key for kind in chart.ACCOUNT_KINDS.values() if kind.nature == "liability"]
    query = """
        SELECT currency, -coalesce(sum(posted) FILTER (WHERE kind = 'cash'), 0) AS cash,
               coalesce(sum(posted) FILTER (WHERE kind <> 'cash'), 0) AS owed
          FROM (SELECT a.currency, a.kind, b.posted FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
                 WHERE a.kind = ANY (%s)
                 UNION ALL
                SELECT a.currency, a.kind, t.total FROM ledger_account a JOIN ledger_housetotal t ON t.account_id = a.id
                 WHERE a.kind = 'cash'
                 UNION ALL
                SELECT a.currency, a.kind, l.amount FROM ledger_entry e JOIN ledger_line l ON l.entry_id = e.id
                  JOIN ledger_account a ON a.id = l.account_id
                 WHERE a.kind = 'cash' AND e.xid >= coalesce((SELECT xid FROM ledger_sealhorizon), 0)
                   AND NOT EXISTS (SELECT FROM ledger_seal s WHERE s.entry_id = e.id)) every
         WHERE currency <> %s GROUP BY currency"""
    rows = found_by(
        f"""SELECT 'currency ' || currency, 'cash of ' || cash || ' does not cover the ' || owed || ' owed'
              FROM ({query}) sums WHERE cash < owed ORDER BY 1""",
        liabilities,
        PLAY_CHIPS,
    )
    return (Violation("segregation", *row) for row in rows)


def _agreement() -> Iterator[Violation]:
    for name in AGREEMENT:
        for found in verify.CHECKS[name]():
            yield Violation(name, *found)


def _store(violations: int, head: seal.Head, began: float, *, full: bool) -> None:
    Verification.objects.create(
        full=full, number=head.number, digest=head.digest, violations=violations, seconds=time.monotonic() - began
    )
