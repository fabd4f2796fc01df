"""Randgammon 1: short nardy from a random start with at least one blot (docs/rules.md#random-starts)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..board import Points
from ..errors import BadPosition
from ..random_starts import check_drop, drop, has_contact
from .short import ShortGame


@dataclass(frozen=True, kw_only=True)
class ScatteredStart(ShortGame):
    """Every occupied point holds one or more."""

    def draw_start(self, draw: Callable[[int], int]) -> Points:
        while True:
            points = drop([1] * self.checkers, draw)
            if has_contact(points) and 1 in points:
                return points

    def check_start(self, points: Points) -> None:
        check_drop(points, self.checkers)
        if 1 not in points:
            raise BadPosition("start_blot")


RANDGAMMON1 = ScatteredStart(key="randgammon1", start=None)
