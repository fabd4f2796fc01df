"""A player's statement: movements with the running balance, between an opening and a closing row per currency."""

from __future__ import annotations

from ledger.reports.report import Column, Report

QUERY = """
    WITH wallet AS (
        SELECT a.id, a.currency FROM ledger_account a
         WHERE a.owner_id = %(player)s AND a.kind = 'wallet'
           AND (%(currency)s::text IS NULL OR a.currency = %(currency)s)
           AND EXISTS (SELECT FROM ledger_line l WHERE l.account_id = a.id AND l.at < %(end)s)
    ), mark AS (
        SELECT w.currency, m.at, m.kind, m.place, coalesce(last.balance_after, 0) AS balance
          FROM wallet w
         CROSS JOIN (VALUES (%(start)s::timestamptz, 'opening balance', 0),
                            (%(end)s::timestamptz, 'closing balance', 2)) AS m (at, kind, place)
          LEFT JOIN LATERAL (SELECT l.balance_after FROM ledger_line l WHERE l.account_id = w.id AND l.at < m.at
                              ORDER BY l.at DESC, l.account_version DESC LIMIT 1) last ON true
    )
    SELECT currency, at, kind, '' AS reference, '' AS reason, NULL::numeric AS amount, balance, NULL::bigint AS number,
           NULL::bigint AS entry, place, 0 AS version FROM mark
    UNION ALL
    SELECT w.currency, e.at, e.kind, e.reference, e.reason, l.amount, l.balance_after, s.number, e.id, 1,
           l.account_version
      FROM wallet w
      JOIN ledger_line l ON l.account_id = w.id AND l.at >= %(start)s AND l.at < %(end)s
      JOIN ledger_entry e ON e.id = l.entry_id
      LEFT JOIN ledger_seal s ON s.entry_id = e.id
"""

REPORT = Report(
    name="player-statement",
    title="Statement of a player",
    version=1,
    columns=(
        Column("currency", "Currency"),
        Column("at", "Time", "time"),
        Column("kind", "Kind"),
        Column("reference", "Reference"),
        Column("reason", "Reason"),
        Column("amount", "Amount", "money", total=True),
        Column("balance", "Balance", "money"),
        Column("number", "Number", "integer"),
        Column("entry", "Entry", "integer"),
    ),
    query=QUERY,
    order="currency, place, version",
    counted="place = 1",  # opening and closing rows are no activity
    player="must",
)
