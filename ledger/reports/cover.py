"""What the house owes at the end of the period, to whom, and the cash that has to cover it. Play chips are no money."""

from __future__ import annotations

from ledger import chart
from ledger.money import PLAY_CHIPS
from ledger.reports.report import Column, Report

QUERY = """
    SELECT currency, cash, wallets, pools, fund, wallets + pools + fund AS owed, cash - wallets - pools - fund AS own,
           receivables
      FROM (SELECT l.currency,
                   coalesce(-sum(l.amount) FILTER (WHERE a.kind = 'cash'), 0) AS cash,
                   coalesce(sum(l.amount) FILTER (WHERE a.kind = 'wallet'), 0) AS wallets,
                   coalesce(sum(l.amount) FILTER (WHERE a.kind = 'pool'), 0) AS pools,
                   coalesce(sum(l.amount) FILTER (WHERE a.kind = 'promotion_fund'), 0) AS fund,
                   coalesce(-sum(l.amount) FILTER (WHERE a.kind = 'receivable'), 0) AS receivables
              FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id
             WHERE a.kind = ANY (%(kinds)s) AND l.at < %(end)s AND l.currency <> %(no_money)s
               AND (%(currency)s::text IS NULL OR l.currency = %(currency)s)
             GROUP BY 1) sums
"""

REPORT = Report(
    name="cover",
    title="What is owed, and the cash that covers it",
    version=1,
    columns=(
        Column("currency", "Currency"),
        Column("cash", "Cash", "money"),
        Column("wallets", "Player wallets", "money"),
        Column("pools", "Tournament pools", "money"),
        Column("fund", "Promotion fund", "money"),
        Column("owed", "Owed", "money"),
        Column("own", "The house's own", "money"),
        Column("receivables", "Owed by players", "money"),
    ),
    query=QUERY,
    order="currency",
    more={
        "kinds": [chart.CASH, chart.WALLET, chart.POOL, chart.PROMOTION_FUND, chart.RECEIVABLE],
        "no_money": PLAY_CHIPS,
    },
)
