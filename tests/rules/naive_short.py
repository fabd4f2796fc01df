"""A naive generator for the hitting games, where each checker is a pair (point, did it hit at home in this turn).

Serves short and its other starts, the options bear_off_after_hit, caucasian, and first_hit.
"""

from __future__ import annotations

from tests.rules import naive

Checker = tuple[int, bool]
State = tuple[tuple[Checker, ...], tuple[int, ...]]
"""My checkers in play by point, and the points of theirs in play, both in my numbering (theirs on the bar: 0)."""


def legal_positions(
    mine: tuple[int, ...],
    theirs: tuple[int, ...],
    dice: tuple[int, int],
    after_hit: str = "allowed",
    may_hide: bool = True,
    first_hit_wins: bool = False,
) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The distinct positions after legal turns."""
    start = (
        tuple((point, False) for point in range(1, 26) for _ in range(mine[point])),
        tuple(sorted(25 - point for point in range(1, 26) for _ in range(theirs[point]))),
    )

    def steps(state: State, die: int) -> list[tuple[State, bool]]:
        return [(after, first_hit_wins and hit) for after, hit in legal_steps(state, die, after_hit, may_hide)]

    return {counted(state, sum(mine), sum(theirs)) for state in naive.turns(start, dice, steps)}


def counted(state: State, my_total: int, their_total: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Counts by point, each side in its own numbering."""
    checkers, opposing = state
    mine, theirs = [0] * 26, [0] * 26
    for point, _ in checkers:
        mine[point] += 1
    for point in opposing:
        theirs[25 - point] += 1
    mine[0], theirs[0] = my_total - len(checkers), their_total - len(opposing)
    return tuple(mine), tuple(theirs)


def legal_steps(state: State, die: int, after_hit: str, may_hide: bool) -> list[tuple[State, bool]]:
    """All states after one step with this die, and whether it hit."""
    checkers, opposing = state
    found: list[tuple[State, bool]] = []
    borne_off_hitters: list[tuple[State, bool]] = []
    for checker in set(checkers):
        point, has_hit = checker
        if any(other == 25 for other, _ in checkers) and point != 25:
            continue
        rest = list(checkers)
        rest.remove(checker)
        target = point - die
        if target <= 0:
            if may_bear_off(checkers, point, die):
                after = ((tuple(rest), opposing), False)
                (borne_off_hitters if has_hit else found).append(after)
            continue
        if opposing.count(target) >= 2:
            continue
        if has_hit and not may_hide and any(other == target for other, _ in rest):
            continue
        hit = opposing.count(target) == 1
        sent = tuple(sorted(0 if other == target else other for other in opposing)) if hit else opposing
        moved = (target, has_hit or (hit and target <= 6))
        found.append(((tuple(sorted([*rest, moved])), sent), hit))
    if after_hit == "allowed" or (after_hit == "only_if_forced" and not found):
        found += borne_off_hitters
    return found


def may_bear_off(checkers: tuple[Checker, ...], point: int, die: int) -> bool:
    """All at home; the exact point, or a smaller one with nothing on the die's point or above."""
    points = [other for other, _ in checkers]
    if max(points) > 6:
        return False
    return point == die or (point < die and max(points) == point)
