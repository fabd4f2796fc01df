"""Settlements by the ledger's own call, without games' rows and without a worker: for figures of the ledger alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from django.db import transaction

from bench import _settlement_floor as floor
from bench import _settlement_games as games
from ledger import book

BATCH = 500


def draw(name: str, count: int) -> list[floor.Pending]:
    """Games that stand in no table: (reference, winner, loser)."""
    return [(f"{name}:{n}", *pair) for n, pair in enumerate(games.pairs(name, count))]


def place_holds(some: Sequence[floor.Pending]) -> None:
    """Both holds of each game in one call of the ledger and one transaction."""
    requests = [
        book.HoldRequest(f"{reference}:hold:{player}", player, games.HOLD, reference, floor.HOLD_DETAILS)
        for reference, *players in some
        for player in players
    ]
    with transaction.atomic():
        book.place_holds(requests)


def settle(some: Sequence[floor.Pending]) -> None:
    """All of them in one call of the ledger and one transaction; raises what was refused."""
    requests = [
        book.Settlement(
            f"{reference}:settle", reference, f"{reference}:hold:{winner}", f"{reference}:hold:{loser}", games.LOSS,
            games.RAKE, floor.DETAILS,
        )
        for reference, winner, loser in some
    ]  # fmt: skip
    with transaction.atomic():
        errors = [outcome.error for outcome in book.settle(requests) if outcome.error]
    if errors:
        raise errors[0]


def settled_per_s(size: int) -> float:
    """Games per second with so many in each transaction."""
    some = draw(f"batch{size}", min(size * 200, 4_000))
    for batch in batches(some, BATCH):
        place_holds(batch)
    return per_s(some, settle, size)


def per_s(some: Sequence[floor.Pending], work: Callable[[Sequence[floor.Pending]], None], size: int = BATCH) -> float:
    """Games per second of `work`, done batch by batch."""
    started = time.perf_counter()
    for batch in batches(some, size):
        work(batch)
    return len(some) / (time.perf_counter() - started)


def batches(some: Sequence[floor.Pending], size: int) -> Iterator[Sequence[floor.Pending]]:
    for start in range(0, len(some), size):
        yield some[start : start + size]
