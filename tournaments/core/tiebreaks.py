"""Every number a standing is ranked by, each with the arithmetic behind it (docs/tournaments.md, "Ranking keys")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from tournaments.core.results import How, Line, Tally


class Key(StrEnum):
    """A ranking key; higher is better for all of them."""

    POINTS = "points"
    BEATEN = "beaten"
    SERIES_WON = "series_won"
    DIRECT = "direct"
    DIRECT_IF_ALL_MET = "direct_if_all_met"
    BUCHHOLZ_CUT_1 = "buchholz_cut_1"
    BUCHHOLZ = "buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    DIFFERENCE = "difference"
    WINS = "wins"


@dataclass(frozen=True, slots=True)
class Term:
    """What one round adds to a number: `times` x `amount`.

    `of` holds the values `amount` was chosen from when it is a limited one: own score and half a point per round for a
    bye, own and the opponent's score for a forfeit, the uncapped difference and the cap. `counts` is False for what is
    shown and left out: the lowest under a cut, an opponent beaten before.
    """

    round: int
    opponent: int | None
    how: How
    amount: Decimal
    times: int = 1
    of: tuple[Decimal, ...] = ()
    counts: bool = True

    @property
    def value(self) -> Decimal:
        """What the round adds."""
        return self.amount * self.times if self.counts else Decimal(0)


@dataclass(frozen=True, slots=True)
class Number:
    """One key's number of one entrant. `among` are the tied entrants of a direct encounter's mini-table."""

    key: Key
    value: Decimal
    terms: tuple[Term, ...]
    among: tuple[int, ...] = ()

    def formula(self) -> str:
        """The sum in figures, the same in every language: `3 + 2.5 + (1) = 5.5`; what is left out in brackets."""
        shown = [_figure(term) for term in self.terms]
        return f"{' + '.join(shown) or '0'} = {self.value}"


def _figure(term: Term) -> str:
    figure = str(term.amount) if term.times == 1 else f"{term.times} × {term.amount}"
    return figure if term.counts else f"({figure})"


def _number(key: Key, terms: list[Term], among: tuple[int, ...] = ()) -> Number:
    return Number(key, sum((term.value for term in terms), Decimal(0)), tuple(terms), among)


def _score(key: Key, lines: list[Line], among: tuple[int, ...] = ()) -> Number:
    return _number(key, [Term(x.round, x.opponent, x.how, Decimal(x.points)) for x in lines], among)


def points(past: Tally, entrant: int) -> Number:
    """A win, a bye and a win by forfeit bring 1, everything else 0."""
    return _score(Key.POINTS, list(past.lines[entrant]))


def series_won(past: Tally, entrant: int) -> Number:
    """Series won, also by forfeit; a bye is no series."""
    return _score(Key.SERIES_WON, [line for line in past.lines[entrant] if line.opponent is not None])


def wins(past: Tally, entrant: int) -> Number:
    """Wins over a player: neither byes nor wins by forfeit."""
    return _score(Key.WINS, [line for line in past.lines[entrant] if line.how is How.PLAYED])


def beaten(past: Tally, entrant: int) -> Number:
    """How many different players were beaten; a second win over the same one is shown and does not count."""
    terms: list[Term] = []
    for line in past.lines[entrant]:
        if line.beat_a_player:
            again = any(term.opponent == line.opponent for term in terms)
            terms.append(Term(line.round, line.opponent, line.how, Decimal(1), counts=not again))
    return _number(Key.BEATEN, terms)


def difference(past: Tally, entrant: int, cap: int) -> Number:
    """Own score minus the opponent's in every series played, each between -`cap` and `cap`."""
    terms = []
    for line in past.lines[entrant]:
        if line.how is How.PLAYED:
            capped = Decimal(max(-cap, min(cap, line.difference)))
            of = () if capped == line.difference else (Decimal(line.difference), Decimal(cap))
            terms.append(Term(line.round, line.opponent, line.how, capped, of=of))
    return _number(Key.DIFFERENCE, terms)


def buchholz(past: Tally, entrant: int) -> Number:
    """The scores of all opponents; what stands for an unplayed round says `_opponent`."""
    return _number(Key.BUCHHOLZ, [_opponent(past, entrant, line) for line in past.lines[entrant]])


def buchholz_cut_1(past: Tally, entrant: int) -> Number:
    """Buchholz without its lowest part (of equal ones, the earliest)."""
    terms = [_opponent(past, entrant, line) for line in past.lines[entrant]]
    if terms:
        lowest = min(range(len(terms)), key=lambda i: terms[i].amount)
        terms[lowest] = replace(terms[lowest], counts=False)
    return _number(Key.BUCHHOLZ_CUT_1, terms)


def sonneborn_berger(past: Tally, entrant: int) -> Number:
    """The scores of the opponents one has beaten; a bye and a win by forfeit count as in Buchholz."""
    return _number(
        Key.SONNEBORN_BERGER,
        [replace(_opponent(past, entrant, line), times=line.points) for line in past.lines[entrant]],
    )


def direct(past: Tally, entrant: int, group: frozenset[int], key: Key) -> Number:
    """The mini-table: points from the series against the others of `group` alone, forfeits included."""
    lines = [line for line in past.lines[entrant] if line.opponent in group]
    return _score(key, lines, among=tuple(sorted(group)))


def all_met(past: Tally, group: frozenset[int]) -> bool:
    """Whether everybody in `group` has played everybody else in it; a forfeit is no meeting."""
    return all(
        group - {entrant} <= {line.opponent for line in past.lines[entrant] if line.how is How.PLAYED}
        for entrant in group
    )


def _opponent(past: Tally, entrant: int, line: Line) -> Term:
    """What the opponent of a round is worth.

    Played: the opponent's score. Forfeit: own score or the opponent's, whichever is lower. Without an opponent (a bye,
    a round missed): own score or half a point per round, whichever is lower; nobody gains by a strong opponent they
    never met.
    """
    own = Decimal(past.points[entrant])
    if line.opponent is None:
        of: tuple[Decimal, ...] = (own, Decimal(past.rounds) / 2)
    elif line.how is How.FORFEIT:
        of = (own, Decimal(past.points[line.opponent]))
    else:
        return Term(line.round, line.opponent, line.how, Decimal(past.points[line.opponent]))
    return Term(line.round, line.opponent, line.how, min(of), of=of)


#: The keys that need no parameter and look at one entrant at a time.
SIMPLE: Mapping[Key, Callable[[Tally, int], Number]] = {
    Key.POINTS: points,
    Key.BEATEN: beaten,
    Key.SERIES_WON: series_won,
    Key.BUCHHOLZ_CUT_1: buchholz_cut_1,
    Key.BUCHHOLZ: buchholz,
    Key.SONNEBORN_BERGER: sonneborn_berger,
    Key.WINS: wins,
}
