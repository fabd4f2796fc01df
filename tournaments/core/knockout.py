"""Knockouts: the bracket as series with sources, and what the outcomes make of it (docs/tournaments.md, "Knockout").

A series takes each side from a seed, from the winner of a series or from the loser of one; a bracket of any other shape
(a losers' side, a grand final) is a list of the same values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.core.errors import BadInput

THIRD = "third"


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant of this seed."""

    seed: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """Who wins the series with this key."""

    series: str


@dataclass(frozen=True, slots=True)
class LoserOf:
    """Who loses the series with this key."""

    series: str


Source = Seed | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class Series:
    """One series of a bracket. `slot` counts from the top of its round in the full drawing, gaps (byes) included."""

    key: str
    round: int
    slot: int
    first: Source
    second: Source


@dataclass(frozen=True, slots=True)
class Bracket:
    """Entrants in the order of the seeding, and every series after those it depends on."""

    entrants: tuple[int, ...]
    series: tuple[Series, ...]
    rounds: int


class State(StrEnum):
    """WAITING for an earlier series · READY to be played · DONE · WALKOVER: one side has nobody · EMPTY: both have."""

    WAITING = "waiting"
    READY = "ready"
    DONE = "done"
    WALKOVER = "walkover"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Match:
    """A series as it stands now. `out`: who has lost here (both sides, if both were absent)."""

    series: Series
    state: State
    first: int | None
    second: int | None
    winner: int | None = None
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """The bracket after some outcomes. `places` are complete when `finished`: groups that share a place, best first."""

    matches: tuple[Match, ...]
    finished: bool
    champion: int | None
    places: tuple[tuple[int, ...], ...]

    @property
    def ready(self) -> tuple[Match, ...]:
        """The series that can be played now."""
        return tuple(match for match in self.matches if match.state is State.READY)


def seed_slots(size: int) -> tuple[int, ...]:
    """The seeds from top to bottom of a bracket of `size` (a power of two): 8 gives 1 8 4 5 2 7 3 6.

    Each step replaces seed s of a bracket of m by s and 2m + 1 - s, so that the best meet as late as they can.
    """
    slots = [1]
    while len(slots) < size:
        slots = [seed for s in slots for seed in (s, 2 * len(slots) + 1 - s)]
    return tuple(slots)


