"""A naive generator for Tapa: every point is a stack of letters, lowest checker first, "m" mine and "t" theirs.

A checker is pinned when one of the other side lies above it.
"""

from __future__ import annotations

from tests.rules import naive

State = tuple[str, ...]
"""Stacks by my point, 1 to 24; index 0 holds mine that are off."""


def stacked(mine: tuple[int, ...], theirs: tuple[int, ...], pinned: frozenset[int], pins: frozenset[int]) -> State:
    """The stacks of a position given by counts and pins."""
    stacks = ["m" * mine[0]]
    for point in range(1, 25):
        ours, other = "m" * mine[point], "t" * theirs[25 - point]
        stacks.append(ours + other if point in pinned or point not in pins else other + ours)
    return tuple(stacks)


def legal_positions(
    mine: tuple[int, ...],
    theirs: tuple[int, ...],
    pinned: frozenset[int],
    pins: frozenset[int],
    dice: tuple[int, int],
    mother_draw: bool,
) -> set[State]:
    """The stacks after every legal turn."""

    def steps(state: State, die: int) -> list[tuple[State, bool]]:
        return [(after, is_end(after, mother_draw)) for after in legal_steps(state, die)]

    return naive.turns(stacked(mine, theirs, pinned, pins), dice, steps)


def legal_steps(state: State, die: int) -> list[State]:
    highest = max((point for point in range(1, 25) if "m" in state[point]), default=0)
    found = []
    for point in range(1, 25):
        if not state[point].endswith("m"):
            continue
        target = point - die
        if target <= 0:
            if highest > 6 or (point != die and point != highest):
                continue
            target = 0
        elif state[target].endswith("tt") or state[target] == "mt":
            continue
        stacks = list(state)
        stacks[point] = stacks[point][:-1]
        stacks[target] += "m"
        found.append(tuple(stacks))
    return found


def is_end(state: State, mother_draw: bool) -> bool:
    """Their mother, the last checker on their start (my 1), is pinned; with the option, by the state of mine on 24."""
    theirs_pinned = state[1].startswith("tm")
    if not theirs_pinned or not mother_draw:
        return theirs_pinned
    return "m" not in state[24] or state[24].startswith("mt")
