"""Short nardy agrees with engines of other people: bgsage, OpenSpiel, and GNU Backgammon where it is installed."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from typing import Any

import bgsage
import pyspiel
import pytest

from games import rules
from tests.rules.games import rolls

SHORT = rules.make_options("short")
Counts = tuple[tuple[int, ...], tuple[int, ...]]


def ours(turns: rules.Turns) -> set[Counts]:
    return {(turn.position.mine, turn.position.theirs) for turn in turns.all}


# -- bgsage: one row of 26, theirs below zero; 0 holds their bar, 25 mine


def bgsage_answer(turns: rules.Turns) -> set[Counts]:
    position = turns.position
    board = [position.mine[point] - position.theirs[25 - point] for point in range(26)]
    board[0], board[25] = position.theirs[25], position.mine[25]
    return {_counts(after) for after in bgsage.possible_moves(board, *turns.moment.dice)}


def _counts(board: list[int]) -> Counts:
    mine = [0, *(max(board[point], 0) for point in range(1, 25)), board[25]]
    theirs = [0, *(max(-board[25 - point], 0) for point in range(1, 25)), board[0]]
    mine[0], theirs[0] = 15 - sum(mine), 15 - sum(theirs)
    return tuple(mine), tuple(theirs)


def test_bgsage() -> None:
    """It knowingly differs in two points: a dance is the unchanged board; the last checker may leave with one die."""
    for turns in rolls(SHORT, 2000, seed=11):
        theirs, mine = bgsage_answer(turns), ours(turns)
        unchanged = (turns.position.mine, turns.position.theirs)
        finished = {after for after in theirs - mine if after[0][0] == 15}
        assert theirs - finished == (mine or {unchanged}), (turns.position, turns.moment)


# -- OpenSpiel: only rolls that are no doubles, which it splits into two turns


def spiel_counts(state: Any, player: int) -> Counts:
    """X (0) counts its own points downwards from 24, O (1) upwards from 1."""
    both = []
    for side in (player, 1 - player):
        row = [state.board(side, index) for index in range(24)]
        if side == 0:
            row.reverse()
        on_board = [*row, state.board(side, 100)]
        both.append((15 - sum(on_board), *on_board))
    return both[0], both[1]


def test_open_spiel() -> None:
    luck = random.Random(5)
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    compared = 0
    while compared < 300:
        state, dice = game.new_initial_state(), (1, 1)
        while not state.is_terminal() and compared < 300:
            if state.is_chance_node():
                action = luck.choice(state.chance_outcomes())[0]
                low, high = re.findall(r"\d", state.action_to_string(action).split("roll:")[1])
                dice = (int(low), int(high))
                state.apply_action(action)
                continue
            player = state.current_player()
            before = spiel_counts(state, player)
            if dice[0] != dice[1]:
                theirs = {spiel_counts(state.child(action), player) for action in state.legal_actions()} - {before}
                turns = rules.Turns(SHORT, rules.Position(*before), rules.Moment(dice))
                assert theirs == ours(turns), (before, dice)
                compared += 1
            state.apply_action(luck.choice(state.legal_actions()))


# -- GNU Backgammon: also reads its notation


@pytest.mark.gnubg
def test_gnubg() -> None:
    asked = [turns for turns in rolls(SHORT, 60, seed=3) if len(turns.all) > 1]
    for turns, plays in zip(asked, gnubg_plays(asked), strict=True):
        read = [turns.read(play, stars_exact=True).position for play in plays]
        assert {(after.mine, after.theirs) for after in read} == ours(turns)
        assert len(read) == len(turns.all)


def gnubg_plays(asked: list[rules.Turns]) -> list[list[str]]:
    """The complete lists of plays that its hints give."""
    lines = [f"set player {player} human" for player in (0, 1)]
    lines += ["set automatic roll off", "set automatic game off", "set automatic move off", "set confirm new off"]
    lines += ["set evaluation chequerplay evaluation plies 0", "new game"]
    for turns in asked:
        position, (high, low) = turns.position, turns.moment.dice
        row = [position.mine[point] - position.theirs[25 - point] for point in range(1, 25)]
        lines.append("set turn 0")
        lines.append(f"set board simple {position.mine[25]} {' '.join(map(str, row))} {position.theirs[25]}")
        lines += [f"set dice {high} {low}", "hint 999"]
    program = shutil.which("gnubg", path="/usr/games:/usr/bin")
    assert program is not None
    said = subprocess.run(
        [program, "-t", "-q"], input="\n".join(lines) + "\nquit\ny\n", capture_output=True, text=True, check=False
    ).stdout
    blocks = said.split("The dice have been set to")[1:]
    return [re.findall(r"^ *\d+\. \S+ \d-ply +(\S.*?) +Eq\.:", block, re.MULTILINE) for block in blocks]