def bracket(entrants: Sequence[int], *, third_place: bool = False) -> Bracket:
    """A bracket of n - 1 series for n entrants in the order of the seeding; the best seeds have the byes.

    With `third_place`, the losers of the semi-finals play one more (from four entrants on; three have one semi-final).
    Raises BadInput for fewer than two entrants, or one given twice.
    """
    if len(entrants) < 2:
        raise BadInput("too_few", "A knockout needs at least two entrants.", entrants=len(entrants))
    if len(set(entrants)) != len(entrants):
        raise BadInput("entrant_twice", "An entrant is given twice.")
    sources: list[Source | None] = [
        Seed(seed) if seed <= len(entrants) else None for seed in seed_slots(_size(len(entrants)))
    ]
    rounds = len(sources).bit_length() - 1
    series: list[Series] = []
    for number in range(1, rounds + 1):
        if number == rounds and third_place and len(entrants) >= 4:
            series.append(_third_place(series, number))
        sources = [
            _meet(number, slot, sources[2 * slot], sources[2 * slot + 1], series) for slot in range(len(sources) // 2)
        ]
    return Bracket(tuple(entrants), tuple(series), rounds)


def _size(field: int) -> int:
    return 1 << (field - 1).bit_length()


def _meet(number: int, slot: int, first: Source | None, second: Source | None, series: list[Series]) -> Source | None:
    """Add the series of a slot, if it has two sides; give what goes on to the next round."""
    if first is None or second is None:
        return first or second
    series.append(Series(f"{number}.{slot + 1}", number, slot, first, second))
    return WinnerOf(series[-1].key)


def _third_place(series: list[Series], final_round: int) -> Series:
    upper, lower = (s for s in series if s.round == final_round - 1)
    return Series(THIRD, final_round, 1, LoserOf(upper.key), LoserOf(lower.key))


def progress(bracket: Bracket, outcomes: Mapping[str, int | None]) -> Progress:
    """The bracket after `outcomes`: the winner of each finished series by its key, None where both were absent.

    Who has lost by forfeit has lost. Both absent: both are out, and the next opponent walks over. Nothing is kept from
    an earlier call, so a corrected outcome corrects all that follows from it. Raises BadInput for an outcome of a
    series that does not exist, has no two sides yet, or was won by somebody else than its sides.
    """
    known = {series.key for series in bracket.series}
    for key in sorted(outcomes.keys() - known):
        raise BadInput("no_such_series", f"The bracket has no series {key}.", series=key)
    matches: dict[str, Match] = {}
    for series in bracket.series:
        matches[series.key] = _match(bracket, series, matches, outcomes)
    final = matches[_final(bracket).key]
    # The third place is part of the result: prizes wait for it.
    finished = all(match.state not in (State.WAITING, State.READY) for match in matches.values())
    return Progress(tuple(matches.values()), finished, final.winner, _places(bracket, matches) if finished else ())


def _final(bracket: Bracket) -> Series:
    return bracket.series[-1]


def _match(bracket: Bracket, series: Series, matches: Mapping[str, Match], outcomes: Mapping[str, int | None]) -> Match:
    if not (_known(series.first, matches) and _known(series.second, matches)):
        _refuse_outcome(series, outcomes)
        # A side that is known already is shown while the other is awaited.
        return Match(
            series, State.WAITING, _side(bracket, series.first, matches), _side(bracket, series.second, matches)
        )
    first, second = _side(bracket, series.first, matches), _side(bracket, series.second, matches)
    if first is None or second is None:
        _refuse_outcome(series, outcomes)
        winner = second if first is None else first
        return Match(series, State.EMPTY if winner is None else State.WALKOVER, first, second, winner)
    if series.key not in outcomes:
        return Match(series, State.READY, first, second)
    winner = outcomes[series.key]
    if winner not in (first, second, None):
        raise BadInput(
            "not_a_side",
            f"Series {series.key} is between {first} and {second}; {winner} cannot have won it.",
            series=series.key,
            winner=winner,
        )
    return Match(series, State.DONE, first, second, winner, tuple(side for side in (first, second) if side != winner))


def _known(source: Source, matches: Mapping[str, Match]) -> bool:
    return isinstance(source, Seed) or matches[source.series].state not in (State.WAITING, State.READY)


def _side(bracket: Bracket, source: Source, matches: Mapping[str, Match]) -> int | None:
    """The entrant a source gives, None while it is not known and when it gives nobody."""
    if isinstance(source, Seed):
        return bracket.entrants[source.seed - 1]
    match = matches[source.series]
    if isinstance(source, WinnerOf):
        return match.winner
    return match.out[0] if len(match.out) == 1 else None


def _refuse_outcome(series: Series, outcomes: Mapping[str, int | None]) -> None:
    if series.key in outcomes:
        raise BadInput(
            "no_two_sides",
            f"Series {series.key} has an outcome, but not two sides to play it; "
            "take the outcome back before changing an earlier series.",
            series=series.key,
        )


def _places(bracket: Bracket, matches: Mapping[str, Match]) -> tuple[tuple[int, ...], ...]:
    """Who goes out in a later round stands higher; who goes out in the same round shares, in the order of seeding."""
    seed = {entrant: i for i, entrant in enumerate(bracket.entrants)}
    champion = matches[_final(bracket).key].winner
    groups: list[Sequence[int]] = [[] if champion is None else [champion]]
    for number in range(bracket.rounds, 0, -1):
        main = [match for match in matches.values() if match.series.round == number and match.series.key != THIRD]
        out = [side for match in main for side in match.out]
        if number == bracket.rounds - 1 and THIRD in matches:
            third = matches[THIRD]
            groups += [[] if third.winner is None else [third.winner], third.out]
            out = [side for side in out if side not in (third.winner, *third.out)]
        groups.append(out)
    return tuple(tuple(sorted(group, key=seed.__getitem__)) for group in groups if group)
