"""The Dave cube in every state (docs/rules.md#cube)."""

from __future__ import annotations

import pytest

from games import rules
from tests.rules.playing import code_of, play, standing, started

FIRST_TURNS = ("roll 3-1", "8/5 6/5", "roll 4-2", "8/4 6/4")


def test_it_starts_at_one_in_the_middle() -> None:
    game = started(cube_limit=8)
    assert game.cube == rules.Cube(1, None, None, False)
    assert game.may_double("white")
    assert not game.may_double("black")


def test_a_taken_double_belongs_to_the_taker() -> None:
    game = play(started(cube_limit=8), "double")
    assert (game.phase, game.to_act, game.cube.offered, game.cube.value) == ("double", "black", 2, 1)
    assert (game.may_take("black"), game.may_drop("black"), game.may_take("white")) == (True, True, False)
    game = play(game, "take")
    assert (game.phase, game.to_act, game.cube) == ("roll", "white", rules.Cube(2, "black", None, True))


def test_only_the_owner_redoubles_and_only_before_the_roll() -> None:
    game = play(started(cube_limit=8), "double", "take")
    assert code_of(play, game, "double") == "cube_owner"
    game = play(game, "roll 3-1", "8/5 6/5")
    assert game.may_double("black")
    rolled = play(game, "roll 4-2")
    assert not rolled.may_double("black")
    assert code_of(play, rolled, "double") == "cube_dice_rolled"
    game = play(game, "double", "take")
    assert game.cube == rules.Cube(4, "white", None, True)


def test_no_double_above_the_limit() -> None:
    game = play(started(cube_limit=2), "double", "take", *FIRST_TURNS[:2])
    assert not game.may_double("black")
    assert code_of(play, game, "double") == "cube_limit"


@pytest.mark.parametrize("limit", [2, 4, 8, 16, 32, 64])
def test_the_cube_reaches_its_limit_and_no_more(limit: int) -> None:
    game = started(cube_limit=limit)
    while game.may_double(game.turn or "white"):
        game = play(game, "double", "take", "roll 2-1", "24/23 13/11" if game.turns_played < 2 else "13/10")
    assert game.cube.value == limit


def test_without_the_cube_nobody_doubles() -> None:
    for game in (started(), started(cube_limit=8, crawford_game=True)):
        assert not game.may_double("white")
        assert code_of(play, game, "double") == "cube_off"


def test_no_double_in_a_turn_whose_dice_the_lot_gave() -> None:
    game = play(rules.new_game(rules.make_options("short", cube_limit=8)), "lot 3-1")
    assert not game.may_double("white")
    assert code_of(play, game, "double") == "cube_dice_rolled"


def test_long_nardy_may_be_doubled_before_the_first_roll() -> None:
    game = play(rules.new_game(rules.make_options("long", cube_limit=8)), "lot 3-1")
    assert game.may_double("white")


@pytest.mark.parametrize("act", ["roll 3-1", "8/5 6/5", "double"])
def test_only_the_answer_is_possible_while_one_is_owed(act: str) -> None:
    assert code_of(play, play(started(cube_limit=8), "double"), act) == "answer_double"


def test_a_drop_costs_the_value_before_the_offer() -> None:
    game = play(started(cube_limit=8), "double", "take", *FIRST_TURNS[:2], "double", "drop")
    assert game.result == rules.Result("black", 1, 2, 2, "oin", "drop")
    assert game.phase == "over"


def test_a_drop_is_oin_whatever_the_position() -> None:
    game = standing({1: 1}, {25: 2, 24: 13}, cube_limit=4)
    assert play(game, "double", "drop").result == rules.Result("white", 1, 1, 1, "oin", "drop")


def test_a_beaver_keeps_the_cube() -> None:
    game = play(started(cube_limit=8, beaver=True), "double")
    assert game.may_beaver("black")
    assert not game.may_beaver("white")
    game = play(game, "beaver")
    assert (game.phase, game.to_act, game.cube.offered) == ("beaver", "white", 4)
    assert code_of(play, game, "beaver") == "beaver_again"
    taken = play(game, "take")
    assert (taken.phase, taken.to_act, taken.cube) == ("roll", "white", rules.Cube(4, "black", None, True))


def test_passing_a_beaver_costs_the_doubled_value() -> None:
    game = play(started(cube_limit=8, beaver=True), "double", "beaver")
    dropped = rules.Result("black", 1, 2, 2, "oin", "drop")
    assert play(game, "drop").result == dropped
    assert rules.apply(game, rules.TimeOut("white")).result == dropped


def test_no_beaver_above_the_limit_or_unagreed() -> None:
    game = play(started(cube_limit=2, beaver=True), "double")
    assert not game.may_beaver("black")
    assert code_of(play, game, "beaver") == "cube_limit"
    assert code_of(play, play(started(cube_limit=8), "double"), "beaver") == "beaver_off"


def lots(count: int, **options: object) -> rules.GameState:
    game = rules.new_game(rules.make_options("short", **options))
    return play(game, *["lot 3-3"] * count)


def test_an_equal_lot_doubles_in_the_middle() -> None:
    game = lots(1, cube_limit=8, auto_double=True)
    assert (game.cube.value, game.cube.owner, game.phase) == (2, None, "lot")
    assert lots(3, cube_limit=8, auto_double=True).cube.value == 2
    assert lots(3, cube_limit=8, auto_double=True, auto_doubles_max=2).cube.value == 4
    assert lots(3, cube_limit=2, auto_double=True, auto_doubles_max=3).cube.value == 2
    assert lots(3, cube_limit=8).cube.value == 1


def test_an_auto_double_is_no_double_for_jacoby() -> None:
    game = play(lots(1, cube_limit=8, auto_double=True, jacoby=True), "lot 3-1")
    assert game.if_resigned("white") == rules.Result("black", 1, 2, 2, "oin", "resign")


def test_jacoby_counts_mars_and_koks_as_oin_until_a_double_is_taken() -> None:
    game = started(cube_limit=8, jacoby=True)
    assert game.if_resigned("white").kind == "oin"
    taken = play(game, "double", "take")
    assert taken.if_resigned("white") == rules.Result("black", 3, 2, 6, "koks", "resign")


def test_the_crawford_game_counts_mars_and_koks_in_full() -> None:
    assert started(cube_limit=8, crawford_game=True).if_resigned("white").points == 3
