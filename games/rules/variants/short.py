"""Short nardy (docs/rules.md#short), and what the games of its family share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..board import Position, points_of
from ..hitting import hitting_mover
from ..marking import marking_mover
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
    may_hide: bool = True
    """Whether a checker that hit in its home may land on own checkers in the same turn."""

    def mover(self, position: Position, options: GameOptions, moment: Moment) -> Mover:
        policy = options.bear_off_after_hit or "allowed"
        if self.may_hide and policy == "allowed":
            return hitting_mover(position, moment.dice)
        return marking_mover(position, moment.dice, self.may_hide, policy)


SHORT = ShortGame(key="short", start=SHORT_START)
