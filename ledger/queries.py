"""Reads of the ledger. Nothing here locks or changes anything; Money out, ids in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import connection
from moneyed import Money

from ledger import chart, money
from ledger.values import CurrentRake, EntryView, HoldView, HouseBalance, LineView, Statement, StatementRow, Wallet

PAGE = 50


def wallet(owner_id: int, currency: str) -> Wallet:
    """A player's wallet in one currency; an empty one if he never had any. Raises UnknownCurrency."""
    money.decimals(currency)
    for found in wallets(owner_id):
        if found.currency == currency:
            return found
    return Wallet(owner_id, currency, money.nothing(currency), money.nothing(currency))


def wallets(owner_id: int) -> list[Wallet]:
    """A player's wallets, by currency; one statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT a.currency, b.posted, b.held, a.status,
                      CASE WHEN a.owes THEN (SELECT -d.posted FROM ledger_account r
                                               JOIN ledger_balance d ON d.account_id = r.id
                                              WHERE r.owner_id = a.owner_id AND r.kind = %s AND r.currency = a.currency)
                      END
                 FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
                WHERE a.owner_id = %s AND a.kind = %s ORDER BY a.currency""",
            [chart.RECEIVABLE, owner_id, chart.WALLET],
        )
        return [
            Wallet(
                owner_id, currency, money.money(posted, currency), money.money(held, currency), status,
                money.money(owed, currency) if owed else None,
            )
            for currency, posted, held, status, owed in cursor.fetchall()
        ]  # fmt: skip


def pool(tournament_id: int, currency: str) -> Money:
    """What the pool of a tournament has; nothing if it never had any. Raises UnknownCurrency."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT b.posted FROM ledger_account a JOIN ledger_balance b ON b.account_id = a.id
                WHERE a.owner_id = %s AND a.kind = %s AND a.currency = %s""",
            [-tournament_id, chart.POOL, currency],
        )
        found = cursor.fetchone()
    return money.money(found[0] if found else 0, currency)


# --- Holds ------------------------------------------------------------------------------------------------------------


def hold_views(condition: str, params: Sequence[Any], tail: str = "ORDER BY h.id") -> list[HoldView]:
    """Holds that meet an SQL condition on `h` (hold) and `a` (account); for this package only."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT h.id, h.key, a.owner_id, h.amount, h.currency, h.reference, h.details, h.placed_at, h.resolution,
                       h.captured, h.resolved_key, h.resolved_reason, h.resolved_at, h.entry_id
                  FROM ledger_hold h JOIN ledger_account a ON a.id = h.account_id WHERE {condition} {tail}""",
            params,
        )
        return [_hold_view(*row) for row in cursor.fetchall()]


def _hold_view(
    hold_id: int, key: str, owner_id: int, amount: Decimal, currency: str, reference: str, details: str,
    placed_at: datetime, resolution: Any, captured: Decimal | None, *resolved: Any,
) -> HoldView:  # fmt: skip
    return HoldView(
        hold_id, key, owner_id, money.money(amount, currency), reference, json.loads(details), placed_at,
        resolution or "open", money.money(captured or 0, currency), *resolved,
    )  # fmt: skip


def hold(key: str) -> HoldView | None:
    """The hold with this key, or None."""
    found = hold_views("h.key = %s", [key])
    return found[0] if found else None


def holds(owner_id: int, open_only: bool = True, limit: int = 500) -> list[HoldView]:
    """A player's holds, newest first, at most `limit`."""
    condition = "a.owner_id = %s AND a.kind = %s" + (" AND h.resolution IS NULL" if open_only else "")
    return hold_views(condition, [owner_id, chart.WALLET, limit], "ORDER BY h.id DESC LIMIT %s")


def holds_for(reference: str) -> list[HoldView]:
    """All holds of one reference ("game:12"), oldest first."""
    return hold_views("h.reference = %s", [reference])


# --- Entries ----------------------------------------------------------------------------------------------------------


