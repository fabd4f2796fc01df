"""The journal of 10⁶ lines as csv and xlsx against a bare COPY of the same rows: rows per second and peak memory.

Each is made by a process of its own, the reports by the command that an accountant's files come from; memory is the
largest resident size that the kernel saw of it. What must come out: memory does not grow with the journal.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench import settlement
from bench.reads import place

LINES = 1_000_000
SMALL = 100_000  # to see whether memory grows


def run() -> dict[str, Any]:
    """Prints the table and returns rows, rows per second and megabytes of each way."""
    figures = {str(lines): _exported(lines) for lines in (SMALL, LINES)}
    print(f"{'lines':>10} {'':>10} {'rows':>10} {'seconds':>8} {'rows/s':>9} {'peak MB':>8} {'× COPY':>7}")
    for lines, ways in figures.items():
        for way, one in ways.items():
            ratio = one["rows_per_s"] / ways["copy"]["rows_per_s"]
            print(
                f"{int(lines):>10,} {way:>10} {one['rows']:>10,.0f} {one['seconds']:>8.1f} {one['rows_per_s']:>9,.0f} "
                f"{one['peak_mb']:>8.0f} {ratio:>7.2f}"
            )
    return figures


def _exported(lines: int) -> dict[str, dict[str, float]]:
    with place("exports") as environment:
        subprocess.run(
            [sys.executable, "-m", "bench._reads_site", str(lines)],
            env=environment, cwd=settlement.ROOT, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        file = Path(environment["STATIC_ROOT"]).parent / "journal"
        copy = [sys.executable, "-m", "bench._exports_copy", str(file)]
        rows = settlement.figures_of("bench._exports_copy", environment, str(file))["rows"]
        ways = {"copy": copy} | {form: _report(form, file) for form in ("csv", "xlsx")}
        return {way: {"rows": rows} | _measured(command, environment, rows) for way, command in ways.items()}


def _report(form: str, file: Path) -> list[str]:
    today = datetime.now(UTC).date()
    period = ["--from", str(today - timedelta(days=400)), "--to", str(today + timedelta(days=1))]
    return [sys.executable, "manage.py", "export_report", "journal", *period, "--format", form, "-o", str(file)]


def _measured(command: Sequence[str], environment: dict[str, str], rows: int) -> dict[str, float]:
    """Seconds from start to end of the process, and its peak memory."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, cwd=settlement.ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _pid, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(command))
    return {"seconds": seconds, "rows_per_s": rows / seconds, "peak_mb": usage.ru_maxrss / 1024}
