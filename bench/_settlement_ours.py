"""Games opened and settled by the site against the barest SQL that writes the same rows (without our triggers).

Settlement goes through a real Celery worker: finished games are pending, the worker is woken, and the clock runs until
nothing is pending. One database, one process: `python -m bench._settlement_ours LINES`.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from typing import Any

import django
import psycopg

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
django.setup()

from django.db import connection  # noqa: E402

from bench import _settlement_alone as alone  # noqa: E402
from bench import _settlement_floor as floor  # noqa: E402
from bench import _settlement_games as games  # noqa: E402
from bench import _settlement_ledger as calls  # noqa: E402
from ledger import verify  # noqa: E402

GAMES = 6_000
ROUNDS = 3
WORKERS = (1, 2, 4)
SIZES = (1, 10, 100, 500)


def main(lines: int) -> None:
    games.people()
    with psycopg.connect(os.environ["SUPERUSER_URL"], autocommit=True) as superuser:
        floor.add_history(superuser, lines // 3)
        superuser.execute("VACUUM ANALYZE")
        with games.worker(1):
            games.template()
            figures = measure(superuser)
            figures["alone_ms"] = alone.milliseconds()
        with superuser.transaction():
            figures["bytes_per_settlement"] = floor.bytes_per_settlement(superuser)
    if not lines:
        figures["by_workers"] = {count: by_workers(count) for count in WORKERS}
        figures["by_batch"] = {size: calls.settled_per_s(size) for size in SIZES}
    with psycopg.connect(os.environ["SUPERUSER_URL"], autocommit=True) as superuser:
        superuser.execute("ANALYZE")
    if found := list(verify.run()):
        sys.exit(f"the ledger is broken after the bench: {found[:3]}")
    print(json.dumps(figures))


def measure(superuser: psycopg.Connection[Any]) -> dict[str, Any]:
    """The best of some rounds, the floor and ours in turn, so that both see the same machine."""
    best: dict[str, float] = {}
    for round_ in range(ROUNDS):
        bare = games.finished(f"bare {round_}", GAMES)
        with floor.without_triggers(superuser) as owner:
            speeds = {"open_floor_per_s": calls.per_s(bare, partial(floor.open_games, owner))}
            speeds["floor_per_s"] = calls.per_s(bare, floor.Settler(owner).settle)
        mine = games.finished(f"ours {round_}", GAMES)
        speeds["opened_per_s"] = calls.per_s(mine, calls.place_holds)
        speeds["settled_per_s"] = GAMES / games.settle_all(1)
        best = {name: max(speed, best.get(name, 0)) for name, speed in speeds.items()}
    return best


def by_workers(count: int) -> float:
    """Settled games per second of a worker with so many processes; all games share the rake account."""
    speeds = []
    with games.worker(count):
        for round_ in range(ROUNDS):
            for batch in calls.batches(games.finished(f"workers {count} {round_}", GAMES), calls.BATCH):
                calls.place_holds(batch)
            speeds.append(GAMES / games.settle_all(count))
    return max(speeds)


if __name__ == "__main__":
    main(int(sys.argv[1]))
    connection.close()