def _entry_views(condition: str, params: Sequence[Any]) -> list[EntryView]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT e.id, e.kind, e.key, e.reference, e.actor_id, e.reason, e.details, e.at, s.number,
                       (SELECT jsonb_agg(jsonb_build_array(l.account_id, a.kind, a.owner_id, l.amount::text, l.currency,
                                                           l.balance_after::text) ORDER BY l.id)
                          FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id WHERE l.entry_id = e.id)
                  FROM ledger_entry e LEFT JOIN ledger_seal s ON s.entry_id = e.id WHERE {condition} ORDER BY e.id""",
            params,
        )
        return [_entry_view(*row) for row in cursor.fetchall()]


def _entry_view(
    entry_id: int, kind: str, key: str, reference: str, actor_id: int | None, reason: str, details: str, at: datetime,
    number: int | None, lines: str,
) -> EntryView:  # fmt: skip
    parts = tuple(
        LineView(account, kind_, owner, money.money(amount, currency), money.money(after, currency) if after else None)
        for account, kind_, owner, amount, currency, after in json.loads(lines)
    )
    return EntryView(entry_id, kind, key, reference, actor_id, reason, json.loads(details), at, number, parts)


def entry(entry_id: int) -> EntryView | None:
    """The entry with its lines, or None."""
    found = _entry_views("e.id = %s", [entry_id])
    return found[0] if found else None


def entry_by_key(key: str) -> EntryView | None:
    """The entry that an idempotency key made, or None."""
    found = _entry_views("e.key = %s", [key])
    return found[0] if found else None


def entries_for(reference: str) -> list[EntryView]:
    """All entries of one reference ("game:12"), oldest first."""
    return _entry_views("e.reference = %s", [reference])


# --- Statement --------------------------------------------------------------------------------------------------------


def balance_at(owner_id: int, currency: str, moment: datetime) -> Money:
    """What a player's wallet had posted just before `moment`: one look-up in the index (account, at)."""
    account = "(SELECT id FROM ledger_account WHERE owner_id = %s AND kind = %s AND currency = %s)"
    return _last_balance(account, [owner_id, chart.WALLET, currency], currency, moment)


def posted_before(account_id: int, currency: str, moment: datetime) -> Money:
    """The same of any account whose lines carry its balance; for this package only."""
    return _last_balance("%s", [account_id], currency, moment)


def _last_balance(account: str, params: list[Any], currency: str, moment: datetime) -> Money:
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT l.balance_after FROM ledger_line l WHERE l.account_id = {account} AND l.at < %s
                 ORDER BY l.at DESC, l.account_version DESC LIMIT 1""",
            [*params, moment],
        )
        found = cursor.fetchone()
    return money.money(found[0] if found else 0, currency)


# One statement, so one moment: what is posted meanwhile is in all of it or in nothing. The versions at the period's
# edges, a look-up each, bound the rows; so opening, rows and closing always add up.
STATEMENT = """
    SELECT coalesce(opening.balance_after, 0), CASE WHEN bounds.ended THEN coalesce(closing.balance_after, 0)
           ELSE b.posted END, m.*
      FROM ledger_account a
      JOIN ledger_balance b ON b.account_id = a.id
     CROSS JOIN (SELECT %(start)s::timestamptz AS starts, %(end)s::timestamptz AS ends,
                        %(end)s::timestamptz IS NOT NULL AS ended) bounds
      LEFT JOIN LATERAL (SELECT l.balance_after, l.account_version FROM ledger_line l
                          WHERE l.account_id = a.id AND l.at < bounds.starts
                          ORDER BY l.at DESC, l.account_version DESC LIMIT 1) opening ON true
      LEFT JOIN LATERAL (SELECT l.balance_after, l.account_version FROM ledger_line l
                          WHERE l.account_id = a.id AND l.at < bounds.ends
                          ORDER BY l.at DESC, l.account_version DESC LIMIT 1) closing ON true
      LEFT JOIN LATERAL (SELECT l.account_version, l.at, e.kind, e.reference, e.reason, e.details, l.amount,
                                l.balance_after, e.id, s.number
                           FROM ledger_line l JOIN ledger_entry e ON e.id = l.entry_id
                           LEFT JOIN ledger_seal s ON s.entry_id = e.id
                          WHERE l.account_id = a.id
                            AND l.account_version > greatest(%(after)s, coalesce(opening.account_version, 0))
                            AND l.account_version <= CASE WHEN bounds.ended THEN coalesce(closing.account_version, 0)
                                                     ELSE b.version END
                          ORDER BY l.account_version LIMIT %(limit)s) m ON true
     WHERE a.owner_id = %(owner)s AND a.kind = %(kind)s AND a.currency = %(currency)s
     ORDER BY m.account_version
