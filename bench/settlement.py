"""Settled games per second: a Celery worker, the barest SQL that writes the same rows, and django-hordak; all durable.

Each part runs in a process of its own on a database of its own in one PostgreSQL with fsync on. Only the ratios mean
anything; the figures are this machine's. Targets: ours ≥ 0.5 × the bare SQL, ≥ 10 × hordak; opening ≥ 0.4 × bare SQL;
with 10⁶ lines there already, within 10 % of the empty ledger.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from nardy_platform import embedded

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "build" / "bench-settlement"
LINES = (0, 10_000, 1_000_000)


def run() -> dict[str, Any]:
    """Prints the tables and returns the figures."""
    shutil.rmtree(DATA, ignore_errors=True)
    services = embedded.ensure(DATA, durable=True)
    figures: dict[str, Any] = {"lines": {}}
    try:
        print(f"{'lines there':>12}" + 2 * f" {'ours/s':>9} {'bare SQL':>9} {'ratio':>6}" + "   (settled, then opened)")
        for lines in LINES:
            figures["lines"][str(lines)] = measured = _ours(services, lines)
            print(
                f"{lines:>12,}" + _columns(measured, "settled", "floor") + _columns(measured, "opened", "open_floor"),
                flush=True,
            )
        empty = figures["lines"]["0"]
        hordak = _hordak(services)
        figures |= {name: empty[name] for name in ("settled_per_s", "floor_per_s", "opened_per_s", "open_floor_per_s")}
        figures |= {"hordak_per_s": hordak, "alone_ms": empty["alone_ms"], "by_batch": empty["by_batch"]}
        figures |= {"by_workers": empty["by_workers"], "bytes_per_settlement": empty["bytes_per_settlement"]}
        _print_rest(figures)
    finally:
        embedded.leave(DATA)
        shutil.rmtree(DATA, ignore_errors=True)
    return figures


def _columns(measured: dict[str, float], ours: str, floor: str) -> str:
    mine, bare = measured[f"{ours}_per_s"], measured[f"{floor}_per_s"]
    return f" {mine:>9,.0f} {bare:>9,.0f} {mine / bare:>6.2f}"


def _print_rest(figures: dict[str, Any]) -> None:
    ratio = figures["settled_per_s"] / figures["hordak_per_s"]
    print(f"django-hordak: {figures['hordak_per_s']:,.0f} settled/s; ours is {ratio:.1f} ×")
    alone = figures["alone_ms"]
    print(f"one game alone, finishing commit to settled: median {alone['median']:.1f} ms, p99 {alone['p99']:.1f} ms")
    print(
        "settled/s by the ledger's call alone, by batch: "
        + ", ".join(f"{size}: {speed:,.0f}" for size, speed in figures["by_batch"].items())
    )
    print(
        "settled/s by processes of the worker: "
        + ", ".join(f"{n}: {speed:,.0f}" for n, speed in figures["by_workers"].items())
    )
    print(f"a settled game takes {figures['bytes_per_settlement']:,.0f} bytes with its holds and all indexes")


def _ours(services: embedded.Services, lines: int) -> Any:
    name = f"ledger_{lines}"
    make_database(services, name)
    environment = addresses(services, name, DATA)
    migrate(environment)
    return figures_of("bench._settlement_ours", environment, str(lines))


def addresses(services: embedded.Services, name: str, data: Path) -> dict[str, str]:
    """The environment of a process that works on this database."""
    urls = {
        "DATABASE_URL": _at(services.database_url, name),
        "DATABASE_OWNER_URL": _at(services.owner_url, name),
        "SUPERUSER_URL": _at(services.superuser_url, name),
        "VALKEY_URL": services.valkey_url,
    }
    return os.environ | urls | embedded.secret_keys(data) | {"DEMO": "1"}


def migrate(environment: dict[str, str]) -> None:
    subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], env=environment, cwd=ROOT, check=True)


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
