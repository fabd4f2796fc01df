"""Random starts (docs/rules.md#random-starts): checkers dropped in lumps, the opponent's the mirror image."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .board import BAR, POINTS, Points
from .errors import BadPosition

CONTACT = 13
"""The highest point must be at least this, so that the sides have yet to pass each other."""


def drop(lumps: Iterable[int], draw: Callable[[int], int], last_joins: bool = False) -> Points:
    """Puts each lump of checkers on a uniform point whose mirror is unused; `last_joins`: the last on a used point.

    `draw(n)` gives a uniform int in range(n).
    """
    sizes = list(lumps)
    points = [0] * POINTS
    for number, size in enumerate(sizes):
        joins = last_joins and number == len(sizes) - 1
        free = [point for point in range(1, BAR) if (points[point] if joins else not points[BAR - point])]
        points[free[draw(len(free))]] += size
    return tuple(points)


def has_contact(points: Points) -> bool:
    """Whether a checker stands on 13 or higher."""
    return any(points[CONTACT:BAR])


def check_drop(points: Points, checkers: int) -> None:
    """Raises BadPosition unless the checkers could have been dropped like this."""
    if len(points) != POINTS or any(type(count) is not int or count < 0 for count in points):
        raise BadPosition("bad_position", reason="A position is 26 whole numbers, none below 0.")
    found = sum(points[1:BAR])
    if found != checkers or points[0] or points[BAR]:
        raise BadPosition("start_checkers", expected=checkers, found=found)
    for point in range(1, CONTACT):
        if points[point] and points[BAR - point]:
            raise BadPosition("start_mirror", point=point, mirror=BAR - point)
    if not has_contact(points):
        raise BadPosition("start_contact")
