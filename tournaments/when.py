"""Local times of a tournament: what its announcement says, in its own zone, as moments; safe when clocks change."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from tournaments.errors import BadStartTime


def moment(local: datetime, zone: str) -> datetime:
    """The moment at which clocks in `zone` show the naive time `local`; of two, the earlier.

    Raises BadStartTime for a time that is left out when clocks are put forward.
    """
    place = ZoneInfo(zone)
    aware = local.replace(tzinfo=place, fold=0)
    found = aware.astimezone(UTC)
    if found.astimezone(place).replace(tzinfo=None) != local:
        raise BadStartTime(time=f"{local:%Y-%m-%d %H:%M}", zone=zone)
    return found


def local(at: datetime, zone: str) -> datetime:
    """What clocks in `zone` show at a moment, without its offset."""
    return at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
