"""The bot: a pure function that answers every state it may be asked about, sensibly."""

import random
from dataclasses import replace

import pytest

from games import rules
from games.rules import bot

from .games import next_event, played, random_act


def winner_against_random(variant: str, seed: int, bot_side: str) -> str | None:
    chance = random.Random(seed)
    state = rules.new_game(rules.make_options(variant))
    while state.result is None:
        event = next_event(state, chance, by_bot=state.to_act == bot_side)
        state = rules.apply(state, event)
    return state.result.winner


@pytest.mark.parametrize("variant", ["short", "caucasian", "first_hit", "long", "tapa"])
def test_the_bot_beats_random_play_clearly(variant):
    games = 24
    sides = ["white" if seed % 2 else "black" for seed in range(games)]
    wins = sum(winner_against_random(variant, seed, side) == side for seed, side in enumerate(sides))
    assert wins >= 0.8 * games


@pytest.mark.parametrize("variant", sorted(rules.VARIANTS))
def test_the_bot_plays_a_whole_game_of_every_variant_with_the_cube(variant):
    game = played(variant, 5, by_bot=True, cube_limit=64, beaver=True)
    assert game.result is not None
    assert game.result.points <= game.options.max_points


def test_the_same_state_always_gets_the_same_answer():
    chance = random.Random(3)
    state = rules.new_game(rules.make_options("short", cube_limit=8))
    asked = 0
    while state.result is None:
        if state.to_act:
            again = rules.state_from_json(state.to_json())
            assert bot.choose(state) == bot.choose(again)
            asked += 1
        state = rules.apply(state, next_event(state, chance, by_bot=True))
    assert asked > 20


def test_the_bot_is_not_asked_when_nobody_owes_an_act():
    state = rules.new_game(rules.make_options("short"))
    with pytest.raises(ValueError, match="waits for lot"):
        bot.choose(state)


def at_roll(white: dict[int, int], black: dict[int, int], **options) -> rules.GameState:
    """White is to roll; each side's checkers in its own numbering, the rest borne off."""

    def points(placed: dict[int, int]) -> tuple[int, ...]:
        return tuple({0: 15 - sum(placed.values()), **placed}.get(point, 0) for point in range(26))

    state = rules.new_game(rules.make_options("short", **options), starter="white")
    return replace(state, white=points(white), black=points(black))


def test_it_doubles_with_a_clear_lead_and_rolls_without_one():
    behind = {6: 5, 5: 5, 4: 4}
    assert bot.choose(at_roll({6: 3, 5: 3, 3: 3}, behind, cube_limit=2)) == rules.Double()
    assert bot.choose(at_roll(behind, behind, cube_limit=2)) == "roll"
    assert bot.choose(at_roll({6: 3, 5: 3, 3: 3}, behind)) == "roll"


def test_it_drops_a_lost_race_and_takes_a_close_one():
    even = {6: 5, 5: 5, 4: 4}
    lost = rules.apply(at_roll({1: 2}, even, cube_limit=4), rules.Double())
    close = rules.apply(at_roll(even, even, cube_limit=4), rules.Double())
    assert bot.choose(lost) == rules.Drop()
    assert bot.choose(close) == rules.Take()


def test_it_beavers_a_foolish_double_where_that_is_agreed():
    foolish = at_roll({6: 5, 5: 5, 4: 4}, {1: 2}, cube_limit=8, beaver=True)
    state = rules.apply(foolish, rules.Double())
    assert bot.choose(state) == rules.Beaver()
    assert bot.choose(rules.apply(state, rules.Beaver())) == rules.Drop()


def test_it_plays_on_for_mars_instead_of_doubling_when_nearly_won():
    """Black has borne off none and cannot any more; only where mars counts is the double kept back."""
    mine, theirs = {1: 2}, {13: 5, 12: 5, 11: 5}
    assert bot.choose(at_roll(mine, theirs, cube_limit=4)) == "roll"
    assert bot.choose(at_roll(mine, theirs, cube_limit=4, endgame="oin")) == rules.Double()
    assert bot.choose(at_roll(mine, theirs, cube_limit=4, jacoby=True)) == rules.Double()


def test_it_takes_the_hit_that_wins_at_once():
    state = rules.new_game(rules.make_options("first_hit"), starter="white")
    for event in (rules.Roll((6, 4)), rules.Play("24/18 13/9"), rules.Roll((4, 1))):
        state = rules.apply(state, event)
    choice = bot.choose(state)
    assert rules.apply(state, choice).result.winner == "black"


def test_random_acts_of_the_tests_are_legal_ones():
    state = rules.new_game(rules.make_options("short"), starter="black")
    assert random_act(state, random.Random(1)) == "roll"
