"""Tournaments: the slowest round of a Swiss of 256, and standings of 1,000 entrants with every tie-break."""

from __future__ import annotations

import random
import time
from typing import Any

from tournaments.core.results import Bye, Entrant, Forfeit, Played, Result
from tournaments.core.standings import Ranking, standings
from tournaments.core.swiss import Request, default_rounds, pair
from tournaments.core.tiebreaks import Key

FIELD = 256
STANDINGS = 1000
SEED = 5


def run() -> dict[str, Any]:
    """Times one tournament, prints the rounds, and returns seconds of processor time."""
    rounds = _swiss_rounds()
    print("round   entrants   seconds   squared gaps")
    for number, (present, seconds, gap) in enumerate(rounds, start=1):
        print(f"{number:>5} {present:>10} {seconds:>9.2f} {gap:>14}")
    slowest = max(seconds for _, seconds, _ in rounds)
    ranked = _standings_seconds()
    print(f"slowest round of {FIELD}: {slowest:.2f} s (target: under 2);  ", end="")
    print(f"standings of {STANDINGS} by {len(Key)} keys: {ranked:.2f} s (target: under 1)")
    return {"swiss_256_slowest_round_s": slowest, "standings_1000_s": ranked}


def _swiss_rounds() -> list[tuple[int, float, int]]:
    """(entrants present, seconds, squared gaps) of each round; some leave, some do not come."""
    chance = random.Random(SEED)
    present = tuple(Entrant(seed, seed) for seed in range(1, FIELD + 1))
    results: list[Result] = []
    rounds = []
    for number in range(1, default_rounds(FIELD) + 1):
        start = time.process_time()
        pairing = pair(Request(number, present, tuple(results)))
        rounds.append((len(present), time.process_time() - start, pairing.cost.gap))
        for table in pairing.pairs:
            winner, loser = chance.sample((table.first, table.second), 2)
            results.append(
                Forfeit(number, winner, loser) if chance.random() < 0.03 else Played(number, winner, loser, 5, 3)
            )
        if pairing.bye is not None:
            results.append(Bye(number, pairing.bye))
        present = tuple(entrant for entrant in present if chance.random() > 0.01)
    return rounds


def _standings_seconds() -> float:
    chance = random.Random(SEED)
    entrants = [Entrant(seed, seed) for seed in range(1, STANDINGS + 1)]
    results: list[Result] = []
    for number in range(1, default_rounds(STANDINGS) + 1):
        line = [entrant.id for entrant in entrants]
        chance.shuffle(line)
        results += [
            Played(number, one, two, 5, chance.randrange(5)) for one, two in zip(line[::2], line[1::2], strict=True)
        ]
    start = time.process_time()
    standings(entrants, results, Ranking(tuple(Key), difference_cap=5))
    return time.process_time() - start
