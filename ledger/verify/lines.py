"""Entries and their lines."""

from __future__ import annotations

from collections.abc import Iterator

from ledger import chart
from ledger.verify.registry import found_by, register


@register("entry_has_lines")
def entry_has_lines() -> Iterator[tuple[str, str]]:
    """Every entry has lines."""
    return found_by(
        """SELECT 'entry ' || e.id, 'has no lines' FROM ledger_entry e
            WHERE NOT EXISTS (SELECT FROM ledger_line l WHERE l.entry_id = e.id) ORDER BY e.id"""
    )


@register("lines_sum_to_zero")
def lines_sum_to_zero() -> Iterator[tuple[str, str]]:
    """The lines of an entry sum to zero and are in one currency."""
    return found_by(
        """SELECT 'entry ' || entry_id,
                  CASE WHEN min(currency) <> max(currency) THEN 'mixes ' || min(currency) || ' and ' || max(currency)
                       ELSE 'lines sum to ' || sum(amount) || ' ' || min(currency) END
             FROM ledger_line GROUP BY entry_id
           HAVING sum(amount) <> 0 OR min(currency) <> max(currency) ORDER BY entry_id"""
    )


@register("references_resolved")
def references_resolved() -> Iterator[tuple[str, str]]:
    """Lines belong to an entry and to an account of their currency with their entry's time; reversed entries exist."""
    return found_by(
        """SELECT 'line ' || l.id, CASE WHEN e.id IS NULL THEN 'entry ' || l.entry_id || ' is missing'
                       WHEN a.id IS NULL THEN 'account ' || l.account_id || ' is missing'
                       WHEN a.currency <> l.currency THEN 'is in ' || l.currency || ', its account in ' || a.currency
                       ELSE 'carries another time than its entry' END
             FROM ledger_line l LEFT JOIN ledger_entry e ON e.id = l.entry_id
             LEFT JOIN ledger_account a ON a.id = l.account_id
            WHERE e.id IS NULL OR a.id IS NULL OR a.currency <> l.currency OR e.at <> l.at
           UNION ALL
           SELECT 'entry ' || e.id, 'reverses entry ' || e.reverses_id || ', which is missing' FROM ledger_entry e
            WHERE e.reverses_id IS NOT NULL AND NOT EXISTS (SELECT FROM ledger_entry r WHERE r.id = e.reverses_id)"""
    )


@register("entry_kind_fits_accounts")
def entry_kind_fits_accounts() -> Iterator[tuple[str, str]]:
    """An entry touches only accounts of the kinds that the chart allows for its kind, or did when it was written."""
    kinds = chart.ENTRY_KINDS.values()
    allowed = [(entry.key, account, False) for entry in kinds for account in sorted(entry.touches)]
    allowed += [(entry.key, account, True) for entry in kinds for account in sorted(entry.touched_before)]
    return found_by(
        """SELECT 'entry ' || e.id, 'of kind ' || e.kind || ' touches a ' || a.kind || ' account'
             FROM ledger_line l JOIN ledger_entry e ON e.id = l.entry_id JOIN ledger_account a ON a.id = l.account_id
             LEFT JOIN unnest(%s::text[], %s::text[], %s::boolean[]) AS r (entry_kind, account_kind, before)
                  ON r.entry_kind = e.kind AND r.account_kind = a.kind
            WHERE r.entry_kind IS NULL OR (r.before AND e.at >= (
                  SELECT applied FROM django_migrations WHERE app = 'ledger' AND name = '0007_house_money'))
            ORDER BY e.id""",
        *([pair[place] for pair in allowed] for place in range(3)),
    )


@register("lines_chain")
def lines_chain() -> Iterator[tuple[str, str]]:
    """Versions of an account count 1, 2, 3 …, each line's balance is the one before plus its amount."""
    return found_by(
        """SELECT 'account ' || account_id, CASE
                  WHEN account_version <> before_version + 1
                       THEN 'version ' || account_version || ' follows ' || before_version
                  ELSE 'line ' || id || ': ' || before || ' and ' || amount || ' do not make ' || balance_after END
             FROM (SELECT id, account_id, account_version, amount, balance_after,
                          coalesce(lag(account_version) OVER chain, 0) AS before_version,
                          coalesce(lag(balance_after) OVER chain, 0) AS before
                     FROM ledger_line WHERE account_version IS NOT NULL
                   WINDOW chain AS (PARTITION BY account_id ORDER BY account_version)) l
            WHERE account_version <> before_version + 1 OR balance_after <> before + amount"""
    )


@register("currencies_balance")
def currencies_balance() -> Iterator[tuple[str, str]]:
    """All accounts of a currency together are zero: no money came from nowhere."""
    return found_by(
        """SELECT 'currency ' || currency, 'all lines sum to ' || sum(amount) FROM ledger_line
            GROUP BY currency HAVING sum(amount) <> 0 ORDER BY currency"""
    )
