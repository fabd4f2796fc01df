"""A whole site under every kind of fault: all games are played to the end and settled once, nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from typing import Any

from django.conf import settings

from games import faults
from nardy_platform.environment import BASE_DIR

NOT_FOR_THE_COMMAND = ("DATABASE_URL", "DATABASE_OWNER_URL", "VALKEY_URL", "BROKER_URL", "EMBEDDED")


def test_one_seed_gives_one_schedule() -> None:
    first = list(islice(faults.schedule(7), 50))
    assert first == list(islice(faults.schedule(7), 50))
    assert first != list(islice(faults.schedule(8), 50))
    assert {fault.kind for fault in first[: len(faults.KINDS)]} == set(faults.KINDS)


def test_every_kind_of_fault_is_survived() -> None:
    done = simulate("--games", "4", "--seed", "7", "--players", "5")
    shown = done.stdout + done.stderr
    assert done.returncode == 0, shown
    assert "4 games," in done.stdout and "no violation" in done.stdout
    (happened,) = [line for line in done.stdout.splitlines() if line.startswith("  fault:")]
    assert [kind for kind in faults.KINDS if f" {kind}" not in happened] == [], shown


def test_a_database_of_the_users_own_is_refused() -> None:
    done = simulate("--games", "1", DATABASE_URL="postgresql://somebody@localhost/precious", VALKEY_URL="redis://x/0")
    assert done.returncode != 0
    assert "never runs where DATABASE_URL is set" in done.stderr


def simulate(*options: str, **environment: Any) -> subprocess.CompletedProcess[str]:
    """The command as a user runs it, on services of its own below the tests' data folder."""
    kept = {name: value for name, value in os.environ.items() if name not in NOT_FOR_THE_COMMAND}
    kept |= {"DJANGO_SETTINGS_MODULE": "nardy_platform.settings", "DATA_DIR": settings.TEST_DATA_DIR}
    command = [sys.executable, str(BASE_DIR / "manage.py"), "simulate", "--faults", *options]
    return subprocess.run(command, env=kept | environment, capture_output=True, text=True, timeout=300)
