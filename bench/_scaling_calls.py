"""Settlements by the ledger's call on the database that the environment names: batches of 500, and one game alone."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
django.setup()

from bench import _settlement_games as games  # noqa: E402
from bench import _settlement_ledger as calls  # noqa: E402
from players.models import Player  # noqa: E402

GAMES, ROUNDS, ALONE = 3_000, 3, 200


def main(name: str) -> None:
    if not Player.objects.exists():
        games.people()
    speeds = []
    for round_ in range(ROUNDS):
        some = calls.draw(f"{name} {round_}", GAMES)
        for batch in calls.batches(some, calls.BATCH):
            calls.place_holds(batch)
        speeds.append(calls.per_s(some, calls.settle))
    print(json.dumps({"settled_per_s": max(speeds), "alone_ms": alone(name)}))


def alone(name: str) -> float:
    """Median milliseconds of a game's settlement in a transaction of its own."""
    some = calls.draw(f"{name} alone", ALONE)
    calls.place_holds(some)
    taken = []
    for game in some:
        started = time.perf_counter()
        calls.settle([game])
        taken.append(1000 * (time.perf_counter() - started))
    return statistics.median(taken)


if __name__ == "__main__":
    main(sys.argv[1])
