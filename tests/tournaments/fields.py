"""Fields and results that several tests share."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tournaments.core import swiss
from tournaments.core.berger import round_robin
from tournaments.core.errors import CannotPair
from tournaments.core.results import Bye, DoubleForfeit, Entrant, Forfeit, Missed, Played, Result

LETTERS = {"A": 1, "B": 2, "C": 3, "D": 4, "E": 5, "F": 6}


def entrants(n: int) -> tuple[Entrant, ...]:
    """Entrants 101 … 100 + n in this order of the seeding: an id must never be taken for a seed."""
    return tuple(Entrant(100 + seed, seed) for seed in range(1, n + 1))


def lettered(letters: str) -> tuple[Entrant, ...]:
    return tuple(Entrant(LETTERS[letter], LETTERS[letter]) for letter in letters)


def letters(ids: tuple[int, ...]) -> str:
    return "".join("-ABCDEF"[entrant] for entrant in ids)


def results_of(text: str, *rounds: int) -> list[Result]:
    """`A>B C>A`: series played; each in a round of its own, or in the rounds given."""
    pairs = [series.split(">") for series in text.split()]
    numbers = rounds or range(1, len(pairs) + 1)
    return [Played(number, LETTERS[w], LETTERS[x]) for number, (w, x) in zip(numbers, pairs, strict=True)]


@dataclass
class Tournament:
    """A Swiss tournament played by chance, with all that goes wrong in one."""

    entrants: tuple[Entrant, ...]
    results: list[Result] = field(default_factory=list)
    pairings: list[swiss.Pairing] = field(default_factory=list)
    requests: list[swiss.Request] = field(default_factory=list)
    stopped: CannotPair | None = None


def play_swiss(
    n: int, rounds: int, seed: int, *, leaves: float = 0, late: float = 0, forfeits: float = 0, past_half: bool = False
) -> Tournament:
    """Play a Swiss tournament by chance (`seed`): shares of entrants who leave per round, enter late, do not come."""
    chance = random.Random(seed)
    tournament = Tournament(entrants(n))
    enters = {e.id: 1 + chance.randint(0, rounds // 2) * (chance.random() < late) for e in tournament.entrants}
    gone: set[int] = set()
    for number in range(1, rounds + 1):
        if number > 1:
            gone |= {e.id for e in tournament.entrants if chance.random() < leaves}
        present = tuple(e for e in tournament.entrants if enters[e.id] <= number and e.id not in gone)
        request = swiss.Request(number, present, tuple(tournament.results), past_half)
        try:
            pairing = swiss.pair(request)
        except CannotPair as stop:
            tournament.stopped = stop
            break
        tournament.requests.append(request)
        tournament.pairings.append(pairing)
        tournament.results += _round(tournament, request, pairing, forfeits, chance)
    return tournament


def _round(
    tournament: Tournament, request: swiss.Request, pairing: swiss.Pairing, forfeits: float, chance: random.Random
) -> list[Result]:
    number = pairing.round
    results: list[Result] = []
    for pair in pairing.pairs:
        winner, loser = chance.sample((pair.first, pair.second), 2)
        if chance.random() >= forfeits:
            results.append(Played(number, winner, loser, 5, chance.randrange(5)))
        elif chance.random() < 0.2:
            results.append(DoubleForfeit(number, pair.first, pair.second))
        else:
            results.append(Forfeit(number, winner, loser))
    if pairing.bye is not None:
        results.append(Bye(number, pairing.bye))
    here = {entrant.id for entrant in request.present}
    results += [Missed(number, entrant.id) for entrant in tournament.entrants if entrant.id not in here]
    return results


def play_round_robin(n: int, seed: int) -> list[Result]:
    """A whole round robin by chance, among `entrants(n)`."""
    chance = random.Random(seed)
    results: list[Result] = []
    for once in round_robin([entrant.id for entrant in entrants(n)]):
        for fixture in once.fixtures:
            winner, loser = chance.sample((fixture.first, fixture.second), 2)
            results.append(Played(once.number, winner, loser, 5, chance.randrange(5)))
    return results
