"""Legal turns per second: our engine, the naive generator of the tests, bgsage (C++) and OpenSpiel through Python.

All get the same positions, met in random games, in one run. They are timed in turn, several rounds, in processor time,
and the best round of each counts, so that a busy machine does not blur the ratios. A turn is one distinct position that
a roll can lead to, and the number of turns is the same for all. Timed is what each hands to Python code: ours the list
of `Turn`s that pages and server use (and in a row of its own, every resulting position unpacked), the naive generator
and bgsage all resulting positions, OpenSpiel its actions only. Only ratios mean anything; the figures are this
machine's.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import bgsage  # type: ignore[import-untyped]
import pyspiel  # type: ignore[import-not-found]

from games import rules
from tests.rules.naive_turns import naive_answer

VARIANTS = ("short", "caucasian", "long", "tapa")
POSITIONS = 400
ROUNDS = 9
TARGETS = "targets: ≥ 3 × naive, ahead of OpenSpiel, ≥ 1/3 of bgsage; long ≥ half of short"

Work = Callable[[], Any]


def run() -> dict[str, Any]:
    """Times everything, prints the table, and returns the figures in legal turns per second."""
    figures: dict[str, Any] = {"positions": POSITIONS, "turns_per_s": {}}
    print(f"{'game':<10} {'engine':<28} {'turns/s':>12} {'ours is':>10}")
    for key in VARIANTS:
        speeds = _speeds(key)
        figures["turns_per_s"][key] = speeds
        for name, speed in speeds.items():
            print(f"{key:<10} {name:<28} {speed:>12,.0f} {speeds['ours'] / speed:>8.2f} ×")
    ours = {key: figures["turns_per_s"][key]["ours"] for key in VARIANTS}
    figures["long_to_short"] = ours["long"] / ours["short"]
    print(f"long is {figures['long_to_short']:.2f} of short;  {TARGETS}")
    return figures


def _speeds(key: str) -> dict[str, float]:
    options = rules.make_options(key)
    if key == "short":
        met = list(_met_in_open_spiel(options))
        asked = [turns for turns, _ in met]
        works = {"bgsage (C++)": _bgsage(asked), "open-spiel (C++, actions)": _open_spiel(met)}
    else:
        asked, works = list(_met_in_our_games(options)), {}
    works = {
        "ours": lambda: [_again(turns).all for turns in asked],
        "ours, positions unpacked": lambda: [_again(turns).positions for turns in asked],
        "naive (the tests')": lambda: [naive_answer(turns) for turns in asked],
        **works,
    }
    turns_in_all = sum(len(_again(turns).boards) for turns in asked)
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, work in works.items():
            begin = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - begin)
    return {name: turns_in_all / seconds for name, seconds in best.items()}


def _again(turns: rules.Turns) -> rules.Turns:
    """The same question without anything already worked out."""
    return rules.Turns(turns.options, turns.position, turns.moment)


def _met_in_our_games(options: rules.GameOptions) -> Iterator[rules.Turns]:
    luck = random.Random(2024)
    met = 0
    while met < POSITIONS:
        state = rules.new_game(options, starter="white")
        while state.result is None and met < POSITIONS:
            state = rules.apply(state, rules.Roll((luck.randint(1, 6), luck.randint(1, 6))))
            if state.phase == "play":
                yield state.choices
                met += 1
                state = rules.apply(state, rules.Play(luck.choice(state.turns()).play))


# -- bgsage: one row of 26 from the mover's side, theirs below zero; 0 holds their bar, 25 mine


def _bgsage(asked: list[rules.Turns]) -> Work:
    questions = []
    for turns in asked:
        position = turns.position
        board = [position.mine[point] - position.theirs[25 - point] for point in range(26)]
        board[0], board[25] = position.theirs[25], position.mine[25]
        questions.append((board, *turns.moment.dice))
    return lambda: [bgsage.possible_moves(*question) for question in questions]


# -- OpenSpiel cannot be given a position, so the positions come from its games


def _met_in_open_spiel(options: rules.GameOptions) -> Iterator[tuple[rules.Turns, Any]]:
    luck = random.Random(2024)
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    met = 0
    while met < POSITIONS:
        state, dice, rolled = game.new_initial_state(), (1, 1), False
        while not state.is_terminal() and met < POSITIONS:
            if state.is_chance_node():
                action = luck.choice(state.chance_outcomes())[0]
                first, second = re.findall(r"\d", state.action_to_string(action).split("roll:")[1])
                dice, rolled = (int(first), int(second)), True
                state.apply_action(action)
                continue
            turns = rules.Turns(options, _position(state), rules.Moment(dice))
            # the second half of a double is no roll of its own
            if rolled and turns.boards:
                yield turns, state.clone()
                met += 1
            rolled = False
            state.apply_action(luck.choice(state.legal_actions()))


def _position(state: Any) -> rules.Position:
    """X (0) counts its points downwards from 24, O (1) upwards from 1; 100 asks for the bar."""
    rows = []
    for side in (state.current_player(), 1 - state.current_player()):
        row = [state.board(side, index) for index in range(24)]
        on_board = [*(reversed(row) if side == 0 else row), state.board(side, 100)]
        rows.append((15 - sum(on_board), *on_board))
    return rules.Position(rows[0], rows[1])


def _open_spiel(met: list[tuple[rules.Turns, Any]]) -> Work:
    asked = [(state, turns.moment.dice[0] == turns.moment.dice[1]) for turns, state in met]
    return lambda: [_actions_of_double(state) if double else state.legal_actions() for state, double in asked]


def _actions_of_double(state: Any) -> list[tuple[int, int]]:
    """OpenSpiel plays a double as two turns of one roll: each first action with all that may follow it."""
    pairs = []
    for action in state.legal_actions():
        child = state.child(action)
        follows = not child.is_terminal() and child.current_player() == state.current_player()
        pairs += [(action, second) for second in (child.legal_actions() if follows else [action])]
    return pairs
