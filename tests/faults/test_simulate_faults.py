"""A whole site under every kind of fault: all games are played to the end and settled once, nothing is left behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from games import crowd, faults, simulation, tellers
from games.client import Client
from ledger.chart import ENTRY_KINDS
from nardy_platform import environment
from nardy_platform.environment import BASE_DIR

NOT_FOR_THE_COMMAND = ("DATABASE_URL", "DATABASE_OWNER_URL", "VALKEY_URL", "BROKER_URL", "EMBEDDED", "ANCHOR_FILE")
SEED = 7
#: What a run moves money by; nobody is refunded or corrected in its tournament.
MOVED_BY = {
    "deposit", "withdrawal", "adjustment", "reversal", "repayment", "settlement", "play_chips_grant",
    "tournament_entry", "tournament_overlay", "tournament_prize", "capital_in", "capital_out", "promotion_funding",
}  # fmt: skip


def test_one_seed_gives_one_schedule_of_faults() -> None:
    first = list(islice(faults.schedule(7), 50))
    assert first == list(islice(faults.schedule(7), 50))
    assert first != list(islice(faults.schedule(8), 50))
    assert {fault.kind for fault in first[: len(faults.KINDS)]} == set(faults.KINDS)


def test_one_seed_gives_the_same_games_errands_and_troubles() -> None:
    def drawn(seed: int) -> list[Any]:
        client = Client("nowhere", seed, print)
        errands = islice(tellers.errands(seed, 5, ("UAH", "KWD")), 50)
        fates = [client.fate(f"{number} open", 0.3) for number in range(50)]
        return [crowd.plans(20, 5, seed, ("UAH", "KWD", "XPC")), list(errands), fates]

    assert drawn(7) == drawn(7)
    assert all(one != other for one, other in zip(drawn(7), drawn(8), strict=True))
    plans, errands, fates = drawn(7)
    assert {str(plan.terms.stake.currency) for plan in plans} == {"UAH", "KWD", "XPC"}
    assert {errand.kind for errand in errands[: len(tellers.KINDS)]} == set(tellers.KINDS)
    assert set(fates) == {"plain", "abandoned", "raced"}


def test_every_kind_of_fault_is_survived() -> None:
    """Games, money, and a tournament meanwhile. What it prints is what happened, by the schedule of its seed."""
    done = simulate("--games", "14", "--seed", str(SEED), "--players", "6", "--tournament", "4")
    shown = done.stdout + done.stderr
    assert done.returncode == 0, shown
    assert f"seed {SEED}: 14 games," in done.stdout and "no violation" in done.stdout
    assert "violations: 0" in done.stdout and "finding" not in shown, shown
    said = re.findall(r"^fault \d+: (.+)$", done.stdout, re.MULTILINE)
    assert said == [fault.kind for fault in islice(faults.schedule(SEED), len(said))]
    counts = figures(done.stdout)
    assert counts["fault"].keys() == set(faults.KINDS), shown
    assert counts["hit"]["while games were played"] >= 2, shown
    assert counts["hit"]["by doubling: tasks"] > 0, shown
    assert counts["errand"].keys() == set(tellers.KINDS), shown
    assert counts["asked"].keys() >= {
        "open",
        "join",
        "ready",
        "roll",
        "play",
        "resign",
        "register",
    }  # doubles: by the dice
    for trouble in ("abandoned and repeated", "raced against itself"):
        assert counts[trouble].keys() >= {"open", "join", "ready", "roll", "play", "withdraw"}, shown
    assert counts["tournament"]["series"] == 3, shown
    # By chance all capital that was to be taken out may have been refused.
    assert counts["entries"].keys() | {"capital_out"} == MOVED_BY <= set(ENTRY_KINDS), shown


def figures(shown: str) -> dict[str, dict[str, int]]:
    """The summary's lines, "  group: name 3, other name 4"."""
    lines = re.findall(r"^  ([a-z ]+): (.+ \d+)$", shown, re.MULTILINE)
    return {
        group: {name: int(number) for name, _, number in (one.rpartition(" ") for one in parts.split(", "))}
        for group, parts in lines
    }


def test_a_database_of_the_users_own_is_refused() -> None:
    done = simulate("--games", "1", DATABASE_URL="postgresql://somebody@localhost/precious", VALKEY_URL="redis://x/0")
    assert done.returncode != 0
    assert "never runs where DATABASE_URL is set" in done.stderr


def test_no_broker_and_no_anchors_of_the_users_own_are_touched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in NOT_FOR_THE_COMMAND:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setenv("BROKER_URL", "redis://precious/0")
    monkeypatch.setenv("ANCHOR_FILE", "/var/lib/precious")
    used: list[Path] = []
    monkeypatch.setattr(environment, "use_embedded", used.append)
    environment.prepare(["manage.py", "simulate", "--games", "1"])
    assert os.environ["BROKER_URL"] and os.environ["ANCHOR_FILE"]
    environment.prepare(["manage.py", "simulate", "--games", "1", "--faults"])
    assert used == [tmp_path, tmp_path / "faults"]
    assert not {"BROKER_URL", "ANCHOR_FILE"} & os.environ.keys()


def test_the_word_is_written_in_full() -> None:
    with pytest.raises(CommandError, match="unrecognized arguments: --fault"):
        call_command("simulate", "--fault")


def test_a_tournament_of_more_people_than_there_are_is_refused() -> None:
    with pytest.raises(CommandError, match="no more than there are --players"):
        call_command("simulate", faults=True, players=5, tournament=6)


@pytest.mark.django_db
def test_people_who_play_for_money_without_being_people_exist_nowhere_else() -> None:
    with pytest.raises(RuntimeError, match="only in the data folder of simulate --faults"):
        simulation.simulated_person("1")


def simulate(*options: str, **environment: Any) -> subprocess.CompletedProcess[str]:
    """The command as a user runs it, on services of its own below the tests' data folder."""
    kept = {name: value for name, value in os.environ.items() if name not in NOT_FOR_THE_COMMAND}
    kept |= {"DJANGO_SETTINGS_MODULE": "nardy_platform.settings", "DATA_DIR": settings.TEST_DATA_DIR}
    command = [sys.executable, str(BASE_DIR / "manage.py"), "simulate", "--faults", *options]
    return subprocess.run(command, env=kept | environment, capture_output=True, text=True, timeout=300)
