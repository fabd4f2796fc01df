"""Brute force over sequences of steps, written from docs/rules.md alone and sharing nothing with the engine.

A family's file gives `steps(state, die)`: the states after one legal step, each with whether it ended the game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

State = TypeVar("State", bound=Hashable)
Steps = Callable[[State, int], list[tuple[State, bool]]]


def turns(start: State, dice: tuple[int, int], steps: Steps[State]) -> set[State]:
    """The states after every legal turn."""
    first, second = dice
    orders = [[first] * 4] if first == second else [[first, second], [second, first]]
    ended: set[State] = set()
    played: list[tuple[list[int], State]] = []
    for order in orders:
        _walk(start, [], order, steps, ended, played, set())
    most = max(len(used) for used, _ in played)
    if most == 0:
        return ended
    longest = [(used, state) for used, state in played if len(used) == most]
    if most == 1 and first != second:
        with_larger = [(used, state) for used, state in longest if used == [max(dice)]]
        longest = with_larger or longest
    return ended | {state for _, state in longest}


def _walk(
    state: State,
    used: list[int],
    left: list[int],
    steps: Steps[State],
    ended: set[State],
    played: list[tuple[list[int], State]],
    seen: set[tuple[State, int]],
) -> None:
    """Follows the dice in this order, noting how far each sequence comes."""
    if (state, len(used)) in seen:
        return
    seen.add((state, len(used)))
    played.append((used, state))
    if not left:
        return
    for after, is_end in steps(state, left[0]):
        if is_end:
            ended.add(after)
        else:
            _walk(after, [*used, left[0]], left[1:], steps, ended, played, seen)
