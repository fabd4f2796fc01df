"""What a report is asked for: a half-open period in a time zone, and filters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ledger import money, owners


class BadParams(Exception):
    """A report was asked for with something that makes no sense; str() says what and how to put it."""


@dataclass(frozen=True)
class Params:
    """[start, end), both aware and in `zone`. `player` is an owner's id; None means all, as for `currency`."""

    start: datetime
    end: datetime
    zone: ZoneInfo
    currency: str | None = None
    player: int | None = None

    @property
    def filters(self) -> str:
        """For the header: "currency UAH, player 12", or "none"."""
        given = [f"currency {self.currency}"] if self.currency else []
        given += [f"player {self.player}"] if self.player is not None else []
        return ", ".join(given) or "none"


def read(start: str, end: str, zone: str = "UTC", currency: str | None = None, player: str | None = None) -> Params:
    """Params from what was typed: days ("2026-11-01") or moments ("2026-11-01T12:00") in the zone. Raises BadParams."""
    where = _zone(zone)
    first, last = _moment("from", start, where), _moment("to", end, where)
    if first >= last:
        raise BadParams(f"--to must be later than --from: the period from {start} to {end} (exclusive) is empty.")
    if currency is not None and currency not in money.CURRENCIES:
        raise BadParams(f"--currency “{currency}” is unknown. Known are: {', '.join(money.CURRENCIES)}.")
    return Params(first, last, where, currency, _player(player))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadParams(f"--tz “{name}” is not a time zone. Write one like Europe/Kyiv or UTC.") from None


def _moment(option: str, text: str, zone: ZoneInfo) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadParams(f"--{option} “{text}” is not a date: {error}. Write it like 2026-11-01.") from None
    if found.tzinfo is not None:
        raise BadParams(f"--{option} “{text}”: leave out the offset; --tz says the zone.")
    return found.replace(tzinfo=zone)


def _player(text: str | None) -> int | None:
    if text is None:
        return None
    found = owners.find(text)
    if found is None:
        raise BadParams(f"--player “{text}”: there is no such player, or the name could mean several: give the number.")
    return found
