"""Adjustments and reversals: what was moved, for whom, why, who asked and who approved. Regulators ask for it daily."""

from __future__ import annotations

from ledger.reports.report import Column, Report

QUERY = """
    SELECT e.at, s.number, e.id AS entry, e.kind, l.currency, a.kind AS account, a.owner_id AS owner, l.amount,
           e.reverses_id AS reverses, e.reason, (e.details ->> 'proposed_by')::bigint AS proposed_by,
           e.actor_id AS approved_by, l.id AS line
      FROM ledger_entry e
      JOIN ledger_line l ON l.entry_id = e.id
      JOIN ledger_account a ON a.id = l.account_id
      LEFT JOIN ledger_seal s ON s.entry_id = e.id
     WHERE e.kind IN ('adjustment', 'reversal') AND e.at >= %(start)s AND e.at < %(end)s
       AND (%(currency)s::text IS NULL OR l.currency = %(currency)s)
       AND (%(player)s::bigint IS NULL OR a.owner_id = %(player)s)
"""

REPORT = Report(
    name="corrections",
    title="Adjustments and reversals",
    version=1,
    columns=(
        Column("at", "Time", "time"),
        Column("number", "Number", "integer"),
        Column("entry", "Entry", "integer"),
        Column("kind", "Kind"),
        Column("currency", "Currency"),
        Column("account", "Account"),
        Column("owner", "Owner", "integer"),
        Column("amount", "Amount", "money"),
        Column("reverses", "Reverses entry", "integer"),
        Column("reason", "Reason"),
        Column("proposed_by", "Proposed by", "integer"),
        Column("approved_by", "Approved by", "integer"),
    ),
    query=QUERY,
    order="at, entry, line",
    player="may",
)
