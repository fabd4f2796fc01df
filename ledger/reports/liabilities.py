"""What the house owes: each wallet's balance at the end of the period, what of it was held, and what its owner owes."""

from __future__ import annotations

from ledger.reports.report import Column, Report

QUERY = """
    SELECT owner, currency, posted, held, posted - held AS available, owed FROM (
        SELECT a.owner_id AS owner, a.currency, coalesce(last.balance_after, 0) AS posted, coalesce(h.held, 0) AS held,
               coalesce(-debt.balance_after, 0) AS owed
          FROM ledger_account a
          LEFT JOIN LATERAL (SELECT l.balance_after FROM ledger_line l WHERE l.account_id = a.id AND l.at < %(end)s
                              ORDER BY l.at DESC, l.account_version DESC LIMIT 1) last ON true
          LEFT JOIN ledger_account r ON r.owner_id = a.owner_id AND r.currency = a.currency AND r.kind = 'receivable'
          LEFT JOIN LATERAL (SELECT l.balance_after FROM ledger_line l WHERE l.account_id = r.id AND l.at < %(end)s
                              ORDER BY l.at DESC, l.account_version DESC LIMIT 1) debt ON true
          LEFT JOIN (SELECT account_id, sum(amount) AS held FROM ledger_hold
                      WHERE placed_at < %(end)s AND (resolved_at IS NULL OR resolved_at >= %(end)s)
                      GROUP BY account_id) h ON h.account_id = a.id
         WHERE a.kind = 'wallet' AND (%(currency)s::text IS NULL OR a.currency = %(currency)s)
           AND (%(player)s::bigint IS NULL OR a.owner_id = %(player)s)
    ) w WHERE posted <> 0 OR held <> 0 OR owed <> 0
"""

REPORT = Report(
    name="liabilities",
    title="Liabilities to players at the end of the period",
    version=2,
    columns=(
        Column("owner", "Owner", "integer"),
        Column("currency", "Currency"),
        Column("posted", "Posted", "money", total=True),
        Column("held", "Held", "money", total=True),
        Column("available", "Available", "money", total=True),
        Column("owed", "Owed by the player", "money", total=True),
    ),
    query=QUERY,
    order="currency, owner",
    player="may",
)
