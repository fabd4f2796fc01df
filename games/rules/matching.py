"""How single steps fit what was written."""

from __future__ import annotations

from .board import BAR, OFF, SIZE
from .notation import Move, Step
from .variant import Variant


def step_between(game: Variant, before: int, after: int, die: int) -> Step:
    """The step that led from one packed position to the next."""
    old, new = before.to_bytes(SIZE, "little"), after.to_bytes(SIZE, "little")
    start = next(point for point in range(BAR, OFF, -1) if new[point] < old[point])
    return Step(start, max(start - die, OFF), die, game.struck(before, after))


def moves_after(moves: tuple[Move, ...], step: Step, exact: bool = False) -> set[tuple[Move, ...]]:
    """What can be left of the written moves once this step is taken as part of one of them."""
    left: set[tuple[Move, ...]] = set()
    for move in set(moves):
        stop = move.stops[0]
        if move.start != step.start or step.end < stop.point:
            continue
        arrived = step.end == stop.point
        starred = arrived and stop.star
        if (starred and not step.hits) or (exact and step.hits and not starred):
            continue
        others = list(moves)
        others.remove(move)
        stops = move.stops[1:] if arrived else move.stops
        if stops:
            others.append(Move(step.end, stops))
        left.add(tuple(sorted(others)))
    return left