"""


def statement(
    owner_id: int,
    currency: str,
    start: datetime | None = None,
    end: datetime | None = None,
    after: int | None = None,
    limit: int = PAGE,
) -> Statement:
    """A page of a player's wallet movements in [start, end), oldest first, with running balance.

    `after` is the previous page's `next`; `limit` bounds the page. Opening and closing are those of the whole period,
    of the same moment as the rows. Raises UnknownCurrency.
    """
    nothing = money.nothing(currency)
    given = {"start": start, "end": end, "after": after or 0, "limit": limit + 1, "owner": owner_id,
             "kind": chart.WALLET, "currency": currency}  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, given)
        found = cursor.fetchall()
    opening, closing = (money.money(sum_, currency) for sum_ in found[0][:2]) if found else (nothing, nothing)
    rows = [_row(currency, *row) for _opening, _closing, *row in found if row[0] is not None]
    more = len(rows) > limit
    rows = rows[:limit]
    return Statement(owner_id, currency, start, end, opening, closing, tuple(rows), rows[-1].version if more else None)


def _row(
    currency: str, version: int, at: datetime, kind: str, reference: str, reason: str, details: str, amount: Decimal,
    balance: Decimal, entry_id: int, number: int | None,
) -> StatementRow:  # fmt: skip
    return StatementRow(
        version, at, kind, reference, reason, json.loads(details), money.money(amount, currency),
        money.money(balance, currency), entry_id, number,
    )  # fmt: skip


# --- The house --------------------------------------------------------------------------------------------------------

# Lines of the house's accounts that have no balance row, in entries that are not sealed yet, found one by one (so say
# OFFSET and the inner SELECT): how few they are PostgreSQL cannot know, and as plain joins it may read all lines and
# seals there are.
UNSEALED_LINES = """
      FROM ledger_entry e
     CROSS JOIN LATERAL (SELECT account_id, amount FROM ledger_line
                          WHERE entry_id = e.id AND account_version IS NULL OFFSET 0) l
     WHERE e.xid >= coalesce((SELECT xid FROM ledger_sealhorizon), 0)
       AND (SELECT s.number FROM ledger_seal s WHERE s.entry_id = e.id) IS NULL"""

# Moments at which the total is known: nothing before the first line, closed months, and now (its total is not told).
MARKS = """
    WITH house AS (SELECT id FROM ledger_account WHERE owner_id IS NULL AND kind = %(kind)s AND currency = %(currency)s)
    (SELECT at, 0 FROM ledger_line WHERE account_id = (SELECT id FROM house) ORDER BY at LIMIT 1)
    UNION ALL SELECT clock_timestamp(), NULL FROM house
    UNION ALL
    SELECT p.ends_at, coalesce((SELECT (total ->> 5)::numeric FROM jsonb_array_elements(p.totals) total
                                 WHERE total ->> 0 = %(kind)s AND total ->> 1 = %(currency)s), 0)
      FROM house, ledger_period p"""

# From a known total up or down to the moment.
HOUSE_FROM_MARK = """
    SELECT %(total)s + coalesce(sum(CASE WHEN l.at < %(moment)s THEN l.amount ELSE -l.amount END), 0)
      FROM ledger_account a
      LEFT JOIN ledger_line l ON l.account_id = a.id AND l.at >= least(%(moment)s, %(known_at)s)
           AND l.at < greatest(%(moment)s, %(known_at)s)
     WHERE a.owner_id IS NULL AND a.kind = %(kind)s AND a.currency = %(currency)s"""

# What there is now without what came at the moment or later.
HOUSE_NOW_LESS = f"""
    SELECT coalesce((SELECT t.total FROM ledger_housetotal t WHERE t.account_id = a.id), 0)
         + coalesce((SELECT sum(l.amount) {UNSEALED_LINES} AND l.account_id = a.id), 0)
         - coalesce((SELECT sum(l.amount) FROM ledger_line l WHERE l.account_id = a.id AND l.at >= %(moment)s), 0)
      FROM ledger_account a WHERE a.owner_id IS NULL AND a.kind = %(kind)s AND a.currency = %(currency)s"""


def house_balances() -> list[HouseBalance]:
    """Balances of the house's accounts that were ever used: that of the balance row where there is one, otherwise the
    total at the last seal and the tail that came after it."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT a.kind, a.currency, coalesce(b.posted, coalesce(t.total, 0) + coalesce(tail.amount, 0))
                  FROM ledger_account a
                  LEFT JOIN ledger_balance b ON b.account_id = a.id
                  LEFT JOIN ledger_housetotal t ON t.account_id = a.id
                  LEFT JOIN (SELECT l.account_id, sum(l.amount) AS amount {UNSEALED_LINES}
                              GROUP BY l.account_id) tail ON tail.account_id = a.id
                 WHERE a.owner_id IS NULL AND (b.version > 0 OR coalesce(t.total, tail.amount) IS NOT NULL)
                 ORDER BY a.kind, a.currency"""
        )
        return [HouseBalance(kind, code, money.money(total, code)) for kind, code, total in cursor.fetchall()]


def house_balance_at(kind: str, currency: str, moment: datetime) -> Money:
    """What a house account of this kind had just before `moment`; nothing if there is none. Raises UnknownCurrency.

    But for the promotion fund, house accounts keep no balance in their lines. The sum begins at the nearest total that
    is known for good, the end of a closed month or what there is now: where all months are closed that are over, it
    reads the lines of a few weeks. After the sealed part of the journal it is provisional: an entry may still come
    before the moment.
    """
    nothing = money.nothing(currency)
    if chart.ACCOUNT_KINDS[kind].has_balance:
        account = "(SELECT id FROM ledger_account WHERE owner_id IS NULL AND kind = %s AND currency = %s)"
        return _last_balance(account, [kind, currency], currency, moment)
    with connection.cursor() as cursor:
        cursor.execute(MARKS, {"kind": kind, "currency": currency, "moment": moment})
        marks: list[tuple[datetime, Decimal | None]] = cursor.fetchall()
        if not marks:
            return nothing
        known_at, total = min(marks, key=lambda mark: abs(mark[0] - moment))
        given: dict[str, Any] = {
            "kind": kind, "currency": currency, "moment": moment, "known_at": known_at, "total": total,
        }  # fmt: skip
        cursor.execute(HOUSE_NOW_LESS if total is None else HOUSE_FROM_MARK, given)
        return money.money(cursor.fetchone()[0], currency)


# --- Rake -------------------------------------------------------------------------------------------------------------


def current_rake(currency: str) -> CurrentRake:
    """The rake rule in force now; 0 % where none was ever set. Raises UnknownCurrency."""
    money.decimals(currency)
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT percent, cap, starts_at FROM ledger_rakerule
                WHERE currency = %s AND starts_at <= clock_timestamp()
                ORDER BY starts_at DESC, id DESC LIMIT 1""",
            [currency],
        )
        found = cursor.fetchone()
    if found is None:
        return CurrentRake(currency, Decimal(0), None, None)
    percent, cap, starts_at = found
    return CurrentRake(currency, percent, money.money(cap, currency) if cap is not None else None, starts_at)


def rake_history(limit: int = 50) -> list[CurrentRake]:
    """All rake rules, the latest to begin first, at most `limit`; also those that begin later."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT currency, percent, cap, starts_at FROM ledger_rakerule ORDER BY starts_at DESC, id DESC LIMIT %s",
            [limit],
        )
        return [
            CurrentRake(currency, percent, money.money(cap, currency) if cap is not None else None, starts_at)
            for currency, percent, cap, starts_at in cursor.fetchall()
        ]
