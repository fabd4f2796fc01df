"""Randgammon 2: short nardy from a random start without blots (docs/rules.md#random-starts)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..board import Points
from ..errors import BadPosition
from ..random_starts import check_drop, drop, has_contact
from .short import ShortGame


@dataclass(frozen=True, kw_only=True)
class PairedStart(ShortGame):
    """Every occupied point holds two or more."""

    def draw_start(self, draw: Callable[[int], int]) -> Points:
        pairs = [2] * (self.checkers // 2)
        while True:
            points = drop([*pairs, 1], draw, last_joins=True)
            if has_contact(points):
                return points

    def check_start(self, points: Points) -> None:
        check_drop(points, self.checkers)
        if 1 in points:
            raise BadPosition("start_no_blot")


RANDGAMMON2 = PairedStart(key="randgammon2", start=None)
