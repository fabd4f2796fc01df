"""Tournaments: what came into each pool and what left it in the period, entry fees and added money included.

Money is added from the promotion fund when a tournament is announced; before there was a fund, from the expense.
"""

from __future__ import annotations

from ledger import chart
from ledger.reports.report import Column, Report

QUERY = """
    SELECT reference, max(title) AS title, currency,
           count(DISTINCT entry_id) FILTER (WHERE kind = 'tournament_entry') AS entries,
           coalesce(sum(amount) FILTER (WHERE account = 'pool' AND kind = 'tournament_entry'), 0) AS entry_money,
           coalesce(-sum(amount) FILTER (WHERE account IN ('promotion_fund', 'promotion')), 0) AS overlay,
           coalesce(-sum(amount) FILTER (WHERE account = 'pool'
                                           AND kind IN ('tournament_prize', 'tournament_correction')), 0) AS prizes,
           coalesce(-sum(amount) FILTER (WHERE account IN ('pool', 'promotion_fund', 'promotion')
                                           AND kind = 'tournament_refund'), 0)
               AS refunds,
           coalesce(sum(amount) FILTER (WHERE account = 'pool'), 0) AS pool_change,
           coalesce(sum(amount) FILTER (WHERE account = 'entry_fees'), 0) AS fees
      FROM (SELECT e.id AS entry_id, e.kind, e.reference, e.details ->> 'title' AS title, l.currency, l.amount,
                   a.kind AS account
              FROM ledger_entry e
              JOIN ledger_line l ON l.entry_id = e.id
              JOIN ledger_account a ON a.id = l.account_id
             WHERE e.kind = ANY (%(kinds)s) AND e.at >= %(start)s AND e.at < %(end)s
               AND (%(currency)s::text IS NULL OR l.currency = %(currency)s)) lines
     GROUP BY reference, currency
"""

REPORT = Report(
    name="tournaments",
    title="Tournaments: pools, fees, added money, prizes",
    version=1,
    columns=(
        Column("reference", "Reference"),
        Column("title", "Title"),
        Column("currency", "Currency"),
        Column("entries", "Entries", "integer"),
        Column("entry_money", "Entry money", "money", total=True),
        Column("overlay", "Added money", "money", total=True),
        Column("prizes", "Prizes", "money", total=True),
        Column("refunds", "Refunded from the pool", "money", total=True),
        Column("pool_change", "Change of the pool", "money", total=True),
        Column("fees", "Entry fees", "money", total=True),
    ),
    query=QUERY,
    order="reference, currency",
    more={"kinds": sorted(chart.POOL_KINDS)},
)
