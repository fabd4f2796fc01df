"""The course of a game: setup, lot, rolls, plays, passing (docs/rules.md#course)."""

from __future__ import annotations

import random

import pytest

from games import rules
from tests.rules.playing import code_of, play, standing, started


def with_lot(variant: str = "short", **options: object) -> rules.GameState:
    return rules.new_game(rules.make_options(variant, **options))


def test_the_higher_die_starts_and_plays_the_dice_of_the_lot() -> None:
    game = play(with_lot(), "lot 2-5")
    assert (game.phase, game.to_act, game.starter, game.dice) == ("play", "black", "black", (5, 2))
    assert game.may_play("black")
    assert not game.may_play("white")


def test_an_equal_lot_is_rolled_again() -> None:
    game = play(with_lot(), "lot 4-4")
    assert (game.phase, game.to_act, game.cube.value) == ("lot", None, 1)


def test_long_nardy_rolls_a_fresh_pair_after_the_lot() -> None:
    game = play(with_lot("long"), "lot 6-5")
    assert (game.phase, game.to_act, game.dice) == ("roll", "white", None)


def test_long_nardy_can_play_the_dice_of_the_lot() -> None:
    game = play(with_lot("long", opening_uses_lot=True), "lot 6-5")
    assert (game.phase, game.to_act, game.dice) == ("play", "white", (6, 5))


def test_a_known_starter_rolls_a_fresh_pair() -> None:
    game = started(starter="black")
    assert (game.phase, game.to_act) == ("roll", "black")
    assert game.may_roll("black")
    assert not game.may_roll("white")
    assert code_of(play, game, "lot 2-1") == "not_now"


def test_sides_take_turns() -> None:
    game = play(started(), "roll 3-1", "8/5 6/5")
    assert (game.to_act, game.phase, game.turns_played) == ("black", "roll", 1)
    assert game.points("white")[5] == 2
    assert game.last_turn is not None
    assert (game.last_turn.side, game.last_turn.dice, game.last_turn.play) == ("white", (3, 1), "8/5 6/5")
    assert game.last_turn.steps == ((8, 5, 3, False), (6, 5, 1, False))


def test_a_hit_sends_the_blot_to_the_bar() -> None:
    game = play(started(), "roll 6-2", "24/18 13/11", "roll 1-1", "8/7*(2) 6/5(2)")
    assert game.points("white")[25] == 1
    assert game.points("white")[18] == 0
    assert game.last_turn is not None
    assert sum(step.hits for step in game.last_turn.steps) == 1


def test_a_roll_without_a_play_passes_by_itself() -> None:
    closed = dict.fromkeys(range(1, 7), 2)
    game = standing({25: 1, 6: 14}, {**closed, 8: 3})
    game = play(game, "roll 6-6")
    assert (game.phase, game.to_act, game.dice) == ("roll", "black", None)
    assert game.last_turn is not None
    assert (game.last_turn.play, game.last_turn.steps) == ("Ø", ())


def test_both_sides_may_pass_many_times() -> None:
    game = standing({24: 14, 6: 1}, {6: 14, 20: 1}, variant="long", starter="white")
    rolled = play(game, "roll 6-6")
    assert rolled.phase in ("play", "roll")


@pytest.mark.parametrize(
    ("act", "code"),
    [("8/5 6/5", "not_now"), ("take", "not_now"), ("drop", "not_now"), ("beaver", "not_now"), ("double", "cube_off")],
)
def test_acts_at_the_wrong_time(act: str, code: str) -> None:
    assert code_of(play, started(), act) == code


def test_nothing_can_happen_before_the_lot_or_after_the_end() -> None:
    game = with_lot(cube_limit=8)
    for act in ("roll 3-1", "8/5 6/5", "double"):
        assert code_of(play, game, act) == "not_now"
    over = rules.apply(started(), rules.Resign("white"))
    for act in ("roll 3-1", "double", "lot 2-1"):
        assert code_of(play, over, act) == "game_over"
    assert code_of(rules.apply, over, rules.Resign("white")) == "game_over"
    assert over.to_act is None


def test_a_refused_event_changes_nothing() -> None:
    game = play(started(), "roll 3-1")
    before = game.to_json()
    assert code_of(play, game, "8/6 6/5") == "no_die"
    assert game.to_json() == before


def test_a_random_start_waits_for_its_setup() -> None:
    game = with_lot("randgammon1")
    assert (game.phase, game.to_act) == ("setup", None)
    assert code_of(play, game, "lot 3-1") == "not_now"
    points = rules.draw_start("randgammon1", random.Random(1).randrange)
    game = rules.apply(game, rules.Setup(points))
    assert game.phase == "lot"
    assert game.points("white") == game.points("black") == points


def test_a_later_game_of_a_random_start_has_a_setup_too() -> None:
    game = rules.new_game(rules.make_options("randgammon2"), starter="black")
    assert (game.phase, game.to_act) == ("setup", "black")
    game = rules.apply(game, rules.Setup(rules.draw_start("randgammon2", random.Random(1).randrange)))
    assert (game.phase, game.to_act) == ("roll", "black")


def test_a_fixed_start_takes_no_setup() -> None:
    assert code_of(rules.apply, with_lot(), rules.Setup(with_lot().white)) == "start_not_random"


def test_a_state_is_stored_and_read_back() -> None:
    game = play(started(cube_limit=8), "double", "take", "roll 6-2", "24/18 13/11", "roll 1-1", "8/7*(2) 6/5(2)")
    for state in (game, with_lot("randgammon1"), rules.apply(game, rules.Resign("white"))):
        assert rules.state_from_json(state.to_json()) == state


@pytest.mark.parametrize("torn", [{}, {"options": {}}, {"options": None}])
def test_a_torn_state_is_refused(torn: dict[str, object]) -> None:
    whole = started().to_json()
    assert code_of(rules.state_from_json, torn) == "bad_state"
    assert code_of(rules.state_from_json, {**whole, "options": {}}) == "bad_state"


def test_a_stored_state_does_not_grow_with_the_game() -> None:
    sizes = set()
    state = standing({24: 14, 6: 1}, {24: 14, 6: 1}, variant="short")
    for _ in range(3):
        sizes.add(len(state.to_json()))
        state = play(state, "roll 2-1", state_play(state, "roll 2-1"))
    assert len(sizes) == 1


def state_play(state: rules.GameState, roll: str) -> str:
    return play(state, roll).turns()[0].play
