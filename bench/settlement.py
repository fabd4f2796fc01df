"""Settled games per second: a Celery worker, the barest SQL that writes the same rows, and django-hordak; all durable.

Each part runs in a process of its own on a database of its own in one PostgreSQL with fsync on. Only the ratios mean
anything; the figures are this machine's. Targets: ours ≥ 0.5 × the bare SQL, ≥ 10 × hordak; opening ≥ 0.4 × bare SQL;
with 10⁶ lines there already, within 10 % of the empty ledger. The bare SQL comes from one client; `settled_per_s` is
that of the worker as `make run` starts it, with two processes.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from nardy_platform import embedded

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "build" / "bench-settlement"
LINES = (0, 10_000, 1_000_000)
WORKERS = (1, 2, 4)


def run() -> dict[str, Any]:
    """Prints the tables and returns the figures."""
    with running() as services:
        lines = by_lines(services, LINES)
        figures: dict[str, Any] = lines["0"] | {"lines": lines, "hordak_per_s": _hordak(services)}
        _print_rest(figures)
    return figures


@contextlib.contextmanager
def running(data: Path = DATA) -> Iterator[embedded.Services]:
    """PostgreSQL, with fsync on, and Valkey in a new folder that goes away behind."""
    shutil.rmtree(data, ignore_errors=True)
    try:
        yield embedded.ensure(data, durable=True)
    finally:
        embedded.leave(data)
        shutil.rmtree(data, ignore_errors=True)


def by_lines(services: embedded.Services, lengths: Sequence[int]) -> dict[str, Any]:
    """The figures by the number of lines that are there already, as they come; prints a row for each."""
    print(f"{'lines':>10} {'bare SQL':>9} | settled/s by 1, 2, 4 processes of a worker (× bare) | opened/s (× bare)")
    figures: dict[str, Any] = {}
    for lines in lengths:
        figures[str(lines)] = seen = _ours(services, lines)
        bare = seen["floor_per_s"]
        settled = "".join(_ratio(seen[f"settled_by_{count}_per_s"], bare) for count in WORKERS)
        opened = _ratio(seen["opened_per_s"], seen["open_floor_per_s"])
        print(f"{lines:>10,} {bare:>9,.0f} |{settled} |{opened}", flush=True)
        seen["settled_per_s"] = seen["settled_by_2_per_s"]
    return figures


def _ratio(ours: float, bare: float) -> str:
    return f" {ours:>8,.0f} ({ours / bare:.2f})"


def _print_rest(figures: dict[str, Any]) -> None:
    hordak = figures["hordak_per_s"]
    ratios = ", ".join(f"{figures[f'settled_by_{count}_per_s'] / hordak:.1f}" for count in WORKERS)
    print(f"django-hordak: {hordak:,.0f} settled/s; ours is {ratios} × that (1, 2, 4 processes)")
    for lines, seen in figures["lines"].items():
        alone = seen["alone_ms"]
        print(
            f"one game alone, finishing commit to settled commit, {int(lines):,} lines: "
            f"median {alone['median']:.1f} ms, p99 {alone['p99']:.1f} ms"
        )
    by_batch = ", ".join(f"{size}: {speed:,.0f}" for size, speed in figures["by_batch"].items())
    print(f"settled/s by the ledger's call alone, by size of batch: {by_batch}")
    size = figures["bytes_per_settlement"]
    print(f"a settled game takes {size:,.0f} bytes: an entry, 3 lines, 2 holds (written twice), and all their indexes")


def _ours(services: embedded.Services, lines: int) -> Any:
    return figures_of("bench._settlement_ours", database(services, f"ledger_{lines}", DATA), str(lines))


def database(services: embedded.Services, name: str, data: Path, **own: str) -> dict[str, str]:
    """The environment (with `own` variables) of a process that works on a new, migrated database of this name."""
    make_database(services, name)
    urls = {
        "DATABASE_URL": _at(services.database_url, name),
        "DATABASE_OWNER_URL": _at(services.owner_url, name),
        "SUPERUSER_URL": _at(services.superuser_url, name),
        "VALKEY_URL": services.valkey_url,
    }
    environment = os.environ | urls | embedded.secret_keys(data) | {"DEMO": "1"} | own
    subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], env=environment, cwd=ROOT, check=True)
    return environment


def _hordak(services: embedded.Services) -> float:
    make_database(services, "hordak")
    environment = os.environ | {"DATABASE_URL": _at(services.owner_url, "hordak")}
    return float(figures_of("bench._settlement_hordak", environment)["settled_per_s"])


def figures_of(module: str, environment: dict[str, str], *arguments: str) -> Any:
    """The last line that this module prints, as JSON."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, env=environment, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def make_database(services: embedded.Services, name: str) -> None:
    with psycopg.connect(services.superuser_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} OWNER {embedded.OWNER}")


def _at(url: str, database: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))
