"""All reports by name."""

from __future__ import annotations

from ledger.reports import (
    corrections,
    cover,
    holds,
    journal,
    liabilities,
    player_statement,
    revenue,
    settlements,
    tournaments,
    trial_balance,
)
from ledger.reports.report import Report

REPORTS: dict[str, Report] = {
    report.name: report
    for report in (
        journal.REPORT,
        trial_balance.REPORT,
        settlements.REPORT,
        player_statement.REPORT,
        holds.REPORT,
        liabilities.REPORT,
        cover.REPORT,
        revenue.REPORT,
        tournaments.REPORT,
        corrections.REPORT,
    )
}
