"""The same input gives the same answer in every process, whatever the hash seed."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
from tests.tournaments.fields import entrants, play_swiss
from tournaments.core import knockout, prizes, seeding
from tournaments.core.standings import SWISS_KEYS, Ranking, standings

tournament = play_swiss(61, 7, seed=5, leaves=0.03, late=0.1, forfeits=0.1)
table = standings(tournament.entrants, tournament.results, Ranking(SWISS_KEYS))
print(tournament.pairings)
print(table)
print(prizes.share(100_001, prizes.table_for(61), table.groups))
print(seeding.by_lot(seeding.Lot("t", tuple((e.id, str(e)) for e in entrants(20)), bytes(32))))
print(knockout.progress(knockout.bracket(range(13), third_place=True), {}))
"""


def answer(hash_seed):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_every_hash_seed_gives_the_same_answers():
    first = answer("0")
    assert "Pairing(round=7" in first
    assert {answer(seed) for seed in ("1", "4294967295", "random")} == {first}
