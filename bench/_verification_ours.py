"""The measured part of bench.verification, in a process and on a database of its own."""

from __future__ import annotations

import json
import os
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import django
import psycopg

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
django.setup()

from bench import _settlement_floor as floor  # noqa: E402
from bench import _settlement_games as games  # noqa: E402
from bench import _settlement_ledger as calls  # noqa: E402
from ledger import book, seal, verify  # noqa: E402
from ledger.verify import recent  # noqa: E402

NEW_GAMES = 1_000
READS = 300


def main(lines: int) -> None:
    games.people()
    with psycopg.connect(os.environ["SUPERUSER_URL"], autocommit=True) as superuser:
        floor.add_history(superuser, lines // 3)
        superuser.execute("VACUUM ANALYZE")
    entries = 0

    def seal_all() -> None:
        nonlocal entries
        entries += seal.seal()

    figures = {"seconds_to_seal_all": seconds(seal_all)}
    figures["sealed_per_s"] = entries / figures["seconds_to_seal_all"]
    before = memory_mb()
    figures["seconds_of_full_verification"] = seconds(lambda: sound(list(verify.run())))
    figures["megabytes_it_needed"] = memory_mb() - before
    verified = seal.head()
    new = calls.draw("new", NEW_GAMES)
    calls.place_holds(new)
    calls.settle(new)
    seal.seal()
    figures["seconds_of_incremental_verification"] = seconds(lambda: sound(recent.run(verified)[0]))
    print(json.dumps(figures | reads()))


def reads() -> dict[str, float]:
    luck = random.Random(1)
    now = book.statement(1, "UAH", limit=1).rows[0].at + timedelta(hours=1)
    pages, balances = [], []
    for _ in range(READS):
        owner, moment = luck.randint(1, games.PLAYERS), now - timedelta(seconds=luck.randint(0, 7200))
        after = luck.randint(0, 300)
        pages.append(1000 * seconds(partial(book.statement, owner, "UAH", after=after)))
        balances.append(1000 * seconds(partial(book.balance_at, owner, "UAH", moment)))
    return {
        "statement_page_ms_median": statistics.median(pages),
        "statement_page_ms_p99": statistics.quantiles(pages, n=100)[98],
        "balance_at_ms_median": statistics.median(balances),
        "balance_at_ms_p99": statistics.quantiles(balances, n=100)[98],
    }


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def sound(found: list[verify.Violation]) -> None:
    if found:
        sys.exit(f"the ledger is broken: {found[:3]}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
