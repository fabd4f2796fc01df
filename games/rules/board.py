"""Positions, and the packed form in which the search handles them.

A side numbers the points from its own exit: 0 = borne off, 1-24, 25 = bar (docs/rules.md#coordinates).

Packed, a position is one int whose byte `p` counts my checkers on my point `p`, and byte `26 + p` theirs on *their*
point `p`. A step then is one addition of a precomputed number, and equal positions are equal ints. Bytes from EXTRA on
belong to the family of the game (marks, pins, checkers that left the head).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import NamedTuple

OFF, BAR = 0, 25
POINTS = 26
THEIRS = POINTS
THEIR_BAR = THEIRS + BAR
EXTRA = 2 * POINTS
SIZE = 64

Points = tuple[int, ...]

_points_at = struct.Struct(f"{POINTS}B").unpack_from  # nearly twice as fast as tuple() of a slice

BOARD_MASK = (1 << 8 * EXTRA) - 1
ENDED = 1 << 8 * (SIZE - 1)
"""Set in a packed position by a step that ended the game."""

ONE = tuple(1 << 8 * index for index in range(SIZE))
"""One checker at each index of a packed position."""

FROM_TO = tuple(tuple(ONE[target] - ONE[source] for target in range(POINTS)) for source in range(POINTS))
"""What a step of mine from one point to another adds to a packed position."""


def mask(indices: Iterable[int]) -> int:
    """All bits of the bytes at these indices."""
    return sum(255 * ONE[index] for index in indices)


OUTSIDE_HOME = mask(range(7, POINTS))
HIGHER_AT_HOME = tuple(mask(range(point + 1, 7)) for point in range(7))


class Position(NamedTuple):
    """A position as the side to move sees it: each side's checkers in its own numbering.

    `pinned`: my points where my checker is pinned; `pins`: my points where my checkers pin theirs (Tapa only).
    """

    mine: Points
    theirs: Points
    pinned: frozenset[int] = frozenset()
    pins: frozenset[int] = frozenset()


def pack(position: Position, extra: int = 0) -> int:
    """The packed position; `extra` is what the family keeps from byte EXTRA on."""
    return int.from_bytes(bytes(position.mine) + bytes(position.theirs), "little") + (extra << 8 * EXTRA)


def unpack(state: int) -> tuple[Points, Points]:
    """Mine and theirs of a packed position."""
    board = state.to_bytes(SIZE, "little")
    return _points_at(board), _points_at(board, POINTS)


def pips(points: Points) -> int:
    """How many points a side still has to move in all, the bar counting 25."""
    return sum(point * count for point, count in enumerate(points))


def points_of(placed: dict[int, int]) -> Points:
    """26 counts from {point: checkers}.

    >>> points_of({24: 2, 6: 5})[24]
    2
    """
    return tuple(placed.get(point, 0) for point in range(POINTS))
