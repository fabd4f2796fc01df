"""Tapa, Plakoto: pinning instead of hitting (docs/rules.md#tapa)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
        return Position(mine, theirs, before.pinned, frozenset(p for p in range(1, BAR) if state & PIN[p]))

    def mover(self, position: Position, options: GameOptions, moment: Moment) -> Mover:
        return tapa_mover(position, moment.dice, options.mother_draw)

    def ending(self, position: Position, options: GameOptions) -> Ending | None:
        """The mother is the last checker left on its own starting point; pinned there, it ends the game."""
        if THEIR_START not in position.pins:
            return None
        if options.mother_draw and START in position.pinned:
            return Ending("draw", "mother")
        return None if options.mother_draw and position.mine[START] else Ending("mars", "mother")


def tapa_mover(position: Position, dice: tuple[int, int], mother_draw: bool) -> Mover:
    """The extra bits hold the points where mine pin theirs; what theirs pin of mine cannot change in my turn."""
    theirs, pinned = position.theirs, position.pinned
    singles = {BAR - point for point in range(1, BAR) if theirs[point] == 1} - pinned
    routes = {
        die: [
            (source, FROM_TO[source][source - die], PIN[source - die] if source - die in singles else 0)
            for source in range(START, die, -1)
            if source not in pinned and source - die not in pinned and theirs[BAR - source + die] < 2
        ]
        for die in set(dice)
    }
    own_start = 0 if START in pinned or not mother_draw else mask([START])

    def moved(state: int, source: int, count: int, add: int, pin: int) -> int:
        after = state + add | pin
        if count == 1:
            after &= ~PIN[source]
        if after & PIN[THEIR_START] and not after & own_start:
            after |= ENDED
        return after

    def steps(state: int, die: int) -> list[int]:
        board = state.to_bytes(SIZE, "little")
        found = [moved(state, source, board[source], add, pin) for source, add, pin in routes[die] if board[source]]
        if not state & OUTSIDE_HOME:
            for source in bears_off(state, board, die):
                if source not in pinned:
                    found.append(moved(state, source, board[source], FROM_TO[source][OFF], 0))
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
    return Mover(start, steps, why_not, may_end=True)


TAPA = TapaGame(key="tapa", start=points_of({START: 15}))
