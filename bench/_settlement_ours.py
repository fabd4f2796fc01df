"""book.settle and book.place_holds against the barest SQL that writes the same rows (without our triggers)."""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import django
import psycopg

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
django.setup()

from django.db import connection, transaction  # noqa: E402

from bench import _settlement_floor as floor  # noqa: E402
from ledger import book, verify  # noqa: E402
from ledger.money import parse  # noqa: E402

PLAYERS = 2_000
GAMES = 4_000
BATCH = 500
ROUNDS = 3
ALONE = 200
HELD, LOSS, RAKE = parse("30.00 UAH"), parse("20.00 UAH"), parse("1.00 UAH")

Game = tuple[str, int, int]  # reference, winner, loser


def main(lines: int) -> None:
    fund()
    with psycopg.connect(os.environ["SUPERUSER_URL"], autocommit=True) as superuser:
        floor.add_history(superuser, lines // 3)
        superuser.execute("VACUUM ANALYZE")
        figures = measure(superuser)
        with superuser.transaction():
            figures["bytes_per_settlement"] = floor.bytes_per_settlement(superuser)
    if found := list(verify.run()):
        sys.exit(f"the ledger is broken after the bench: {found[:3]}")
    print(json.dumps(figures))


def measure(superuser: psycopg.Connection[Any]) -> dict[str, Any]:
    """The best of some rounds, ours and the floor in turn, so that both see the same machine."""
    best: dict[str, float] = {}
    for round_ in range(ROUNDS):
        mine, bare = draw(f"ours{round_}", GAMES), draw(f"bare{round_}", GAMES)
        with floor.without_triggers(superuser) as owner:
            speeds = {"open_floor_per_s": per_s(bare, lambda games: floor.open_games(owner, games))}
        speeds["opened_per_s"] = per_s(mine, open_games)
        with floor.without_triggers(superuser) as owner:
            speeds["floor_per_s"] = per_s(bare, floor.Settler(owner).settle)
        speeds["settled_per_s"] = per_s(mine, settle)
        best = {name: max(speed, best.get(name, 0)) for name, speed in speeds.items()}
    return best | {"alone_ms": alone(), "by_batch": {size: by_batch(size) for size in (1, 10, 100)}}


def per_s(games: list[Game], work: Callable[[Sequence[Game]], None]) -> float:
    started = time.perf_counter()
    for batch in batches(games, BATCH):
        work(batch)
    return len(games) / (time.perf_counter() - started)


def alone() -> dict[str, float]:
    """Milliseconds to settle one game in a transaction of its own."""
    games = draw("alone", ALONE)
    open_games(games)
    taken = []
    for game in games:
        started = time.perf_counter()
        settle([game])
        taken.append((time.perf_counter() - started) * 1000)
    return {"median": statistics.median(taken), "p99": statistics.quantiles(taken, n=100)[98]}


def by_batch(size: int) -> float:
    games = draw(f"batch{size}", min(size * 100, 1000))
    for batch in batches(games, BATCH):
        open_games(batch)
    started = time.perf_counter()
    for batch in batches(games, size):
        settle(batch)
    return len(games) / (time.perf_counter() - started)


def open_games(games: Sequence[Game]) -> None:
    requests = [
        book.HoldRequest(f"{reference}:hold:{player}", player, HELD, reference, floor.HOLD_DETAILS)
        for reference, *players in games
        for player in players
    ]
    with transaction.atomic():
        book.place_holds(requests)


def settle(games: Sequence[Game]) -> None:
    requests = [
        book.Settlement(
            f"{reference}:settle", reference, f"{reference}:hold:{winner}", f"{reference}:hold:{loser}", LOSS, RAKE,
            floor.DETAILS,
        )
        for reference, winner, loser in games
    ]  # fmt: skip
    with transaction.atomic():
        errors = [outcome.error for outcome in book.settle(requests) if outcome.error]
    if errors:
        raise errors[0]


def draw(name: str, count: int) -> list[Game]:
    dice = random.Random(name)
    players = range(1, PLAYERS + 1)
    return [(f"{name}:{n}", *dice.sample(players, 2)) for n in range(count)]  # type: ignore[misc]


def batches(games: Sequence[Game], size: int) -> Iterator[Sequence[Game]]:
    for start in range(0, len(games), size):
        yield games[start : start + size]


def fund() -> None:
    for first in range(1, PLAYERS + 1, 500):
        with transaction.atomic():
            for player in range(first, min(first + 500, PLAYERS + 1)):
                book.deposit(f"fund:{player}", player, parse("1000000.00 UAH"), None, "bench")


if __name__ == "__main__":
    main(int(sys.argv[1]))
    connection.close()
