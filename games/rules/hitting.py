"""Single steps of the games with hitting and a bar (docs/rules.md#short)."""

from __future__ import annotations

from .board import BAR, ENDED, FROM_TO, HIGHER_AT_HOME, OFF, ONE, OUTSIDE_HOME, SIZE, THEIR_BAR, Position, pack
from .search import Mover

FACING = tuple(THEIR_BAR - point for point in range(26))
"""Where a packed position counts their checkers on my point."""

HIT = tuple(ONE[THEIR_BAR] - ONE[FACING[point]] for point in range(25))
"""What sending their blot from my point to their bar adds to a packed position."""

Route = tuple[int, int, int, int, int]
"""Source, the opponent's number of the target, the index of the checkers facing it, what a step or a hit adds."""


def _all_routes(die: int) -> tuple[Route, ...]:
    routes = []
    for source in range(BAR, die, -1):
        target = source - die
        add = FROM_TO[source][target]
        routes.append((source, BAR - target, FACING[target], add, add + HIT[target]))
    return tuple(routes)


ROUTES = {die: _all_routes(die) for die in range(1, 7)}


def open_routes(position: Position, dice: tuple[int, int]) -> dict[int, list[Route]]:
    """The steps to points that two or more opposing checkers do not close; that does not change within a turn."""
    theirs = position.theirs
    return {die: [route for route in ROUTES[die] if theirs[route[1]] < 2] for die in set(dice)}


def hitting_mover(position: Position, dice: tuple[int, int], first_hit_wins: bool = False) -> Mover:
    """Steps where a checker that hit is free to go on, hide or be borne off.

    With `first_hit_wins` a hit ends the game.
    """
    routes = open_routes(position, dice)
    if first_hit_wins:
        routes = {die: [(*route[:4], route[4] + ENDED) for route in found] for die, found in routes.items()}

    def steps(state: int, die: int) -> list[int]:
        board = state.to_bytes(SIZE, "little")
        if board[BAR]:
            entering = [route for route in routes[die] if route[0] == BAR]
            return [state + (hit if board[facing] else add) for _, _, facing, add, hit in entering]
        found = [
            state + (hit if board[facing] else add) for source, _, facing, add, hit in routes[die] if board[source]
        ]
        if not state & OUTSIDE_HOME:
            found.extend(state + FROM_TO[source][OFF] for source in bears_off(state, board, die))
        return found

    return Mover(pack(position), steps, why_not_hitting, may_end=first_hit_wins)


def bears_off(state: int, board: bytes, die: int) -> tuple[int, ...]:
    """The point that this die bears off from, all checkers being at home; none or one (docs/rules.md#bearing-off)."""
    if board[die]:
        return (die,)
    if state & HIGHER_AT_HOME[die]:
        return ()
    for source in range(die - 1, 0, -1):
        if board[source]:
            return (source,)
    return ()


def why_not_hitting(state: int, source: int, die: int) -> tuple[str, dict[str, object]]:
    """Names the rule that forbids a step of a game with a bar."""
    board = state.to_bytes(SIZE, "little")
    if not board[source]:
        return ("no_bar_checker", {}) if source == BAR else ("no_checker", {"point": source})
    if board[BAR] and source != BAR:
        return "bar_first", {}
    if source > die:
        return "closed_point", {"point": source - die}
    return why_not_off(state, board, source, die)


def why_not_off(state: int, board: bytes, source: int, die: int) -> tuple[str, dict[str, object]]:
    """Why a checker that is there may not be borne off."""
    if state & OUTSIDE_HOME:
        return "not_home", {}
    return "higher_checker", {"point": max(point for point in range(1, 7) if board[point])}
