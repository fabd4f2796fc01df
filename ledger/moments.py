"""A moment as a browser's field for date and time writes it."""

from __future__ import annotations

from datetime import UTC, datetime

#: Years that a ledger can be asked about: with others, zones and the database have no answer.
YEARS = range(2000, 9000)


def naive(text: str) -> datetime | None:
    """The moment without a zone; None for anything else, also for one that brings its own zone."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is None and found.year in YEARS else None


def utc(text: str) -> datetime | None:
    """The moment, meant in UTC; None for anything else."""
    found = naive(text)
    return found.replace(tzinfo=UTC) if found else None
