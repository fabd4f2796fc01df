"""How many distinct positions lie one, two and three rolls from the start: pinned for every variant.

A change of any number is a change of the rules. Over all rolls the counts go one roll deep, or two where that is quick;
the second and third roll are counted along given sequences of dice.
"""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import pytest

from games import rules

ALL_ROLLS = list(combinations_with_replacement(range(1, 7), 2))
SEQUENCES = [((3, 1), (6, 5), (4, 2)), ((5, 5), (4, 1), (6, 3))]

COUNTS: dict[str, tuple[list[int], list[list[int]]]] = {
    "short": ([406], [[16, 133, 2167], [4, 61, 795]]),
    "caucasian": ([406], [[16, 133, 2167], [4, 61, 795]]),
    "long": ([10, 128], [[1, 1, 3], [1, 1, 2]]),
    "nackgammon": ([497], [[22, 195, 3372], [17, 285, 2920]]),
    "hypergammon": ([144, 20449], [[7, 63, 181], [15, 102, 535]]),
    "longgammon": ([49, 2398], [[2, 4, 26], [5, 10, 68]]),
    "randgammon1": ([1836], [[56, 1460, 32249], [159, 2131, 52908]]),
    "randgammon2": ([645], [[21, 336, 8320], [30, 1009, 11491]]),
    "shootout": ([3974], [[120, 557, 13256], [347, 347, 14645]]),
    "first_hit": ([406], [[16, 94, 1554], [4, 56, 574]]),
    "tapa": ([49, 2394], [[2, 4, 26], [5, 10, 68]]),
}


def start(key: str) -> rules.Position:
    """The start of a variant; of a random one always the same."""
    points = rules.variant(key).start or rules.draw_start(key, random.Random(8).randrange)
    return rules.Position(points, points)


def after_roll(key: str, level: set[rules.Position], number: int, dice: tuple[int, int]) -> set[rules.Position]:
    """All positions after this roll, seen by the side that is then to move; ended games are left behind."""
    options, game = rules.make_options(key), rules.variant(key)
    found: set[rules.Position] = set()
    for position in level:
        turns = rules.Turns(options, position, rules.Moment(dice, number < 2, number % 2 == 1))
        for after in turns.positions or [position]:
            if after.mine[0] < game.checkers and game.ending(after, options) is None:
                pinned, pins = (frozenset(map(game.opposite, points)) for points in (after.pins, after.pinned))
                found.add(rules.Position(after.theirs, after.mine, pinned, pins))
    return found


def counts_over_all_rolls(key: str, depth: int) -> list[int]:
    level, counts = {start(key)}, []
    for number in range(depth):
        level = set().union(*(after_roll(key, level, number, dice) for dice in ALL_ROLLS))
        counts.append(len(level))
    return counts


def counts_along(key: str, sequence: tuple[tuple[int, int], ...]) -> list[int]:
    level, counts = {start(key)}, []
    for number, dice in enumerate(sequence):
        level = after_roll(key, level, number, dice)
        counts.append(len(level))
    return counts


@pytest.mark.parametrize("key", rules.VARIANTS)
def test_counts(key: str) -> None:
    over_all, along = COUNTS[key]
    assert counts_over_all_rolls(key, len(over_all)) == over_all
    assert [counts_along(key, sequence) for sequence in SEQUENCES] == along
