"""Long nardy: no hitting, the head, the block of six (docs/rules.md#long)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..board import EXTRA, FROM_TO, OFF, ONE, OUTSIDE_HOME, SIZE, Points, Position, pack, points_of
from ..hitting import bears_off, why_not_off
from ..options import GameOptions
from ..search import Mover
from ..variant import Family, Moment, Variant

HEAD = 24
HALF = 12
HEAD_DOUBLES = {(3, 3), (4, 4), (6, 6)}
OCCUPIED = bytes([0] + [1] * 255)
SIX = b"\1" * 6


def opposite(point: int) -> int:
    """The opponent's number for my point: both go the same way round."""
    return point + HALF if point <= HALF else point - HALF


def _all_routes(die: int) -> tuple[tuple[int, int, int], ...]:
    """Source, the opponent's number of the target, what a step adds: from the head, also one to the count."""
    return tuple(
        (source, opposite(source - die), FROM_TO[source][source - die] + (ONE[EXTRA] if source == HEAD else 0))
        for source in range(HEAD, die, -1)
    )


ROUTES = {die: _all_routes(die) for die in range(1, 7)}


@dataclass(frozen=True, kw_only=True)
class LongGame(Variant):
    """Both sides go the same way round; one opposing checker closes a point."""

    family: Family = "long"
    has_bar: bool = False
    endgames: tuple[str, ...] = ("oin", "mars")
    own_options: Mapping[str, object] = field(
        default_factory=lambda: {"head_exception": "second_player", "opening_uses_lot": False}
    )
    turn_options: tuple[str, ...] = ("head_exception",)

    def opposite(self, point: int) -> int:
        return opposite(point)

    def mover(self, position: Position, options: GameOptions, moment: Moment) -> Mover:
        return long_mover(position, moment.dice, may_leave_head(options.head_exception, moment))


def may_leave_head(exception: str | None, moment: Moment) -> int:
    """How many checkers may leave the head in this turn (docs/rules.md#head)."""
    excepted = exception == "both_players" or (exception == "second_player" and moment.second_starter)
    return 2 if excepted and moment.first_turn and moment.dice in HEAD_DOUBLES else 1


def long_mover(position: Position, dice: tuple[int, int], head_limit: int) -> Mover:
    """The extra byte counts the checkers that have left the head in this turn."""
    theirs = position.theirs
    routes = {die: [(source, add) for source, facing, add in ROUTES[die] if not theirs[facing]] for die in set(dice)}
    in_front = blockable(theirs)

    def steps(state: int, die: int) -> list[int]:
        board = state.to_bytes(SIZE, "little")
        head_closed = board[EXTRA] >= head_limit
        found = [state + add for source, add in routes[die] if board[source] and not (head_closed and source == HEAD)]
        if in_front >= len(SIX) and nearly_blocks(board, in_front):
            found = [after for after in found if not blocks(after, in_front)]
        if not state & OUTSIDE_HOME:
            found.extend(state + FROM_TO[source][OFF] for source in bears_off(state, board, die))
        return found

    def why_not(state: int, source: int, die: int) -> tuple[str, dict[str, object]]:
        board = state.to_bytes(SIZE, "little")
        if not board[source]:
            return "no_checker", {"point": source}
        if source <= die:
            return why_not_off(state, board, source, die)
        if theirs[opposite(source - die)]:
            return "closed_point", {"point": source - die}
        if source == HEAD and board[EXTRA] >= head_limit:
            return "head", {"allowed": head_limit}
        return "block", {}

    return Mover(pack(position), steps, why_not)


def blockable(theirs: Points) -> int:
    """How many points of the opponent's way, from their 1 on, all their checkers have still before them."""
    return next(point for point, count in enumerate(theirs) if count) - 1 if not theirs[OFF] else 0


def their_way(board: bytes) -> bytes:
    """The points that I occupy along the opponent's way from their 1 to their 24, as ones and zeros."""
    return (board[HALF + 1 : HEAD + 1] + board[1 : HALF + 1]).translate(OCCUPIED)


def nearly_blocks(board: bytes, in_front: int) -> bool:
    """Whether one more point could make six in a row in front of all the opponent's checkers."""
    return their_way(board).count(1, 0, in_front) >= len(SIX) - 1


def blocks(state: int, in_front: int) -> bool:
    """Whether six points in a row are closed in front of all the opponent's checkers (docs/rules.md#block)."""
    return their_way(state.to_bytes(SIZE, "little")).find(SIX, 0, in_front) >= 0


LONG = LongGame(key="long", start=points_of({HEAD: 15}))
