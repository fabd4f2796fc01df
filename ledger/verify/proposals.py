"""What two people decide on, and debts."""

from __future__ import annotations

from collections.abc import Iterator

from ledger import chart
from ledger.verify.registry import found_by, register


@register("decided_by_two")
def decided_by_two() -> Iterator[tuple[str, str]]:
    """What two people decide on has an approved proposal of its kind, approved by another than asked.

    Withdrawals from before two people were asked for have none.
    """
    decided = [kind.key for kind in chart.ENTRY_KINDS.values() if kind.decided]
    return found_by(
        """SELECT 'entry ' || e.id, CASE WHEN p.id IS NULL THEN 'is a ' || e.kind || ' without an approved proposal'
                       ELSE 'proposal ' || p.id || ' was approved by the one who asked or who owns the money' END
             FROM ledger_entry e LEFT JOIN ledger_proposal p
                  ON p.entry_id = e.id AND p.state = 'approved' AND p.kind = e.kind
            WHERE e.kind = ANY (%s)
              AND e.at >= (SELECT applied FROM django_migrations
                            WHERE app = 'ledger' AND name = '0004_two_people_guards')
              AND (p.id IS NULL OR p.decided_by = p.proposed_by OR p.decided_by = p.owner_id) ORDER BY e.id""",
        decided,
    )


@register("reversals_mirror")
def reversals_mirror() -> Iterator[tuple[str, str]]:
    """An entry and its reversal together are nothing, for every owner, kind of account and currency."""
    return found_by(
        """SELECT 'entry ' || r.id, 'does not take back what entry ' || r.reverses_id || ' did'
             FROM ledger_entry r
            WHERE r.kind = 'reversal' AND EXISTS (
                  SELECT FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id
                   WHERE l.entry_id IN (r.id, r.reverses_id)
                   GROUP BY a.owner_id, CASE a.kind WHEN 'receivable' THEN 'wallet' ELSE a.kind END, a.currency
                  HAVING sum(l.amount) <> 0)
            ORDER BY r.id"""
    )


@register("owes_follows_debts")
def owes_follows_debts() -> Iterator[tuple[str, str]]:
    """A wallet says that its owner owes exactly where his receivable of that currency is not zero."""
    return found_by(
        """SELECT 'account ' || w.id, CASE WHEN w.owes THEN 'says that its owner owes, and he does not'
                       ELSE 'does not say that its owner owes ' || -b.posted END
             FROM ledger_account w
             LEFT JOIN ledger_account r ON r.owner_id = w.owner_id AND r.currency = w.currency AND r.kind = 'receivable'
             LEFT JOIN ledger_balance b ON b.account_id = r.id
            WHERE w.kind = 'wallet' AND w.owes <> (coalesce(b.posted, 0) < 0) ORDER BY w.id"""
    )


@register("status_follows_events")
def status_follows_events() -> Iterator[tuple[str, str]]:
    """An account is frozen if and only if its last event froze it."""
    return found_by(
        """SELECT 'account ' || a.id, 'is ' || a.status || ', its last event: ' || coalesce(e.event, 'none')
             FROM ledger_account a
             LEFT JOIN LATERAL (SELECT event FROM ledger_accountevent e WHERE e.account_id = a.id
                                 ORDER BY e.id DESC LIMIT 1) e ON true
            WHERE (a.status = 'frozen') <> (coalesce(e.event, '') = 'frozen') ORDER BY a.id"""
    )
