"""A sensible player as a pure function: one-ply evaluation over the legal turns, and a policy for the cube.

The source of demonstrations, simulation and load. It never resigns and, given the same state, always answers the same.
"""

from __future__ import annotations

from typing import Literal

from .board import Position
from .evaluate import EVALUATIONS, Evaluation
from .events import Beaver, Double, Drop, Event, Play, Side, Take, other
from .state import GameState

DOUBLE_FROM, TOO_GOOD_FROM = 0.68, 0.93
TAKE_FROM, BEAVER_FROM = 0.22, 0.52
TO_ROLL = 4
"""What it is worth, in points of the race, to be the one who rolls next."""
ENDS_THE_GAME = 1e6


def choose(state: GameState) -> Event | Literal["roll"]:
    """What the bot does for the side that owes the next act; "roll" when it wants the dice.

    Raises ValueError when nobody owes an act (before the lot is cast, or when the game is over).
    """
    side = state.to_act
    if side is None:
        raise ValueError(f"nobody owes an act while the game waits for {state.phase}")
    if state.phase == "play":
        return Play(best_turn(state))
    chance = chance_to_win(state, side)
    if state.phase == "double":
        if state.may_beaver(side) and chance >= BEAVER_FROM:
            return Beaver()
        return Take() if chance >= TAKE_FROM else Drop()
    if state.phase == "beaver":
        return Take() if chance >= TAKE_FROM else Drop()
    if state.may_double(side) and wants_to_double(state, side, chance):
        return Double()
    return "roll"


def best_turn(state: GameState) -> str:
    """The notation of the legal turn whose position it likes best."""
    evaluation = evaluation_of(state)

    def value(position: Position) -> float:
        end = state.game.ending(position, state.options)
        if end is not None:
            return 0 if end.kind == "draw" else ENDS_THE_GAME
        return evaluation.of(position)

    return max(state.turns(), key=lambda turn: value(turn.position)).play


def chance_to_win(state: GameState, side: Side) -> float:
    """A rough chance of this side to win from the position on the board."""
    evaluation = evaluation_of(state)
    position = state.position(side)
    lead = (evaluation.of(position) - evaluation.of(state.position(other(side)))) / 2
    return evaluation.chance(lead + (TO_ROLL if state.turn == side else -TO_ROLL), position)


def evaluation_of(state: GameState) -> Evaluation:
    """The evaluation of the variant, or else of its family."""
    return EVALUATIONS.get(state.options.variant) or EVALUATIONS[state.game.family]


def wants_to_double(state: GameState, side: Side, chance: float) -> bool:
    """Doubles with a clear advantage, but plays on for mars where it is nearly won and mars would still count."""
    if chance < DOUBLE_FROM:
        return False
    mars_counts = state.options.endgame != "oin" and not (state.options.jacoby and not state.cube.taken)
    could_be_mars = not state.points(other(side))[0]
    return chance < TOO_GOOD_FROM or not (mars_counts and could_be_mars)
