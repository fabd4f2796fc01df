"""What the house owes at the end of the period: each wallet with what of it was held and what its owner owes, each
tournament's pool (its owner is the tournament, below zero), and the promotion fund. Cash has to cover all of it."""

from __future__ import annotations

from ledger import chart
from ledger.reports.report import Column, Report

QUERY = """
    SELECT account, owner, currency, posted, held, posted - held AS available, owed FROM (
        SELECT a.kind AS account, a.owner_id AS owner, a.currency, coalesce(last.balance_after, 0) AS posted,
               coalesce(h.held, 0) AS held, coalesce(-debt.balance_after, 0) AS owed
          FROM ledger_account a
          LEFT JOIN LATERAL (SELECT l.balance_after FROM ledger_line l WHERE l.account_id = a.id AND l.at < %(end)s
                              ORDER BY l.at DESC, l.account_version DESC LIMIT 1) last ON true
          LEFT JOIN ledger_account r ON r.owner_id = a.owner_id AND r.currency = a.currency AND r.kind = 'receivable'
                                     AND a.kind = 'wallet'
          LEFT JOIN LATERAL (SELECT l.balance_after FROM ledger_line l WHERE l.account_id = r.id AND l.at < %(end)s
                              ORDER BY l.at DESC, l.account_version DESC LIMIT 1) debt ON true
          LEFT JOIN (SELECT account_id, sum(amount) AS held FROM ledger_hold
                      WHERE placed_at < %(end)s AND (resolved_at IS NULL OR resolved_at >= %(end)s)
                      GROUP BY account_id) h ON h.account_id = a.id
         WHERE a.kind = ANY (%(kinds)s) AND (%(currency)s::text IS NULL OR a.currency = %(currency)s)
           AND (%(player)s::bigint IS NULL OR a.owner_id = %(player)s)
    ) w WHERE posted <> 0 OR held <> 0 OR owed <> 0
"""

REPORT = Report(
    name="liabilities",
    title="Liabilities at the end of the period",
    version=3,
    columns=(
        Column("account", "Account"),
        Column("owner", "Owner", "integer"),
        Column("currency", "Currency"),
        Column("posted", "Posted", "money", total=True),
        Column("held", "Held", "money", total=True),
        Column("available", "Available", "money", total=True),
        Column("owed", "Owed by the player", "money", total=True),
    ),
    query=QUERY,
    order="currency, account, owner",
    player="may",
    more={"kinds": [kind.key for kind in chart.ACCOUNT_KINDS.values() if kind.nature == "liability"]},
)
