"""Standings: a pure function of the results, never carried on from the last one (docs/tournaments.md, "Standings")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tournaments.core import tiebreaks
from tournaments.core.errors import BadInput
from tournaments.core.results import Entrant, Result, Tally, tally
from tournaments.core.tiebreaks import Key, Number

ROUND_ROBIN_KEYS = (Key.BEATEN, Key.SERIES_WON, Key.DIRECT, Key.SONNEBORN_BERGER, Key.DIFFERENCE)
SWISS_KEYS = (
    Key.POINTS,
    Key.DIRECT_IF_ALL_MET,
    Key.BUCHHOLZ_CUT_1,
    Key.BUCHHOLZ,
    Key.SONNEBORN_BERGER,
    Key.WINS,
)
_DIRECT = (Key.DIRECT, Key.DIRECT_IF_ALL_MET)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A tournament's list of keys. `difference_cap`: the most that one series adds to or takes from the difference."""

    keys: tuple[Key, ...]
    difference_cap: int | None = None

    def __post_init__(self) -> None:
        if not self.keys or len(set(self.keys)) != len(self.keys):
            raise BadInput("bad_ranking", "A ranking names at least one key, and each key once.")
        if Key.DIFFERENCE in self.keys and (self.difference_cap is None or self.difference_cap < 1):
            raise BadInput("no_difference_cap", "A ranking by points difference needs its cap per series, at least 1.")


@dataclass(frozen=True, slots=True)
class Row:
    """An entrant's line. Places `place` … `last_place` are shared by all who have them (usually just one).

    `numbers` has every key's number once, except direct encounters: those are there once for each mini-table the
    entrant was in, so not at all for who was never tied when the key's turn came.
    """

    entrant: int
    place: int
    last_place: int
    numbers: tuple[Number, ...]

    def number(self, key: Key) -> Number | None:
        """The (first) number of a key."""
        return next((number for number in self.numbers if number.key is key), None)


@dataclass(frozen=True, slots=True)
class Standings:
    """All rows, best first; within a shared place in the order of the seeding, which decides nothing but odd units."""

    rows: tuple[Row, ...]

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The entrants by place, best first: what `prizes.share` asks for."""
        groups: dict[int, list[int]] = {}
        for row in self.rows:
            groups.setdefault(row.place, []).append(row.entrant)
        return tuple(tuple(group) for group in groups.values())


def standings(entrants: Sequence[Entrant], results: Iterable[Result], ranking: Ranking) -> Standings:
    """Rank the entrants by the list of keys.

    The list is walked once, left to right: a key splits every group that is still tied, and the walk goes on to the
    next key; it never starts again. Numbers split whole groups, there is no comparison of two, so a cycle (A beat B,
    B beat C, C beat A) is simply a tie. Raises BadInput for contradictory values (`results.tally`).
    """
    if len({entrant.seed for entrant in entrants}) != len(entrants):
        raise BadInput("entrant_twice", "Two entrants have the same seed.")
    past = tally((entrant.id for entrant in entrants), results)
    by_seed = [entrant.id for entrant in sorted(entrants, key=lambda entrant: entrant.seed)]
    numbers: dict[int, list[Number]] = {entrant: [] for entrant in by_seed}
    groups = [by_seed] if by_seed else []
    for key in ranking.keys:
        if key in _DIRECT:
            groups = [part for group in groups for part in _by_direct_encounter(past, group, key, numbers)]
        else:
            for entrant in by_seed:
                numbers[entrant].append(_simple(past, entrant, key, ranking))
            groups = [part for group in groups for part in _split(group, numbers)]
    return Standings(tuple(_rows(groups, numbers)))


def _simple(past: Tally, entrant: int, key: Key, ranking: Ranking) -> Number:
    if key is Key.DIFFERENCE:
        assert ranking.difference_cap is not None  # Ranking refuses the key without it
        return tiebreaks.difference(past, entrant, ranking.difference_cap)
    return tiebreaks.SIMPLE[key](past, entrant)


def _split(group: list[int], numbers: dict[int, list[Number]]) -> list[list[int]]:
    """The group in parts of equal last numbers, highest first; the order within a part is kept."""
    parts: dict[Decimal, list[int]] = {}
    for entrant in group:
        parts.setdefault(numbers[entrant][-1].value, []).append(entrant)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _by_direct_encounter(past: Tally, group: list[int], key: Key, numbers: dict[int, list[Number]]) -> list[list[int]]:
    """Split by the mini-table of all tied, then each part by a mini-table of its own, until one splits nothing."""
    among = frozenset(group)
    if len(group) == 1 or (key is Key.DIRECT_IF_ALL_MET and not tiebreaks.all_met(past, among)):
        return [group]
    for entrant in group:
        numbers[entrant].append(tiebreaks.direct(past, entrant, among, key))
    parts = _split(group, numbers)
    if len(parts) == 1:
        return parts
    return [smaller for part in parts for smaller in _by_direct_encounter(past, part, key, numbers)]


def _rows(groups: list[list[int]], numbers: dict[int, list[Number]]) -> Iterable[Row]:
    place = 1
    for group in groups:
        for entrant in group:
            yield Row(entrant, place, place + len(group) - 1, tuple(numbers[entrant]))
        place += len(group)
