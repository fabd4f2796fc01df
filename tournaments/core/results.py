"""Results of series as values, and the tally that every question about a tournament starts from.

Entrants are integers (their ids). A round robin's free round is no result at all; a Swiss tournament records for
every round what each entrant did (docs/tournaments.md, "Results").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from tournaments.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part: `id`, and the place in the seeding (1 = strongest), which no other entrant has."""

    id: int
    seed: int


@dataclass(frozen=True, slots=True)
class Played:
    """A series that was played. Scores are games (best of N) or points (first to N), never money."""

    round: int
    winner: int
    loser: int
    winner_score: int = 1
    loser_score: int = 0


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A series that was not played, or not to its end, because `loser` was absent or has left."""

    round: int
    winner: int
    loser: int


@dataclass(frozen=True, slots=True)
class DoubleForfeit:
    """A series that neither came to: no point for either."""

    round: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Bye:
    """A round of a Swiss tournament without an opponent because the field was odd: one point."""

    round: int
    entrant: int


@dataclass(frozen=True, slots=True)
class Missed:
    """A round of a Swiss tournament that the entrant was not there for (late entry, a pause, after leaving)."""

    round: int
    entrant: int


Result = Played | Forfeit | DoubleForfeit | Bye | Missed


class How(StrEnum):
    """How an entrant came through a round."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    BYE = "bye"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Line:
    """One round of one entrant: points are 1 or 0, `difference` is own score minus the opponent's (0 if unplayed)."""

    round: int
    opponent: int | None
    how: How
    points: int
    difference: int = 0

    @property
    def beat_a_player(self) -> bool:
        """A bye or a win by forfeit is no win over a player."""
        return self.how is How.PLAYED and self.points == 1


@dataclass(frozen=True, slots=True)
class Tally:
    """All lines of every entrant in order of rounds, everybody's points, and the highest round seen."""

    lines: Mapping[int, tuple[Line, ...]]
    points: Mapping[int, int]
    rounds: int


def lines_of(result: Result) -> tuple[tuple[int, Line], ...]:
    """The one or two (entrant, line) pairs a result stands for."""
    number = result.round
    match result:
        case Played(winner=winner, loser=loser):
            by = result.winner_score - result.loser_score
            return (
                (winner, Line(number, loser, How.PLAYED, 1, by)),
                (loser, Line(number, winner, How.PLAYED, 0, -by)),
            )
        case Forfeit(winner=winner, loser=loser):
            return (winner, Line(number, loser, How.FORFEIT, 1)), (loser, Line(number, winner, How.FORFEIT, 0))
        case DoubleForfeit(first=first, second=second):
            return (first, Line(number, second, How.FORFEIT, 0)), (second, Line(number, first, How.FORFEIT, 0))
        case Bye(entrant=entrant):
            return ((entrant, Line(number, None, How.BYE, 1)),)
        case Missed(entrant=entrant):
            return ((entrant, Line(number, None, How.MISSED, 0)),)


def tally(entrants: Iterable[int], results: Iterable[Result]) -> Tally:
    """Collect the results by entrant. The order in which they are given does not matter.

    Raises BadInput: an entrant or a result given twice, an entrant nobody knows, a round below 1, a series against
    oneself, a score in which the winner is not ahead.
    """
    lines: dict[int, list[Line]] = {}
    for entrant in entrants:
        if entrant in lines:
            raise BadInput("entrant_twice", f"Entrant {entrant} is given twice.", entrant=entrant)
        lines[entrant] = []
    for result in results:
        _check(result)
        for entrant, line in lines_of(result):
            if entrant not in lines:
                raise BadInput(
                    "unknown_entrant",
                    f"Round {line.round} has a result of {entrant}, who is no entrant of this tournament.",
                    entrant=entrant,
                    round=line.round,
                )
            lines[entrant].append(line)
    for entrant, own in lines.items():
        own.sort(key=lambda line: line.round)
        _refuse_two_in_a_round(entrant, own)
    return Tally(
        lines={entrant: tuple(own) for entrant, own in lines.items()},
        points={entrant: sum(line.points for line in own) for entrant, own in lines.items()},
        rounds=max((own[-1].round for own in lines.values() if own), default=0),
    )


def _check(result: Result) -> None:
    if result.round < 1:
        raise BadInput("bad_round", f"Rounds are counted from 1; {result} has round {result.round}.")
    sides = [entrant for entrant, _ in lines_of(result)]
    if len(set(sides)) != len(sides):
        raise BadInput("against_oneself", f"Entrant {sides[0]} cannot meet themselves ({result}).", entrant=sides[0])
    if isinstance(result, Played) and result.winner_score <= result.loser_score:
        raise BadInput("bad_score", f"The winner of a series must have the higher score ({result}).")


def _refuse_two_in_a_round(entrant: int, lines: list[Line]) -> None:
    for before, after in pairwise(lines):
        if before.round == after.round:
            raise BadInput(
                "result_twice",
                f"Entrant {entrant} has two results in round {after.round}; a round counts once.",
                entrant=entrant,
                round=after.round,
            )
