"""What counts in a round robin after somebody has left (docs/tournaments.md, "Leaving a round robin")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.core.berger import Fixture
from tournaments.core.errors import BadInput
from tournaments.core.results import DoubleForfeit, Forfeit, Played, Result, lines_of


@dataclass(frozen=True, slots=True)
class Counted:
    """`results` count for the standings of all but `unranked`; `void` stay visible and count for nobody."""

    results: tuple[Result, ...]
    void: tuple[Result, ...]
    unranked: tuple[int, ...]


def count(fixtures: Iterable[Fixture], results: Iterable[Result], withdrawn: Iterable[int]) -> Counted:
    """Apply the withdrawals to a round robin.

    Who has played fewer than half of their series when they leave is unranked, and all their results are void. For who
    has played half or more, what they have not played is forfeited: to the opponent, or by both when both have left.
    Played means played: forfeits and series that became void by another's leaving do not change who has played how
    many. Raises BadInput for a result without its fixture, or a withdrawn entrant who has no fixtures.
    """
    fixtures, results, gone = tuple(fixtures), tuple(results), frozenset(withdrawn)
    due = Counter(side for fixture in fixtures for side in (fixture.first, fixture.second))
    played = Counter(side for result in results if isinstance(result, Played) for side, _ in lines_of(result))
    for entrant in gone - due.keys():
        raise BadInput("unknown_entrant", f"Entrant {entrant} has left but has no fixtures.", entrant=entrant)
    unranked = frozenset(entrant for entrant in gone if 2 * played[entrant] < due[entrant])
    done = {_series(result) for result in results}
    for stray in sorted(done - {(fixture.round, _sides(fixture)) for fixture in fixtures}, key=repr):
        raise BadInput("no_such_fixture", f"Round {stray[0]} has no series of {sorted(stray[1])}.", round=stray[0])
    forfeits = [
        _forfeit(fixture, gone)
        for fixture in fixtures
        if _sides(fixture) & gone and not _sides(fixture) & unranked and (fixture.round, _sides(fixture)) not in done
    ]
    void = tuple(result for result in results if _series(result)[1] & unranked)
    return Counted(
        results=(*(result for result in results if not _series(result)[1] & unranked), *forfeits),
        void=void,
        unranked=tuple(sorted(unranked)),
    )


def absent_twice(results: Iterable[Result]) -> frozenset[int]:
    """Who has lost two series by forfeit: they are withdrawn (docs/tournaments.md, "No-show")."""
    absent: Counter[int] = Counter()
    for result in results:
        if isinstance(result, Forfeit):
            absent[result.loser] += 1
        elif isinstance(result, DoubleForfeit):
            absent.update((result.first, result.second))
    return frozenset(entrant for entrant, times in absent.items() if times >= 2)


def _series(result: Result) -> tuple[int, frozenset[int]]:
    return result.round, frozenset(side for side, _ in lines_of(result))


def _sides(fixture: Fixture) -> frozenset[int]:
    return frozenset((fixture.first, fixture.second))


def _forfeit(fixture: Fixture, gone: frozenset[int]) -> Result:
    if fixture.first in gone and fixture.second in gone:
        return DoubleForfeit(fixture.round, fixture.first, fixture.second)
    if fixture.first in gone:
        return Forfeit(fixture.round, winner=fixture.second, loser=fixture.first)
    return Forfeit(fixture.round, winner=fixture.first, loser=fixture.second)
