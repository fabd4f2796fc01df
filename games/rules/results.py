"""How a game ends and what it costs (docs/rules.md#results)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .events import Side, other
from .variant import FACTOR, Kind, Reason

if TYPE_CHECKING:
    from .state import GameState


class Result(NamedTuple):
    """The end of a game. Points = factor × cube, counted in stakes; a draw has no winner and costs nothing."""

    winner: Side | None
    factor: int
    cube: int
    points: int
    kind: Kind
    """What is counted, after the table's cap and Jacoby."""
    reason: Reason


def lost_by(state: GameState, loser: Side, reason: Reason, kind: Kind | None = None) -> Result:
    """The result when `loser` loses in this state; `kind` if the variant fixes it, else by the loser's checkers."""
    counted = _counted(state, kind or state.game.loses(state.points(loser)))
    factor, cube = FACTOR[counted], state.cube.value
    return Result(other(loser), factor, cube, factor * cube, counted, reason)


def drawn(state: GameState, reason: Reason) -> Result:
    """Nobody pays."""
    return Result(None, 0, state.cube.value, 0, "draw", reason)


def _counted(state: GameState, kind: Kind) -> Kind:
    """The kind after the cap of the setting `endgame`, and Jacoby while no double was taken."""
    options = state.options
    if options.jacoby and not state.cube.taken:
        return "oin"
    return kind if FACTOR[kind] <= FACTOR[options.endgame] else options.endgame
