"""From a game of ours to the IDs of other programs and back (`ids.py`); short family only. White sits on seat 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from . import ids
from .board import BAR, OFF, Points
from .events import Roll, Side, other
from .game import apply, new_game
from .ids import BadId, Snapshot
from .options import GameOptions
from .state import Cube, GameState

SEATS: Mapping[Side, int] = {"white": 0, "black": 1}
SIDES: tuple[Side, Side] = ("white", "black")
ENDS: Mapping[str, int] = {"drop": ids.DROPPED, "resign": ids.RESIGNED, "time_out": ids.RESIGNED}


def of_state(state: GameState, match_length: int = 0, score: tuple[int, int] = (0, 0)) -> Snapshot:
    """The snapshot of this moment; `score` is White's and Black's in a points series of `match_length`.

    Raises BadId outside the short family, before the starter is known, and while a beaver is on offer.
    """
    _check_family(state.options)
    if state.turn is None:
        raise BadId("snapshot", "the starter is not known yet")
    if state.phase == "beaver":
        raise BadId("snapshot", "the IDs cannot say that a beaver is on offer")
    side, acting = state.turn, state.to_act or state.turn
    owner = ids.CENTRED if state.cube.owner is None else SEATS[state.cube.owner]
    high, low = sorted(state.dice or (0, 0), reverse=True)
    ended = ENDS.get(state.result.reason, ids.OVER) if state.result else ids.PLAYING
    return Snapshot(
        on_roll=_board(state.points(side)), other=_board(state.points(other(side))),
        roller=SEATS[side], turn=SEATS[acting], dice=(high, low), game_state=ended,
        cube=state.cube.value, cube_owner=owner, doubled=state.phase == "double",
        match_length=match_length, score=score, crawford=state.options.crawford_game, jacoby=state.options.jacoby,
    )  # fmt: skip


def to_state(snapshot: Snapshot, options: GameOptions) -> GameState:
    """A running game at this moment, under these options; the side on roll counts as the one that started.

    Raises BadId outside the short family, for a game that is not in progress, and for checkers that the variant does
    not have.
    """
    _check_family(options)
    if snapshot.game_state != ids.PLAYING or snapshot.resigned:
        raise BadId("snapshot", "only a game in progress, without a resignation on offer, can be played on")
    side = SIDES[snapshot.roller]
    start = new_game(options, side)
    total = start.game.checkers
    points = {side: _points(snapshot.on_roll, total), other(side): _points(snapshot.other, total)}
    if any(count[OFF] == total for count in points.values()):
        raise BadId("snapshot", "one side has borne off everything: the game is over")
    if snapshot.cube > options.cube_limit or (snapshot.doubled and snapshot.cube * 2 > options.cube_limit):
        raise BadId("snapshot", f"the cube at {snapshot.cube} is above the limit of {options.cube_limit}")
    owner = None if snapshot.cube_owner == ids.CENTRED else SIDES[snapshot.cube_owner]
    cube = Cube(snapshot.cube, owner, snapshot.cube * 2 if snapshot.doubled else None, owner is not None)
    state = replace(start, phase="roll", white=points["white"], black=points["black"], cube=cube)
    if snapshot.doubled:
        return replace(state, phase="double")
    # rolling them, so that the turn passes by itself where nothing can be played
    return apply(state, Roll(snapshot.dice)) if any(snapshot.dice) else state


def _check_family(options: GameOptions) -> None:
    if new_game(options, "white").game.family != "short":
        raise BadId("snapshot", f"the IDs cannot describe a game of {options.variant}")


def _board(points: Points) -> ids.Board:
    return (*points[1:BAR], points[BAR])


def _points(board: ids.Board, total: int) -> Points:
    off = total - sum(board)
    if off < 0:
        raise BadId("snapshot", f"{sum(board)} checkers of one side; this variant has {total}")
    return (off, *board)
