"""The draw with the last roll (docs/rules.md#last-roll)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games import rules
from tests.rules.playing import code_of, play, standing


def finished_first(black: dict[int, int], **options: object) -> rules.GameState:
    """White started and bears off its last checker; Black has one turn left."""
    game = standing({1: 1}, black, last_roll_draw=True, **options)
    return play(game, "roll 6-1", "1/off")


def test_the_second_starter_gets_one_more_turn() -> None:
    game = finished_first({3: 2})
    assert (game.phase, game.to_act, game.last_roll, game.result) == ("roll", "black", True, None)


def test_bearing_off_everything_with_it_draws() -> None:
    game = play(finished_first({3: 2}), "roll 6-5", "3/off(2)")
    assert game.result == rules.Result(None, 0, 1, 0, "draw", "draw")


def test_otherwise_the_first_has_won() -> None:
    game = play(finished_first({3: 3}), "roll 6-5", "3/off(2)")
    assert game.result == rules.Result("white", 1, 1, 1, "oin", "bear_off")


def test_the_factor_is_judged_after_the_last_turn() -> None:
    assert finished_first({3: 15}).if_resigned("black").kind == "mars"
    game = play(finished_first({3: 15}), "roll 6-5", "3/off(2)")
    assert game.result == rules.Result("white", 1, 1, 1, "oin", "bear_off")
    koks = play(finished_first({24: 1, 3: 14}), "roll 6-5", "24/13")
    assert koks.result == rules.Result("white", 2, 1, 2, "mars", "bear_off")


def test_the_game_ends_if_nothing_can_be_played() -> None:
    closed = standing(dict.fromkeys(range(1, 7), 2), {25: 1, 3: 14}, turn="black", last_roll_draw=True)
    game = play(replace(closed, last_roll=True), "roll 6-6")
    assert game.result == rules.Result("white", 3, 1, 3, "koks", "bear_off")


def test_the_second_starter_who_finishes_first_wins_at_once() -> None:
    game = standing({1: 1}, {3: 14}, starter="black", last_roll_draw=True)
    assert play(game, "roll 6-1", "1/off").result == rules.Result("white", 1, 1, 1, "oin", "bear_off")


def test_without_the_option_the_game_ends_at_once() -> None:
    game = play(standing({1: 1}, {3: 2}), "roll 6-1", "1/off")
    assert game.phase == "over"


def test_no_double_before_it_and_only_its_player_can_leave() -> None:
    game = finished_first({3: 15}, cube_limit=8)
    assert not game.may_double("black")
    assert code_of(play, game, "double") == "cube_last_roll"
    assert not game.may_resign("white")
    assert code_of(rules.apply, game, rules.Resign("white")) == "resign_finished"
    assert code_of(rules.apply, game, rules.TimeOut("white")) == "no_clock"
    assert rules.apply(game, rules.Resign("black")).result == rules.Result("white", 2, 1, 2, "mars", "resign")
    assert rules.apply(game, rules.TimeOut("black")).result == rules.Result("white", 2, 1, 2, "mars", "time_out")


@pytest.mark.parametrize("variant", ["first_hit", "tapa"])
def test_it_follows_bearing_off_only(variant: str) -> None:
    if variant == "first_hit":
        game = play(standing({24: 1, 6: 14}, {2: 1, 6: 14}, variant, last_roll_draw=True), "roll 1-5", "24/23*")
    else:
        game = play(standing({5: 1, 8: 14}, {24: 1, 1: 14}, variant, last_roll_draw=True), "roll 4-6", "5/1")
    assert game.phase == "over"
    assert game.result is not None
    assert game.result.winner == "white"


def test_long_nardy_does_not_offer_it() -> None:
    assert code_of(lambda: rules.make_options("long", last_roll_draw=True)) == "option_not_offered"
