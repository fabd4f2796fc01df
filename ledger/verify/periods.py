"""Closed periods."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.periods import closed, summed
from ledger.verify.registry import register


@register("closed_periods")
def closed_periods() -> Iterator[tuple[str, str]]:
    """A closed period still has the entries, totals and digest that it was closed with."""
    for period in closed():
        entries, totals, digest = summed(period.starts_at, period.ends_at)
        if (entries, totals, digest) != (period.entries, period.totals, period.digest):
            yield f"period {period.month:%Y-%m}", f"was closed with {period.entries} entries, and is another now"
