"""First hit (Постріл наповал): the first hit wins at once, always oin (docs/rules.md#first-hit)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..board import BAR, Position
from ..hitting import hitting_mover
from ..options import GameOptions
from ..search import Mover
from ..variant import Ending, Moment
from .short import SHORT_START, ShortGame


@dataclass(frozen=True, kw_only=True)
class FirstHitGame(ShortGame):
    """Nothing can be borne off after a hit, so that option is not offered."""

    endgames: tuple[str, ...] = ("oin",)
    own_options: Mapping[str, object] = field(default_factory=lambda: {"last_roll_draw": False})
    turn_options: tuple[str, ...] = ()

    def mover(self, position: Position, options: GameOptions, moment: Moment) -> Mover:
        return hitting_mover(position, moment.dice, first_hit_wins=True)

    def ending(self, position: Position, options: GameOptions) -> Ending | None:
        return Ending("oin", "first_hit") if position.theirs[BAR] else None


FIRST_HIT = FirstHitGame(key="first_hit", start=SHORT_START)
