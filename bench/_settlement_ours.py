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
            figures: dict[str, Any] = {"alone_ms": alone.milliseconds()}
        figures |= speeds(superuser)
        with superuser.transaction():
            figures["bytes_per_settlement"] = floor.bytes_per_settlement(superuser)
    if not lines:
        figures["by_batch"] = {size: calls.settled_per_s(size) for size in SIZES}
    if found := list(verify.run()):
        sys.exit(f"the ledger is broken after the bench: {found[:3]}")
    print(json.dumps(figures))


def speeds(superuser: psycopg.Connection[Any]) -> dict[str, float]:
    """Games per second, the best of some rounds; the floor and ours in turn, so that both see the same machine."""
    best: dict[str, float] = {}
    for processes in WORKERS:
        with games.worker(processes):
            for round_ in range(ROUNDS):
                seen = measure(superuser, processes, f"{processes} {round_}")
                best |= {name: max(speed, best.get(name, 0)) for name, speed in seen.items()}
    return best


def measure(superuser: psycopg.Connection[Any], processes: int, seed: str) -> dict[str, float]:
    """One round: games opened and settled by the bare SQL, then as many by the site."""
    bare = games.finished(f"bare {seed}", GAMES)
    with floor.without_triggers(superuser) as owner:
        seen = {"open_floor_per_s": calls.per_s(bare, partial(floor.open_games, owner))}
        seen["floor_per_s"] = calls.per_s(bare, floor.Settler(owner).settle)
    mine = games.finished(f"ours {seed}", GAMES)
    seen["opened_per_s"] = calls.per_s(mine, calls.place_holds)
    return seen | {f"settled_by_{processes}_per_s": GAMES / games.settle_all(processes)}


if __name__ == "__main__":
    main(int(sys.argv[1]))
    connection.close()
