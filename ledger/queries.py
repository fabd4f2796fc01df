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
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT l.balance_after FROM ledger_line l
                WHERE l.account_id = (SELECT id FROM ledger_account WHERE owner_id = %s AND kind = %s AND currency = %s)
                  AND l.at < %s ORDER BY l.at DESC, l.account_version DESC LIMIT 1""",
            [owner_id, chart.WALLET, currency, moment],
        )
        found = cursor.fetchone()
    return money.money(found[0] if found else 0, currency)


def statement(
    owner_id: int,
    currency: str,
    start: datetime | None = None,
    end: datetime | None = None,
    after: int | None = None,
    limit: int = PAGE,
) -> Statement:
    """A page of a player's wallet movements in [start, end), oldest first, with running balance.

    `after` is the previous page's `next`; `limit` bounds the page. Opening and closing are those of the whole period.
    Raises UnknownCurrency.
    """
    opening = balance_at(owner_id, currency, start) if start else money.money(0, currency)
    closing = balance_at(owner_id, currency, end) if end else wallet(owner_id, currency).posted
    rows = _movements(owner_id, currency, start, end, after or 0, limit + 1)
    more = len(rows) > limit
    rows = rows[:limit]
    return Statement(owner_id, currency, start, end, opening, closing, tuple(rows), rows[-1].version if more else None)


def _movements(
    owner_id: int, currency: str, start: datetime | None, end: datetime | None, after: int, limit: int
) -> list[StatementRow]:
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT l.account_version, l.at, e.kind, e.reference, e.reason, e.details, l.amount, l.balance_after,
                      e.id, s.number
                 FROM ledger_line l JOIN ledger_entry e ON e.id = l.entry_id
                 LEFT JOIN ledger_seal s ON s.entry_id = e.id
                WHERE l.account_id = (SELECT id FROM ledger_account WHERE owner_id = %s AND kind = %s AND currency = %s)
                  AND l.account_version > %s
                  AND (%s::timestamptz IS NULL OR l.at >= %s) AND (%s::timestamptz IS NULL OR l.at < %s)
                ORDER BY l.account_version LIMIT %s""",
            [owner_id, chart.WALLET, currency, after, start, start, end, end, limit],
        )
        return [
            StatementRow(
                version, at, kind, reference, reason, json.loads(details), money.money(amount, currency),
                money.money(balance, currency), entry_id, number,
            )
            for version, at, kind, reference, reason, details, amount, balance, entry_id, number in cursor.fetchall()
        ]  # fmt: skip


# --- The house --------------------------------------------------------------------------------------------------------


def house_balances() -> list[HouseBalance]:
    """Balances of the house's accounts that were ever used: totals at the last seal and the tail that came after it."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT a.kind, a.currency, coalesce(t.total, 0) + coalesce(tail.amount, 0)
                 FROM ledger_account a
                 LEFT JOIN ledger_housetotal t ON t.account_id = a.id
                 LEFT JOIN (SELECT l.account_id, sum(l.amount) AS amount
                              FROM ledger_entry e JOIN ledger_line l ON l.entry_id = e.id
                             WHERE e.xid >= coalesce((SELECT xid FROM ledger_sealhorizon), 0)
                               AND NOT EXISTS (SELECT FROM ledger_seal s WHERE s.entry_id = e.id)
                               AND l.account_version IS NULL
                             GROUP BY l.account_id) tail ON tail.account_id = a.id
                WHERE coalesce(t.total, tail.amount) IS NOT NULL ORDER BY a.kind, a.currency"""
        )
        return [HouseBalance(kind, code, money.money(total, code)) for kind, code, total in cursor.fetchall()]


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
