"""Tapa, Plakoto: pinning instead of hitting (docs/rules.md#tapa)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ..board import (
    BAR,
    BOARD_MASK,
    ENDED,
    EXTRA,
    FROM_TO,
    OFF,
    OUTSIDE_HOME,
    SIZE,
    Position,
    mask,
    pack,
    points_of,
    unpack,
)
from ..hitting import bears_off, why_not_off
from ..options import GameOptions
from ..search import Mover
from ..variant import Ending, Family, Moment, Variant

START = 24
THEIR_START = 1
"""In my numbering."""

PIN = tuple(1 << 8 * EXTRA + point for point in range(BAR))
"""The extra bits: my checkers pin one of theirs on my point."""
PINS = sum(PIN)
UNPINNED = tuple(~pin for pin in PIN)


def _all_routes(die: int) -> tuple[tuple[int, int, int, int, int], ...]:
    """Source, target, the opponent's number of the target, what a step adds, the bit of a pin there."""
    targets = ((source, source - die) for source in range(START, die, -1))
    return tuple((source, target, BAR - target, FROM_TO[source][target], PIN[target]) for source, target in targets)


ROUTES = {die: _all_routes(die) for die in range(1, 7)}


@dataclass(frozen=True, kw_only=True)
class TapaGame(Variant):
    """No bar; a single opposing checker is pinned by landing on it."""

    family: Family = "tapa"
    has_bar: bool = False
    has_pins: bool = True
    endgames: tuple[str, ...] = ("oin", "mars")
    own_options: Mapping[str, object] = field(default_factory=lambda: {"mother_draw": False, "last_roll_draw": False})
    turn_options: tuple[str, ...] = ("mother_draw",)

    @property
    def kept_bits(self) -> int:
        return BOARD_MASK | PINS

    def struck(self, before: int, after: int) -> bool:
        return bool(after & ~before & PINS)

    def position_after(self, state: int, before: Position) -> Position:
        mine, theirs = unpack(state)
        return Position(mine, theirs, before.pinned, pinning_points(state & PINS))

    def mover(self, position: Position, options: GameOptions, moment: Moment) -> Mover:
        return tapa_mover(position, moment.dice, options.mother_draw)

    def ending(self, position: Position, options: GameOptions) -> Ending | None:
        """The mother is the last checker left on its own starting point; pinned there, it ends the game."""
        if THEIR_START not in position.pins:
            return None
        if options.mother_draw and START in position.pinned:
            return Ending("draw", "mother")
        return None if options.mother_draw and position.mine[START] else Ending("mars", "mother")


@lru_cache(maxsize=4096)  # few patterns occur, and unpacking them would take longer than the search
def pinning_points(pins: int) -> frozenset[int]:
    """The points of the extra bits."""
    return frozenset(point for point in range(1, BAR) if pins & PIN[point])


def tapa_mover(position: Position, dice: tuple[int, int], mother_draw: bool) -> Mover:
    """The extra bits hold the points where mine pin theirs; what theirs pin of mine cannot change in my turn."""
    theirs, pinned = position.theirs, position.pinned
    routes = {
        die: [
            (source, add, pin if theirs[facing] else 0)
            for source, target, facing, add, pin in ROUTES[die]
            if theirs[facing] < 2 and source not in pinned and target not in pinned
        ]
        for die in set(dice)
    }
    mother_alone = theirs[START] == 1
    own_start = 0 if START in pinned or not mother_draw else mask([START])

    def steps(state: int, die: int) -> list[int]:
        board = state.to_bytes(SIZE, "little")
        found = []
        for source, add, pin in routes[die]:
            count = board[source]
            if count:
                after = state + add | pin
                found.append(after & UNPINNED[source] if count == 1 else after)
        if not state & OUTSIDE_HOME:
            for source in bears_off(state, board, die):
                if source not in pinned:
                    after = state + FROM_TO[source][OFF]
                    found.append(after & UNPINNED[source] if board[source] == 1 else after)
        if mother_alone:
            found = [after | ENDED if after & PIN[THEIR_START] and not after & own_start else after for after in found]
        return found

    def why_not(state: int, source: int, die: int) -> tuple[str, dict[str, object]]:
        board = state.to_bytes(SIZE, "little")
        if not board[source]:
            return "no_checker", {"point": source}
        if source in pinned:
            return "pinned", {"point": source}
        if source > die:
            return "closed_point", {"point": source - die}
        return why_not_off(state, board, source, die)

    start = pack(position) | sum(PIN[point] for point in position.pins)
    return Mover(start, steps, why_not, may_end=mother_alone)


TAPA = TapaGame(key="tapa", start=points_of({START: 15}))
