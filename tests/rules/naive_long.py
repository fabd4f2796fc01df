"""A naive generator for long nardy on a round board of 24 fields, numbered by the opponent's points."""

from __future__ import annotations

from tests.rules import naive

State = tuple[tuple[int, ...], int]
"""My checkers in play by my point (descending), and how many of them left the head in this turn."""


def legal_positions(
    mine: tuple[int, ...],
    theirs: tuple[int, ...],
    dice: tuple[int, int],
    head_exception: str,
    first_turn: bool,
    second: bool,
) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The distinct positions after legal turns."""
    excepted = head_exception == "both_players" or (head_exception == "second_player" and second)
    limit = 2 if excepted and first_turn and dice in ((3, 3), (4, 4), (6, 6)) else 1
    start = (tuple(point for point in range(24, 0, -1) for _ in range(mine[point])), 0)

    def steps(state: State, die: int) -> list[tuple[State, bool]]:
        return [(after, False) for after in legal_steps(state, die, theirs, limit)]

    total = sum(mine)
    return {(counted(checkers, total), theirs) for checkers, _ in naive.turns(start, dice, steps)}


def counted(checkers: tuple[int, ...], total: int) -> tuple[int, ...]:
    counts = [checkers.count(point) for point in range(26)]
    counts[0] = total - len(checkers)
    return tuple(counts)


def theirs_number(point: int) -> int:
    return (point + 12 - 1) % 24 + 1


def legal_steps(state: State, die: int, theirs: tuple[int, ...], limit: int) -> list[State]:
    checkers, left_head = state
    found = []
    for point in set(checkers):
        rest = list(checkers)
        rest.remove(point)
        target = point - die
        from_head = left_head + (point == 24)
        if target <= 0:
            if max(checkers) <= 6 and (point == die or (point < die and point == max(checkers))):
                found.append((tuple(rest), from_head))
            continue
        if theirs[theirs_number(target)] or (point == 24 and from_head > limit):
            continue
        after = tuple(sorted([*rest, target], reverse=True))
        if not is_forbidden_block(after, theirs):
            found.append((after, from_head))
    return found


def is_forbidden_block(checkers: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
    """Six consecutive points of the opponent's way k+5 … k are mine, and none of theirs stands below k or is off."""
    held = {theirs_number(point) for point in checkers}
    for k in range(1, 20):
        passed = sum(theirs[:k])
        if not passed and all(point in held for point in range(k, k + 6)):
            return True
    return False
