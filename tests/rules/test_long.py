"""The head and the block of long nardy, rule by rule (docs/rules.md#long)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games import rules
from tests.rules.playing import code_of, play, standing, started


def first_roll(roll: str, side: rules.Side, **options: object) -> set[int]:
    """How many may leave the head with this first roll; White starts."""
    game = started("long", **options)
    if side == "black":
        game = play(game, "roll 2-1", "24/21")
    turns = play(game, f"roll {roll}").turns()
    return {15 - turn.position.mine[24] for turn in turns}


@pytest.mark.parametrize("roll", ["3-3", "4-4", "6-6"])
@pytest.mark.parametrize(
    ("exception", "white", "black"), [("second_player", 1, 2), ("both_players", 2, 2), ("none", 1, 1)]
)
def test_two_may_leave_the_head_with_a_first_double(roll: str, exception: str, white: int, black: int) -> None:
    assert max(first_roll(roll, "white", head_exception=exception)) == white
    assert max(first_roll(roll, "black", head_exception=exception)) == black


@pytest.mark.parametrize("roll", ["1-1", "2-2", "5-5", "6-3"])
def test_other_first_rolls_take_one(roll: str) -> None:
    for side in ("white", "black"):
        assert max(first_roll(roll, side, head_exception="both_players")) == 1


def test_the_duty_to_play_can_force_the_second_checker() -> None:
    assert first_roll("6-6", "black") == {2}


def test_only_the_first_roll_is_excepted() -> None:
    game = replace(started("long", head_exception="both_players"), turns_played=2)
    assert {15 - turn.position.mine[24] for turn in play(game, "roll 3-3").turns()} == {1}


FIVE = dict.fromkeys(range(17, 22), 2)
"""White's 17-21 are Black's 5-9; 22, Black's 10, would be the sixth."""


def can_play(game: rules.GameState, roll: str, text: str) -> bool:
    return text in [turn.play for turn in play(game, f"roll {roll}").turns()]


@pytest.mark.parametrize("theirs", [{24: 15}, {13: 15}, {11: 1, 24: 14}])
def test_six_in_front_of_all_opposing_checkers_are_forbidden(theirs: dict[int, int]) -> None:
    game = standing({**FIVE, 24: 5}, theirs, "long")
    assert code_of(play(game, "roll 6-2").read_play, "24/22 17/11") == "block"


@pytest.mark.parametrize("theirs", [{4: 1, 24: 14}, {24: 14}])
def test_they_are_allowed_once_a_checker_has_passed_or_is_off(theirs: dict[int, int]) -> None:
    assert can_play(standing({**FIVE, 24: 5}, theirs, "long"), "6-2", "24/22 17/11")


def test_a_block_may_not_exist_even_for_one_step() -> None:
    """24/18 would close 13-18 for a moment, and on the other way Black holds 19."""
    game = standing({**dict.fromkeys(range(13, 18), 2), 24: 5}, {7: 15}, "long")
    assert code_of(play(game, "roll 6-5").read_play, "24/13") in ("block", "closed_point")


def test_another_order_of_steps_may_avoid_it() -> None:
    """Opening a point first is legal, so the play is."""
    game = standing({**FIVE, 17: 1, 24: 6}, {24: 15}, "long")
    assert can_play(game, "6-2", "24/22 17/11")


def test_six_that_the_last_checker_has_passed_are_none() -> None:
    """White holds five points below Black's lowest checker, on 8, and closes 9-14 above it."""
    below = dict.fromkeys(range(13, 18), 1)
    game = standing({**below, 24: 5, 23: 1, 22: 1, 1: 1, 2: 1, 3: 1}, {8: 15}, "long")
    assert can_play(game, "3-1", "24/21 3/2")


def test_a_run_across_the_opponents_start_and_end_is_no_block() -> None:
    """Black's 22-24 and 1-3 are White's 10-12 and 13-15."""
    run = dict.fromkeys((10, 11, 12, 13, 14), 1)
    game = standing({**run, 16: 10}, {18: 15}, "long")
    assert can_play(game, "5-1", "16/15 16/11")


def test_a_run_across_the_own_head_and_exit_is_one() -> None:
    """White's 1-3 and 22-24 are Black's 13-15 and 10-12."""
    run = dict.fromkeys((24, 23, 22, 1, 2), 1)
    game = standing({**run, 5: 10}, {24: 15}, "long")
    assert code_of(play(game, "roll 2-1").read_play, "5/3 5/4") == "block"
