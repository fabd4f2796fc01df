"""Sealing, full and incremental verification, and reads, with 10⁶ lines in the ledger.

What must come out: the incremental one is done in seconds whatever the length of the journal; a statement page and a
balance at a past moment stay under 50 ms.
"""

from __future__ import annotations

from typing import Any

from bench import settlement

LINES = 1_000_000
DATA = settlement.ROOT / "build" / "bench-verification"


def run() -> dict[str, Any]:
    """Prints the table and returns seconds, megabytes and milliseconds."""
    with settlement.running(DATA) as services:
        environment = settlement.database(services, "verified", DATA)
        figures: dict[str, Any] = settlement.figures_of("bench._verification_ours", environment, str(LINES))
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):>40} {value:>12,.1f}")
    return figures
