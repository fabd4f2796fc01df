"""The search for maximal plays, written once for every variant (docs/rules.md#dice). This is the hot module.

A `Mover` knows the single steps of one variant from one position. The search combines them: as many dice as possible,
the larger die if only one of two can be played, and plays that end the game set aside first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .board import ENDED

Steps = Callable[[int, int], list[int]]
"""(packed position, die) -> the packed positions after one legal step, by descending source."""

WhyNot = Callable[[int, int, int], tuple[str, dict[str, object]]]
"""(packed position, source, die) -> code and params of the rule that forbids this step."""


class Mover(NamedTuple):
    """The single steps of the side to move, under one variant's rules, from one position."""

    start: int
    steps: Steps
    why_not: WhyNot
    may_end: bool = False
    """Whether a step other than bearing off the last checker can end the game."""


class Maximal(NamedTuple):
    """The packed positions after every legal turn: those that play `dice` dice, and those that ended the game."""

    dice: int
    states: set[int]
    ended: set[int]


def maximal(mover: Mover, dice: tuple[int, int]) -> Maximal:
    """All legal turns; both sets empty and `dice` 0 when nothing can be played."""
    if mover.may_end:
        ended: set[int] = set()
        return _search(mover.start, _setting_aside(mover.steps, ended), dice)._replace(ended=ended)
    return _search(mover.start, mover.steps, dice)


def _search(start: int, steps: Steps, dice: tuple[int, int]) -> Maximal:
    high, low = max(dice), min(dice)
    if high == low:
        return _double(start, steps, high)
    high_first, low_first = steps(start, high), steps(start, low)
    both: set[int] = set()
    for state in high_first:
        both.update(steps(state, low))
    for state in low_first:
        both.update(steps(state, high))
    if both:
        return Maximal(2, both, set())
    one = set(high_first or low_first)
    return Maximal(1 if one else 0, one, set())


def _double(start: int, steps: Steps, die: int) -> Maximal:
    layer, played = {start}, 0
    while played < 4:
        following: set[int] = set()
        for state in layer:
            following.update(steps(state, die))
        if not following:
            break
        layer, played = following, played + 1
    return Maximal(played, layer if played else set(), set())


def _setting_aside(steps: Steps, ended: set[int]) -> Steps:
    """The steps without those that end the game, which are collected in `ended`."""

    def going_on(state: int, die: int) -> list[int]:
        found = steps(state, die)
        ended.update(after for after in found if after & ENDED)
        return [after for after in found if not after & ENDED]

    return going_on
