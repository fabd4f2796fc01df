"""Laws that hold in every game, under every combination of options."""

from __future__ import annotations

import json
import random

import pytest

from games import rules
from games.rules.search import Maximal
from tests.rules.games import random_game, random_options, rolls
from tests.rules.playing import play, standing

GAMES = 4


@pytest.mark.parametrize("key", rules.VARIANTS)
def test_games_end_within_their_laws(key: str) -> None:
    luck = random.Random(f"laws {key}")
    for _ in range(GAMES):
        options = random_options(luck, key)
        start = rules.new_game(options, None)
        log: list[rules.Event] = []
        state = start
        for event, state in random_game(options, luck):
            check_checkers(state)
            check_predicates(state)
            log.append(event)
        assert state.result is not None
        assert 0 <= state.result.points <= options.max_points
        assert (state.result.winner is None) == (state.result.points == 0)
        assert len(json.dumps(state.to_json())) < 2000


def check_checkers(state: rules.GameState) -> None:
    """Checkers are conserved, and no point holds both sides without a pin."""
    if state.phase == "setup":
        return
    for side in ("white", "black"):
        assert sum(state.points(side)) == state.game.checkers
    for point in range(1, 25):
        both = state.white[point] and state.black[state.game.opposite(point)]
        pinned = point in state.white_pinned or state.game.opposite(point) in state.black_pinned
        assert bool(both) == pinned


def check_predicates(state: rules.GameState) -> None:
    """The answers about what may happen now are what `apply` lets happen."""
    for side in ("white", "black"):
        if state.to_act != side:
            assert not any((state.may_roll(side), state.may_double(side), state.may_take(side), state.may_play(side)))
            continue
        for event, may in (
            (rules.Roll((2, 1)), state.may_roll(side)),
            (rules.Double(), state.may_double(side)),
            (rules.Take(), state.may_take(side)),
            (rules.Drop(), state.may_drop(side)),
            (rules.Beaver(), state.may_beaver(side)),
            (rules.Resign(side), state.may_resign(side)),
        ):
            assert is_possible(state, event) == may


def is_possible(state: rules.GameState, event: rules.Event) -> bool:
    try:
        rules.apply(state, event)
    except rules.NotNow:
        return False
    return True


@pytest.mark.parametrize("key", rules.VARIANTS)
def test_the_log_replays_to_the_same_state(key: str) -> None:
    luck = random.Random(f"log {key}")
    options = random_options(luck, key)
    states: list[rules.GameState] = []
    log: list[str] = []
    for event, state in random_game(options, luck):
        log.append(json.dumps(event.to_json()))
        states.append(state)
    first = states[0]
    starter = first.starter if first.phase != "lot" and not isinstance(event_of(log[0]), rules.Lot) else None
    state = rules.new_game(options, starter)
    for line, expected in zip(log, states, strict=True):
        state = rules.state_from_json(json.loads(json.dumps(state.to_json())))
        state = rules.apply(state, event_of(line))
        assert state == expected


def event_of(line: str) -> rules.Event:
    return rules.event_from_json(json.loads(line))


@pytest.mark.parametrize("key", rules.VARIANTS)
def test_a_turn_can_be_taken_back_from_what_the_log_says(key: str) -> None:
    for turns in rolls(rules.make_options(key), 60, seed=41):
        for turn in turns.all[:40]:
            mine, theirs = list(turn.position.mine), list(turn.position.theirs)
            for step in reversed(turn.steps):
                mine[step.end] -= 1
                mine[step.start] += 1
                if step.hits and turns.game.has_bar:
                    theirs[25] -= 1
                    theirs[turns.game.opposite(step.end)] += 1
            assert (tuple(mine), tuple(theirs)) == (turns.position.mine, turns.position.theirs)


@pytest.mark.parametrize("key", rules.VARIANTS)
def test_if_any_turn_uses_so_many_dice_all_do(key: str) -> None:
    for turns in rolls(rules.make_options(key), 60, seed=51):
        lengths = {len(turn.steps) for turn in turns.all if not ends_the_game(turns, turn)}
        assert len(lengths) <= 1


def ends_the_game(turns: rules.Turns, turn: rules.Turn) -> bool:
    finished = turn.position.mine[0] == turns.game.checkers
    return finished or turns.game.ending(turn.position, turns.options) is not None


@pytest.mark.parametrize("key", rules.VARIANTS)
def test_turns_do_not_depend_on_the_order_in_which_they_were_found(key: str) -> None:
    for turns in rolls(rules.make_options(key), 60, seed=61):
        again = rules.Turns(turns.options, turns.position, turns.moment)
        found = again._maximal
        again.__dict__["_maximal"] = Maximal(found.dice, shuffled(found.states), shuffled(found.ended))
        assert [(turn.play, turn.steps) for turn in again.all] == [(turn.play, turn.steps) for turn in turns.all]


def shuffled(states: set[int]) -> set[int]:
    order = list(states)
    random.Random(1).shuffle(order)
    return set(order)


def test_a_game_has_no_upper_length() -> None:
    """Checkers that dance, thousands of rolls long."""
    closed = dict.fromkeys(range(1, 7), 2)
    game = standing({25: 2, **closed, 7: 1}, {25: 2, **closed, 7: 1})
    for _ in range(3000):
        game = play(game, "roll 6-5")
    assert (game.turns_played, game.phase) == (3020, "roll")
    assert len(json.dumps(game.to_json())) < 2000
