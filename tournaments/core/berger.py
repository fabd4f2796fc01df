"""Round robins by Berger's tables (docs/tournaments.md, "Round robin")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Fixture:
    """A series to be played in `round`; `first` is named first."""

    round: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its fixtures, and who is free (nobody when the field is even). Free is no bye and scores nothing."""

    number: int
    fixtures: tuple[Fixture, ...]
    free: int | None


def round_robin(entrants: Sequence[int], *, double: bool = False) -> tuple[Round, ...]:
    """All rounds, everybody against everybody; `entrants` in the order of the seeding.

    A double round robin plays the table a second time with the other side named first.
    Raises BadInput for fewer than two entrants, or one given twice.
    """
    if len(entrants) < 2:
        raise BadInput("too_few", "A round robin needs at least two entrants.", entrants=len(entrants))
    if len(set(entrants)) != len(entrants):
        raise BadInput("entrant_twice", "An entrant is given twice.")
    table = [_round(entrants, number) for number in range(1, _even(len(entrants)))]
    if double:
        table += [_swapped(once, once.number + len(table)) for once in table]
    return tuple(table)


def _even(n: int) -> int:
    return n + n % 2


def _round(entrants: Sequence[int], number: int) -> Round:
    """Round r: table numbers i and j below N meet when i + j = r + 1 (mod N - 1), and N meets x with 2x = r + 1.

    So the numbers that meet lie symmetrically round x: x + 1 and x - 1, x + 2 and x - 2, …; the former is named first.
    """
    last = _even(len(entrants))  # table number N: the free place when the field is odd
    circle = last - 1
    # last / 2 is the inverse of 2 modulo the odd number N - 1.
    middle = (number + 1) * (last // 2) % circle or circle
    pairs = [(middle, last) if number % 2 else (last, middle)]
    pairs += [((middle + step) % circle or circle, (middle - step) % circle or circle) for step in range(1, last // 2)]
    odd = len(entrants) < last
    return Round(
        number=number,
        fixtures=tuple(Fixture(number, entrants[a - 1], entrants[b - 1]) for a, b in (pairs[1:] if odd else pairs)),
        free=entrants[middle - 1] if odd else None,
    )


def _swapped(once: Round, number: int) -> Round:
    return Round(number, tuple(Fixture(number, f.second, f.first) for f in once.fixtures), once.free)
