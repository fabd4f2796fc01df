"""Balances and house totals against the lines they follow."""

from __future__ import annotations

from collections.abc import Iterator

from ledger import chart
from ledger.verify.registry import found_by, register


@register("balance_follows_lines")
def balance_follows_lines() -> Iterator[tuple[str, str]]:
    """Balance.posted is the sum of the account's lines, version their number; nothing is negative, no debt positive."""
    return found_by(
        """SELECT 'account ' || b.account_id, CASE
                  WHEN b.posted <> coalesce(s.total, 0)
                       THEN 'balance says ' || b.posted || ', lines sum to ' || coalesce(s.total, 0)
                  WHEN b.version <> coalesce(s.count, 0)
                       THEN 'balance is at version ' || b.version || ' after ' || coalesce(s.count, 0) || ' lines'
                  ELSE b.posted || ' posted, ' || b.held || ' held' END
             FROM ledger_balance b
             LEFT JOIN (SELECT account_id, sum(amount) AS total, count(*) AS count FROM ledger_line
                         GROUP BY account_id) s
                USING (account_id)
            WHERE b.posted <> coalesce(s.total, 0) OR b.version <> coalesce(s.count, 0)
               OR b.held < 0 OR CASE WHEN b.debit THEN b.posted > 0 OR b.held <> 0 ELSE b.posted < b.held END
            ORDER BY b.account_id"""
    )


@register("balance_follows_holds")
def balance_follows_holds() -> Iterator[tuple[str, str]]:
    """Balance.held is the sum of the account's open holds."""
    return found_by(
        """SELECT 'account ' || b.account_id, 'balance says ' || b.held || ' held, open holds sum to '
                  || coalesce(s.total, 0)
             FROM ledger_balance b
             LEFT JOIN (SELECT account_id, sum(amount) AS total FROM ledger_hold WHERE resolution IS NULL
                         GROUP BY account_id) s USING (account_id)
            WHERE b.held <> coalesce(s.total, 0) ORDER BY b.account_id"""
    )


@register("balance_where_due")
def balance_where_due() -> Iterator[tuple[str, str]]:
    """Accounts have a balance row, and lines versions, exactly where the chart says so; owners fit the kind."""
    kinds = chart.ACCOUNT_KINDS.values()
    return found_by(
        """WITH chart AS (SELECT * FROM unnest(%s::text[], %s::boolean[], %s::boolean[])
                             AS c (kind, has_balance, of_player))
           SELECT 'account ' || a.id, CASE WHEN c.kind IS NULL THEN 'is of an unknown kind, ' || a.kind
                       WHEN c.of_player <> (a.owner_id IS NOT NULL) THEN 'its owner does not fit its kind, ' || a.kind
                       WHEN c.has_balance THEN 'has no balance row' ELSE 'has a balance row' END
             FROM ledger_account a LEFT JOIN chart c ON c.kind = a.kind
             LEFT JOIN ledger_balance b ON b.account_id = a.id
            WHERE c.kind IS NULL OR c.has_balance <> (b.account_id IS NOT NULL)
               OR c.of_player <> (a.owner_id IS NOT NULL)
           UNION ALL
           SELECT 'line ' || l.id, 'carries a version and balance where none is due, or none where they are'
             FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id JOIN chart c ON c.kind = a.kind
            WHERE c.has_balance <> (l.account_version IS NOT NULL)""",
        [kind.key for kind in kinds],
        [kind.has_balance for kind in kinds],
        [kind.of_player for kind in kinds],
    )


@register("house_totals")
def house_totals() -> Iterator[tuple[str, str]]:
    """The total of a house account is the sum of its sealed lines."""
    return found_by(
        """SELECT 'account ' || account_id, 'total says ' || coalesce(t.total::text, 'nothing')
                  || ', sealed lines sum to '
                  || coalesce(s.total, 0)
             FROM ledger_housetotal t
             FULL JOIN (SELECT l.account_id, sum(l.amount) AS total FROM ledger_line l
                          JOIN ledger_seal s ON s.entry_id = l.entry_id
                         WHERE l.account_version IS NULL GROUP BY l.account_id) s USING (account_id)
            WHERE t.total IS DISTINCT FROM s.total ORDER BY account_id"""
    )
