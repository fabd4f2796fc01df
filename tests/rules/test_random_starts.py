"""Random starts (docs/rules.md#random-starts)."""

from __future__ import annotations

import random

import pytest

from games import rules
from games.rules.board import points_of
from tests.rules.playing import code_of

FEWEST = {"randgammon1": 1, "randgammon2": 2}


@pytest.mark.parametrize("key", FEWEST)
def test_drawn_starts_keep_the_rules(key: str) -> None:
    luck = random.Random(4)
    for _ in range(300):
        points = rules.draw_start(key, luck.randrange)
        occupied = [point for point in range(26) if points[point]]
        assert sum(points) == 15
        assert all(points[point] >= FEWEST[key] for point in occupied)
        assert (1 in points) == (key == "randgammon1")
        assert all(1 <= point <= 24 and not points[25 - point] for point in occupied)
        assert max(occupied) >= 13
        rules.variant(key).check_start(points)


@pytest.mark.parametrize("key", FEWEST)
def test_the_same_draws_give_the_same_start(key: str) -> None:
    starts = [rules.draw_start(key, random.Random(9).randrange) for _ in range(2)]
    assert starts[0] == starts[1]


def test_only_the_draw_decides_and_it_is_asked_for_free_points() -> None:
    asked: list[int] = []

    def highest(count: int) -> int:
        asked.append(count)
        return count - 1

    assert rules.draw_start("randgammon2", highest) == points_of({24: 15})
    assert asked == [24, *[23] * 6, 1]


@pytest.mark.parametrize(
    ("key", "placed", "code"),
    [
        ("randgammon1", {24: 14}, "start_checkers"),
        ("randgammon1", {24: 14, 25: 1}, "start_checkers"),
        ("randgammon1", {24: 14, 1: 1}, "start_mirror"),
        ("randgammon1", {12: 14, 11: 1}, "start_contact"),
        ("randgammon1", {24: 13, 20: 2}, "start_blot"),
        ("randgammon2", {24: 14, 20: 1}, "start_no_blot"),
        ("short", {24: 15}, "start_not_random"),
    ],
)
def test_wrong_starts_are_refused(key: str, placed: dict[int, int], code: str) -> None:
    assert code_of(rules.variant(key).check_start, points_of(placed)) == code


def test_a_setup_that_is_no_position_is_refused() -> None:
    assert code_of(rules.variant("randgammon1").check_start, (15,)) == "bad_position"
    assert code_of(rules.event_from_json, {"type": "setup", "points": 5}) == "bad_event"
    assert code_of(rules.draw_start, "short", random.Random(1).randrange) == "start_not_random"
