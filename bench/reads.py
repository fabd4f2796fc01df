"""What pages and look-ups cost the database with 10⁶ lines: statements and milliseconds, median of several.

A site with a past of two months (bench._reads_site) is read in a process of its own: the player's statement, balances
at past moments, and of every list of the administration its pages, filters, orders and searches, which are the
questions that the list itself offers. What must come out: nothing takes 50 ms of database time.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from bench import settlement

LINES = 1_000_000
MOST_MS = 50


@contextlib.contextmanager
def place(name: str) -> Iterator[dict[str, str]]:
    """The environment of an empty, migrated site with collected static files; its folder goes away behind."""
    data = settlement.ROOT / "build" / f"bench-{name}"
    with settlement.running(data) as services:
        static = data / "static"
        static.mkdir(parents=True)
        environment = settlement.database(services, name, data, STATIC_ROOT=str(static), LOG_LEVEL="ERROR")
        collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "-v", "0"]
        subprocess.run(collect, env=environment, cwd=settlement.ROOT, check=True)
        yield environment


def run() -> dict[str, Any]:
    """Prints the table and returns statements and milliseconds of each question."""
    with place("reads") as environment:
        figures: dict[str, dict[str, dict[str, float]]] = settlement.figures_of(
            "bench._reads_ours", environment, str(LINES)
        )
    print(f"{'':>24} {'questions':>9} {'statements':>10} {'first ms':>8} {'most ms':>8}")
    for name, asked in figures.items():
        slowest = max(asked, key=lambda question: asked[question]["ms"])
        first = next(iter(asked.values()))["ms"]
        most = max(question["statements"] for question in asked.values())
        print(f"{name:>24} {len(asked):>9} {most:>10} {first:>8.1f} {asked[slowest]['ms']:>8.1f}  {slowest}")
    slow = [f"{name}, {what}" for name, asked in figures.items() for what, one in asked.items() if one["ms"] >= MOST_MS]
    print(f"{MOST_MS} ms or more: {'; '.join(slow) or 'nothing'}")
    return figures
