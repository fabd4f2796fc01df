"""Holds that were open at some time in the period, in their state at its end."""

from __future__ import annotations

from ledger.reports.report import Column, Report

QUERY = """
    SELECT h.id AS hold, h.key, a.owner_id AS owner, h.reference, h.placed_at, h.currency, h.amount,
           CASE WHEN h.resolved_at < %(end)s THEN h.resolution ELSE 'open' END AS state,
           CASE WHEN h.resolved_at < %(end)s THEN h.captured ELSE 0 END AS captured,
           CASE WHEN h.resolved_at < %(end)s THEN h.amount - h.captured ELSE 0 END AS released,
           CASE WHEN h.resolved_at < %(end)s THEN 0 ELSE h.amount END AS still_held,
           CASE WHEN h.resolved_at < %(end)s THEN h.resolved_at END AS resolved_at,
           CASE WHEN h.resolved_at < %(end)s THEN h.entry_id END AS entry,
           CASE WHEN h.resolved_at < %(end)s THEN h.resolved_reason END AS reason
      FROM ledger_hold h JOIN ledger_account a ON a.id = h.account_id
     WHERE h.placed_at < %(end)s AND (h.resolved_at IS NULL OR h.resolved_at >= %(start)s)
       AND (%(currency)s::text IS NULL OR h.currency = %(currency)s)
       AND (%(player)s::bigint IS NULL OR a.owner_id = %(player)s)
"""

REPORT = Report(
    name="holds",
    title="Holds",
    version=1,
    columns=(
        Column("hold", "Hold", "integer"),
        Column("key", "Key"),
        Column("owner", "Owner", "integer"),
        Column("reference", "Reference"),
        Column("placed_at", "Placed", "time"),
        Column("currency", "Currency"),
        Column("amount", "Amount", "money", total=True),
        Column("state", "State"),
        Column("captured", "Captured", "money", total=True),
        Column("released", "Released", "money", total=True),
        Column("still_held", "Still held", "money", total=True),
        Column("resolved_at", "Resolved", "time"),
        Column("entry", "Entry", "integer"),
        Column("reason", "Reason"),
    ),
    query=QUERY,
    order="hold",
    player="may",
)
