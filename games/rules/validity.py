"""Whether given checkers can stand on a board (docs/rules.md#positions)."""

from __future__ import annotations

from typing import Any

from .board import BAR, OFF, POINTS, Points, Position
from .errors import BadPosition
from .options import GameOptions
from .variant import Variant


def check_position(game: Variant, mine: Any, theirs: Any, pinned: Any = (), pins: Any = ()) -> Position:
    """The position made of untrusted values, seen by the side to move; raises BadPosition.

    `pinned` and `pins` are that side's own points; both are empty outside Tapa.
    """
    position = Position(
        _points(game, "mine", mine), _points(game, "theirs", theirs), _pins("pinned", pinned), _pins("pins", pins)
    )
    _check_pins(game, position)
    for point in range(1, BAR):
        both = position.mine[point] and position.theirs[game.opposite(point)]
        if both and point not in position.pinned | position.pins:
            raise _bad(f"Both sides stand on point {point} (of the side to move).")
    return position


def is_over(game: Variant, position: Position, options: GameOptions) -> bool:
    """Whether this position is the end of a game, whoever moved last."""
    theirs = Position(
        position.theirs,
        position.mine,
        frozenset(map(game.opposite, position.pins)),
        frozenset(map(game.opposite, position.pinned)),
    )
    return any(seen.mine[OFF] == game.checkers or game.ending(seen, options) is not None for seen in (position, theirs))


def _bad(reason: str) -> BadPosition:
    return BadPosition("bad_position", reason=reason)


def _points(game: Variant, name: str, value: Any) -> Points:
    if not isinstance(value, list | tuple) or len(value) != POINTS:
        raise _bad(f"{name} must be a list of 26 whole numbers.")
    if any(type(count) is not int or count < 0 for count in value):
        raise _bad(f"{name} holds something else than whole numbers from 0 up.")
    if sum(value) != game.checkers:
        raise _bad(f"{name} has {sum(value)} checkers; {game.key} is played with {game.checkers}.")
    if value[BAR] and not game.has_bar:
        raise _bad(f"{name} has a checker on the bar; {game.key} has no bar.")
    return tuple(value)


def _pins(name: str, value: Any) -> frozenset[int]:
    if not isinstance(value, list | tuple | frozenset | set):
        raise _bad(f"{name} must be a list of points.")
    if any(type(point) is not int or not 1 <= point <= 24 for point in value) or len(set(value)) != len(value):
        raise _bad(f"{name} must hold points from 1 to 24, each once.")
    return frozenset(value)


def _check_pins(game: Variant, position: Position) -> None:
    if (position.pinned or position.pins) and not game.has_pins:
        raise _bad(f"Nothing is pinned in {game.key}.")
    for point in sorted(position.pinned):
        if position.mine[point] != 1 or not position.theirs[game.opposite(point)]:
            raise _bad(f"pinned names point {point}, where no single checker of mine lies under theirs.")
    for point in sorted(position.pins):
        if position.theirs[game.opposite(point)] != 1 or not position.mine[point]:
            raise _bad(f"pins names point {point}, where no single checker of theirs lies under mine.")
    if position.pinned & position.pins:
        raise _bad(f"Point {min(position.pinned & position.pins)} is both pinned and pins.")
