"""Single steps of the hitting games where a checker that hit in its own home is marked for the rest of the turn.

Each checker keeps its identity: covering the hitter does not wipe its mark (docs/rules.md#caucasian,
docs/rules.md#bear-off-after-hit). The extra byte `EXTRA + point` counts the marked checkers on a home point.
"""

from __future__ import annotations

from .board import BAR, EXTRA, FROM_TO, OFF, ONE, OUTSIDE_HOME, SIZE, Position, pack
from .hitting import bears_off, open_routes, why_not_hitting
from .search import Mover

MARK = EXTRA
HOME = 6


def marking_mover(position: Position, dice: tuple[int, int], may_hide: bool, may_bear_off: str) -> Mover:
    """`may_hide`: a marked checker may land on own checkers. `may_bear_off`: the option bear_off_after_hit."""
    routes = open_routes(position, dice)

    def steps(state: int, die: int) -> list[int]:
        board = state.to_bytes(SIZE, "little")
        if board[BAR]:
            entering = [route for route in routes[die] if route[0] == BAR]
            return [state + (hit if board[facing] else add) for _, _, facing, add, hit in entering]
        found: list[int] = []
        for source, _, facing, add, hit in routes[die]:
            if not board[source]:
                continue
            target = source - die
            after = state + (hit if board[facing] else add)
            marked = board[MARK + source] if source <= HOME else 0
            if marked < board[source]:
                found.append(after + ONE[MARK + target] if board[facing] and target <= HOME else after)
            if marked and (may_hide or not board[target]):
                found.append(after + ONE[MARK + target] - ONE[MARK + source])
        if not state & OUTSIDE_HOME:
            found.extend(off(state, board, die, bool(found)))
        return found

    def off(state: int, board: bytes, die: int, others: bool) -> list[int]:
        found: list[int] = []
        for source in bears_off(state, board, die):
            after, marked = state + FROM_TO[source][OFF], board[MARK + source]
            if marked < board[source]:
                found.append(after)
            forced = not others and not found
            if marked and (may_bear_off == "allowed" or (may_bear_off == "only_if_forced" and forced)):
                found.append(after - ONE[MARK + source])
        return found

    def why_not(state: int, source: int, die: int) -> tuple[str, dict[str, object]]:
        board = state.to_bytes(SIZE, "little")
        only_hitters = 1 <= source <= HOME and 0 < board[source] == board[MARK + source] and not board[BAR]
        if only_hitters and any(source == start and board[source - die] for start, *_ in routes[die]):
            return "hit_and_hide", {"point": source - die}
        if only_hitters and not state & OUTSIDE_HOME and source in bears_off(state, board, die):
            return ("off_after_hit" if may_bear_off == "forbidden" else "off_after_hit_unforced"), {}
        return why_not_hitting(state, source, die)

    return Mover(pack(position), steps, why_not)
