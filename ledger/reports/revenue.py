"""The house's revenue: games settled, money lost and won in them, and rake, day by day in the report's zone."""

from __future__ import annotations

from ledger.reports.report import Column, Report

QUERY = """
    SELECT (e.at AT TIME ZONE %(zone)s)::date AS day, h.currency, count(*) AS games, sum(h.captured) AS turnover,
           coalesce(sum(rake.amount), 0) AS rake
      FROM ledger_entry e
      JOIN ledger_hold h ON h.entry_id = e.id AND h.resolution = 'captured'
      LEFT JOIN LATERAL (SELECT sum(l.amount) AS amount FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id
                          WHERE l.entry_id = e.id AND a.kind = 'rake') rake ON true
     WHERE e.kind = 'settlement' AND e.at >= %(start)s AND e.at < %(end)s
       AND (%(currency)s::text IS NULL OR h.currency = %(currency)s)
     GROUP BY 1, 2
"""

REPORT = Report(
    name="revenue",
    title="Revenue",
    version=1,
    columns=(
        Column("day", "Day", "day"),
        Column("currency", "Currency"),
        Column("games", "Games", "integer"),
        Column("turnover", "Lost and won", "money", total=True),
        Column("rake", "Rake", "money", total=True),
    ),
    query=QUERY,
    order="day, currency",
)
