"""Series: who starts the next game, and points series with the Crawford game (docs/rules.md#series)."""

from __future__ import annotations

import pytest

from games import rules
from tests.rules.playing import code_of

WHITE_WINS = rules.Result("white", 1, 1, 1, "oin", "bear_off")
BLACK_WINS = rules.Result("black", 2, 2, 4, "mars", "bear_off")
DRAW = rules.Result(None, 0, 1, 0, "draw", "draw")
CUBE = rules.make_options("short", cube_limit=64, jacoby=True, beaver=True)


@pytest.mark.parametrize(
    ("first_move", "starter", "result", "following"),
    [
        ("loser", "white", WHITE_WINS, "black"),
        ("loser", "white", BLACK_WINS, "white"),
        ("loser", "black", DRAW, "white"),
        ("alternate", "white", WHITE_WINS, "black"),
        ("alternate", "white", BLACK_WINS, "black"),
        ("alternate", "black", DRAW, "white"),
        ("lot", "white", WHITE_WINS, None),
        ("loser", "black", None, "black"),
        ("alternate", "black", None, "black"),
        ("lot", "black", None, "black"),
    ],
)
def test_who_starts_the_next_game(
    first_move: rules.FirstMove, starter: rules.Side, result: rules.Result | None, following: rules.Side | None
) -> None:
    assert rules.next_starter(first_move, starter, result) == following


def win(side: rules.Side, points: int) -> rules.Result:
    return rules.Result(side, 1, points, points, "oin", "drop")


def test_points_add_up_until_one_side_has_enough() -> None:
    series = rules.points_series(CUBE, 5)
    for result in (win("white", 2), win("black", 4), DRAW):
        series = series.after(result, "white")
        assert series.winner is None
    assert (series.white, series.black) == (2, 4)
    series = series.after(win("white", 8), "white")
    assert (series.winner, series.white) == ("white", 10)
    assert code_of(series.after, win("white", 1), "white") == "series_over"


def test_the_first_game_after_one_point_from_the_end_is_the_crawford_game() -> None:
    series = rules.points_series(CUBE, 5)
    assert not series.is_crawford_game
    series = series.after(win("white", 4), "white")
    assert series.is_crawford_game
    assert not series.next_options.cube_in_play
    series = series.after(win("black", 1), "black")
    assert (series.is_crawford_game, series.next_options.cube_in_play) == (False, True)
    series = series.after(win("black", 3), "black")
    assert not series.is_crawford_game


def test_a_drawn_crawford_game_was_the_crawford_game_but_a_void_one_was_not() -> None:
    series = rules.points_series(CUBE, 5).after(win("white", 4), "white")
    assert series.after(None, "black").is_crawford_game
    assert not series.after(DRAW, "black").is_crawford_game


def test_without_the_crawford_rule_there_is_no_such_game() -> None:
    series = rules.points_series(CUBE, 5, crawford=False).after(win("white", 4), "white")
    assert series.next_options.cube_in_play


def test_money_options_are_off_in_points_series() -> None:
    options = rules.points_series(CUBE, 5).next_options
    assert (options.cube_limit, options.jacoby, options.beaver, options.auto_double) == (64, False, False, False)


def test_a_series_to_one_point_has_no_cube() -> None:
    assert rules.points_series(CUBE, 1).next_options.cube_limit == 1


def test_the_starter_follows_the_series() -> None:
    series = rules.points_series(CUBE, 5, first_move="alternate")
    assert series.starter is None
    assert series.after(win("white", 1), "white").starter == "black"


@pytest.mark.parametrize("length", [0, -1, True, "5", 2.5])
def test_a_length_is_a_whole_number_of_points(length: object) -> None:
    assert code_of(rules.points_series, CUBE, length) == "series_length"


def test_an_unknown_first_move() -> None:
    assert code_of(lambda: rules.points_series(CUBE, 5, first_move="winner")) == "series_first_move"  # type: ignore[arg-type]
