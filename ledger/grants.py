"""What the application's role may do with the ledger's tables: as little as its work needs."""

from __future__ import annotations

from typing import Any, Protocol

from psycopg import sql

from ledger import chart

TABLES = (
    "ledger_account",
    "ledger_accountevent",
    "ledger_balance",
    "ledger_chart_account",
    "ledger_chart_rule",
    "ledger_entry",
    "ledger_hold",
    "ledger_housetotal",
    "ledger_line",
    "ledger_period",
    "ledger_proposal",
    "ledger_rakerule",
    "ledger_seal",
    "ledger_sealhorizon",
)
# Columns that are missing here (ids, xid, times) are filled in by the database; tables that are missing, by its
# triggers.
INSERTS = {
    "ledger_account": ("owner_id", "kind", "currency"),
    "ledger_entry": ("kind", "key", "reference", "actor_id", "reason", "details", "reverses_id"),
    "ledger_line": ("entry_id", "account_id", "currency", "amount", "account_version", "balance_after", "at"),
    "ledger_hold": ("key", "account_id", "currency", "amount", "reference", "details"),
    "ledger_accountevent": ("account_id", "event", "actor_id", "reason"),
    "ledger_period": ("month", "starts_at", "ends_at", "entries", "totals", "digest", "actor_id", "reason"),
    "ledger_proposal": ("kind", "key", "owner_id", "currency", "amount", "reverses_id", "reason", "proposed_by"),
    "ledger_rakerule": ("currency", "percent", "cap", "starts_at", "actor_id", "reason"),
    "ledger_seal": ("number", "entry_id", "digest"),
    "ledger_sealhorizon": ("id", "xid", "sealed_until", "next_xid", "next_until"),
}
UPDATES = {
    "ledger_proposal": ("state", "decided_by", "decision_reason", "decided_at", "entry_id"),
    "ledger_hold": ("resolution", "captured", "resolved_key", "resolved_reason", "resolved_at", "entry_id"),
    "ledger_sealhorizon": ("xid", "sealed_until", "next_xid", "next_until"),
}
FUNCTIONS = ("ledger_lock_keys(text[])", "ledger_lock_balances(bigint[])")
ALL_FUNCTIONS_SQL = """
    SELECT oid::regprocedure::text FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND proname ^@ 'ledger_' ORDER BY 1
"""


def rights() -> set[tuple[str, str]]:
    """All that the application's role may do, as (right, object): ("INSERT", "ledger_hold.key"), …"""
    return (
        {("SELECT", table) for table in TABLES}
        | {("INSERT", f"{table}.{column}") for table, columns in INSERTS.items() for column in columns}
        | {("UPDATE", f"{table}.{column}") for table, columns in UPDATES.items() for column in columns}
        | {("EXECUTE", function) for function in FUNCTIONS}
    )


class Cursor(chart.Cursor, Protocol):
    """What granting needs of a database cursor, be it Django's or psycopg's."""

    def fetchall(self) -> Any: ...


def apply(cursor: Cursor, app_role: str) -> None:
    """Take everything on the ledger from `app_role` and give back exactly what it needs."""
    role = sql.Identifier(app_role)
    for table in TABLES:
        name = sql.Identifier(table)
        cursor.execute(sql.SQL("REVOKE ALL ON {} FROM PUBLIC, {}").format(name, role))
        cursor.execute(sql.SQL("GRANT SELECT ON {} TO {}").format(name, role))
        for right, columns in (("INSERT", INSERTS.get(table)), ("UPDATE", UPDATES.get(table))):
            if columns:
                listed = sql.SQL(", ").join(map(sql.Identifier, columns))
                cursor.execute(sql.SQL(f"GRANT {right} ({{}}) ON {{}} TO {{}}").format(listed, name, role))
    _apply_to_functions(cursor, role)


def _apply_to_functions(cursor: Cursor, role: sql.Identifier) -> None:
    """PostgreSQL lets everybody execute a new function, and a trigger's function fired by a temporary table of one's
    own would do its work with the owner's rights: unfreeze a wallet without an event, say."""
    cursor.execute(ALL_FUNCTIONS_SQL)
    for (function,) in cursor.fetchall():
        cursor.execute(sql.SQL("REVOKE ALL ON FUNCTION {} FROM PUBLIC, {}").format(sql.SQL(function), role))
    for name in FUNCTIONS:
        cursor.execute(sql.SQL("GRANT EXECUTE ON FUNCTION {} TO {}").format(sql.SQL(name), role))
