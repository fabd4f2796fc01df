"""Verification of what came since the last one: cheap enough for every hour, however long the journal.

What was verified before is not read again (the full verification does that); its last seal is, so that the new part is
known to hang on the old one. Balances are compared with their last line alone: the lines before it were verified.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger import anchor, seal
from ledger.snapshot import snapshot
from ledger.verify import anchors, balances, guards, seals
from ledger.verify.registry import Violation, found_by


def run(since: seal.Head) -> tuple[list[Violation], seal.Head]:
    """What is wrong with the entries sealed after `since` and with all balances; and the head it was checked up to."""
    anchored = (one for one in anchor.read() if not one.sound or one.number >= since.number)
    cut = [Violation("chain_end", *one) for one in anchors.compare(anchored)]  # before the snapshot: see there
    parts = {
        "seal_chain": lambda: seals.chain(since),
        "lines_sum_to_zero": lambda: _unbalanced(since.number),
        "lines_chain": lambda: _unchained(since.number),
        "balance_follows_lines": _balances_at_last_line,
        "balance_follows_holds": balances.balance_follows_holds,
        "guards_in_place": guards.guards_in_place,
        "application_role": guards.application_role,
    }
    with snapshot():
        found = [Violation(name, *one) for name, check in parts.items() for one in check()]
        return cut + found, seal.head()


def _unbalanced(number: int) -> Iterator[tuple[str, str]]:
    return found_by(
        """SELECT 'entry ' || l.entry_id, 'lines sum to ' || sum(l.amount) || ' ' || min(l.currency)
             FROM ledger_seal s JOIN ledger_line l ON l.entry_id = s.entry_id WHERE s.number > %s
            GROUP BY l.entry_id HAVING sum(l.amount) <> 0 OR min(l.currency) <> max(l.currency)""",
        number,
    )


def _unchained(number: int) -> Iterator[tuple[str, str]]:
    return found_by(
        """SELECT 'account ' || l.account_id, 'line ' || l.id || ': ' || coalesce(p.balance_after, 0) || ' and '
                  || l.amount || ' do not make ' || l.balance_after
             FROM ledger_seal s JOIN ledger_line l ON l.entry_id = s.entry_id
             LEFT JOIN ledger_line p ON p.account_id = l.account_id AND p.account_version = l.account_version - 1
            WHERE s.number > %s AND l.account_version IS NOT NULL
              AND (l.balance_after <> coalesce(p.balance_after, 0) + l.amount
                   OR (p.id IS NULL) <> (l.account_version = 1))""",
        number,
    )


def _balances_at_last_line() -> Iterator[tuple[str, str]]:
    return found_by(
        """SELECT 'account ' || b.account_id, 'balance says ' || b.posted || ' at version ' || b.version
                  || ', the last line ' || coalesce(l.balance_after, 0) || ' at ' || coalesce(l.account_version, 0)
             FROM ledger_balance b
             LEFT JOIN LATERAL (SELECT account_version, balance_after FROM ledger_line
                                 WHERE account_id = b.account_id AND account_version IS NOT NULL
                                 ORDER BY account_version DESC LIMIT 1) l ON true
            WHERE b.posted <> coalesce(l.balance_after, 0) OR b.version <> coalesce(l.account_version, 0)"""
    )
