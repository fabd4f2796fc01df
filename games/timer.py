"""Clock arithmetic: a reserve per player and a delay per turn. Pure; all times in milliseconds.

A turn first uses up its delay, which costs nothing and does not add up; then the reserve runs. Whoever has no reserve
left has run out of time. The server's clock decides; docs/protocol.md says how a page shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Literal

Side = Literal["white", "black"]


@dataclass(frozen=True)
class Preset:
    """`reserve_s` seconds per player and game, `delay_s` free seconds at the start of each turn."""

    reserve_s: int
    delay_s: int


PRESETS = MappingProxyType(
    {
        "fast": Preset(reserve_s=60, delay_s=8),
        "normal": Preset(reserve_s=180, delay_s=15),
        "slow": Preset(reserve_s=600, delay_s=30),
        "day": Preset(reserve_s=86_400, delay_s=60),
    }
)
DEFAULT_PRESET = "normal"


@dataclass(frozen=True)
class Clock:
    """Both reserves, and whose time runs since when. `running` None: nobody's time runs."""

    white_ms: int
    black_ms: int
    delay_left_ms: int = 0
    running: Side | None = None
    since: datetime | None = None

    @property
    def deadline(self) -> datetime | None:
        """When the running side's time is over; None while nobody's runs."""
        if self.running is None or self.since is None:
            return None
        return self.since + timedelta(milliseconds=self.delay_left_ms + self.reserve(self.running))

    def reserve(self, side: Side) -> int:
        return self.white_ms if side == "white" else self.black_ms

    def charged(self, now: datetime) -> Clock:
        """The same clock with the time until `now` taken off: the delay first, then the reserve, never below 0."""
        if self.running is None or self.since is None:
            return self
        used = max(0, int((now - self.since) / timedelta(milliseconds=1)))
        free = min(used, self.delay_left_ms)
        left = max(0, self.reserve(self.running) - (used - free))
        clock = replace(self, since=now, delay_left_ms=self.delay_left_ms - free)
        return replace(clock, white_ms=left) if self.running == "white" else replace(clock, black_ms=left)

    def next(self, now: datetime, side: Side | None, delay_ms: int | None) -> Clock:
        """Charge until `now`, then let `side`'s time run; `delay_ms` is given where a new turn begins, else None."""
        clock = self.charged(now)
        delay = clock.delay_left_ms if delay_ms is None else delay_ms
        return replace(clock, running=side, since=now if side else None, delay_left_ms=delay if side else 0)


def new_clock(preset: Preset) -> Clock:
    return Clock(white_ms=preset.reserve_s * 1000, black_ms=preset.reserve_s * 1000)
