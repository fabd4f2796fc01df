"""Resigning and running out of time (docs/rules.md#leaving)."""

from __future__ import annotations

import pytest

from games import rules
from tests.rules.playing import code_of, play, standing, started


def test_a_resignation_at_the_start_is_koks() -> None:
    for side in ("white", "black"):
        result = started().if_resigned(side)
        assert (result.factor, result.kind, result.reason) == (3, "koks", "resign")


def test_a_resignation_costs_what_the_position_says() -> None:
    game = standing({6: 14}, {6: 15}, cube_limit=4)
    assert rules.apply(game, rules.Resign("white")).result == rules.Result("black", 1, 1, 1, "oin", "resign")
    assert rules.apply(game, rules.Resign("black")).result == rules.Result("white", 2, 1, 2, "mars", "resign")


def test_the_position_is_the_one_before_the_unfinished_turn() -> None:
    game = play(standing({1: 1, 6: 14}, {24: 15}), "roll 6-1")
    assert game.if_resigned("white").kind == "mars"


def test_either_side_may_resign_on_either_turn() -> None:
    for game in (started(), play(started(), "roll 3-1")):
        for side in ("white", "black"):
            assert game.may_resign(side)
            assert rules.apply(game, rules.Resign(side)).phase == "over"


def test_nobody_resigns_before_the_lot_or_while_an_answer_is_owed() -> None:
    before = rules.new_game(rules.make_options("short"))
    assert not before.may_resign("white")
    assert code_of(rules.apply, before, rules.Resign("white")) == "resign_before_lot"
    for game in (
        play(started(cube_limit=8), "double"),
        play(started(cube_limit=8, beaver=True), "double", "beaver"),
    ):
        for side in ("white", "black"):
            assert not game.may_resign(side)
            assert code_of(rules.apply, game, rules.Resign(side)) == "answer_double"


def test_running_out_of_time_costs_as_a_resignation() -> None:
    for game in (started(), play(started(), "roll 3-1")):
        over = rules.apply(game, rules.TimeOut("white"))
        assert over.result == rules.Result("black", 3, 1, 3, "koks", "time_out")


def test_running_out_of_time_with_an_answer_owed_is_a_pass() -> None:
    game = play(started(cube_limit=8), "double", "take", "roll 3-1", "8/5 6/5", "double")
    expected = rules.Result("black", 1, 2, 2, "oin", "drop")
    assert game.if_timed_out("white") == expected
    assert rules.apply(game, rules.TimeOut("white")).result == expected


def test_only_the_side_that_owes_the_next_act_runs_out_of_time() -> None:
    assert code_of(rules.apply, started(), rules.TimeOut("black")) == "no_clock"
    assert code_of(rules.apply, play(started(cube_limit=8), "double"), rules.TimeOut("white")) == "no_clock"
    assert code_of(rules.apply, rules.new_game(rules.make_options("short")), rules.TimeOut("white")) == "no_clock"


@pytest.mark.parametrize("side", ["green", None, 1])
def test_there_are_two_sides(side: object) -> None:
    assert code_of(rules.event_from_json, {"type": "resign", "side": side}) == "bad_event"
