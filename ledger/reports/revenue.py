"""The house's revenue day by day in the report's zone: games and their rake, entry fees, and promotion spent.

Promotion is spent when it is set aside in the promotion fund (before there was a fund, when it was added to a
tournament); what tournaments then get of it is in the report of tournaments.
"""

from __future__ import annotations

from ledger import chart
from ledger.reports.report import Column, Report

QUERY = """
    SELECT (e.at AT TIME ZONE %(zone)s)::date AS day, l.currency,
           count(DISTINCT e.id) FILTER (WHERE e.kind = 'settlement') AS games,
           coalesce(-sum(l.amount) FILTER (WHERE e.kind = 'settlement' AND l.amount < 0), 0) AS turnover,
           coalesce(sum(l.amount) FILTER (WHERE a.kind = 'rake'), 0) AS rake,
           coalesce(sum(l.amount) FILTER (WHERE a.kind = 'entry_fees'), 0) AS fees,
           coalesce(-sum(l.amount) FILTER (WHERE a.kind = 'promotion'), 0) AS promotion
      FROM ledger_entry e
      JOIN ledger_line l ON l.entry_id = e.id
      JOIN ledger_account a ON a.id = l.account_id
     WHERE e.kind = ANY (%(kinds)s) AND e.at >= %(start)s AND e.at < %(end)s
       AND (%(currency)s::text IS NULL OR l.currency = %(currency)s)
     GROUP BY 1, 2
"""

REPORT = Report(
    name="revenue",
    title="Revenue",
    version=2,
    columns=(
        Column("day", "Day", "day"),
        Column("currency", "Currency"),
        Column("games", "Games", "integer"),
        Column("turnover", "Lost and won", "money", total=True),
        Column("rake", "Rake", "money", total=True),
        Column("fees", "Entry fees", "money", total=True),
        Column("promotion", "Promotion spent", "money", total=True),
    ),
    query=QUERY,
    order="day, currency",
    more={"kinds": [chart.SETTLEMENT, chart.PROMOTION_FUNDING, *sorted(chart.POOL_KINDS)]},
)
