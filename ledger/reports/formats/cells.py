"""Values as text, the same in every language."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from ledger import money
from ledger.reports.report import Column


def plain(value: Any, column: Column, currency: str, zone: ZoneInfo) -> str:
    """A cell as text: money with its currency's decimals and a point, times in the zone with their offset."""
    if value is None:
        return ""
    if column.kind == "money":
        return money.number(value, currency)
    if column.kind == "time":
        moment: datetime = value
        return moment.astimezone(zone).isoformat(timespec="microseconds")
    if column.kind == "day":
        day: date = value
        return day.isoformat()
    return str(value)


def harmless(text: str) -> str:
    """Text that a spreadsheet would take for a formula gets an apostrophe before it (and is then shown as it is)."""
    shown = text.strip()
    return f"'{text}" if len(shown) > 1 and shown[0] in "=+-@" else text
