"""Short nardy (docs/rules.md#short), and what its family shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..board import Position, points_of
from ..hitting import hitting_mover
from ..options import GameOptions
from ..search import Mover
from ..variant import Family, Moment, Variant

SHORT_START = points_of({24: 2, 13: 5, 8: 3, 6: 5})


@dataclass(frozen=True, kw_only=True)
class ShortGame(Variant):
    """A game with hitting and a bar, where the sides move towards each other."""

    family: Family = "short"
    own_options: Mapping[str, object] = field(
        default_factory=lambda: {"bear_off_after_hit": "allowed", "last_roll_draw": False}
    )
    turn_options: tuple[str, ...] = ("bear_off_after_hit",)

    def mover(self, position: Position, options: GameOptions, moment: Moment) -> Mover:
        return hitting_mover(position, moment.dice)


SHORT = ShortGame(key="short", start=SHORT_START)
