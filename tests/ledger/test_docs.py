"""docs/ledger.md names everything that it promises to name."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ledger import chart, verify
from ledger.reports import REPORTS
from ledger.verify.guards import TRIGGERS

TEXT = (Path(__file__).parents[2] / "docs" / "ledger.md").read_text()


def rows(head: str) -> list[list[str]]:
    """The cells of the table that begins with this head."""
    lines = TEXT.partition(head)[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_chart_of_accounts_is_documented_as_it_is() -> None:
    documented = {(int(code), kind, nature, owner != "house", balance != "no")
                  for code, kind, nature, owner, balance in rows("| code | kind |")}  # fmt: skip
    assert documented == {
        (kind.code, kind.key, kind.nature, kind.of_player, kind.has_balance) for kind in chart.ACCOUNT_KINDS.values()
    }


def test_the_entry_kinds_are_documented_as_they_are() -> None:
    documented = {(name.rstrip(" *"), name.endswith("*"), frozenset(touches.split(", ")), undone == "yes")
                  for name, touches, undone in rows("| entry kind |")}  # fmt: skip
    assert documented == {
        (kind.key, kind.decided, kind.touches, kind.reversible) for kind in chart.ENTRY_KINDS.values()
    }


def test_what_no_reversal_undoes_says_what_does() -> None:
    assert [kind.key for kind in chart.ENTRY_KINDS.values() if bool(kind.instead) == kind.reversible] == []


def named(head: str) -> list[str]:
    """The names in code letters of the first column of the table that begins with this head."""
    return [name for first, *_ in rows(head) for name in re.findall(r"`(\w[\w-]*)`", first)]


def test_every_check_is_documented_once() -> None:
    for module in pkgutil.iter_modules(verify.__path__):
        importlib.import_module(f"ledger.verify.{module.name}")  # checks register themselves
    ours = [name for name, check in verify.CHECKS.items() if check.__module__.startswith("ledger.")]
    assert sorted(named("| check |")) == sorted(ours)


def test_every_report_is_documented_once() -> None:
    assert sorted(named("| name | rows |")) == sorted(REPORTS)


def test_every_trigger_is_documented_once() -> None:
    assert sorted(named("| trigger ")) == sorted(TRIGGERS)


# Bits of pg_trigger.tgtype.
PER_ROW, BEFORE, EVENTS = 1, 2, {"INSERT": 4, "UPDATE": 16, "DELETE": 8, "TRUNCATE": 32}


def fires(bits: int, at_commit: bool) -> str:
    """When a trigger fires, as the document puts it: "before DELETE, TRUNCATE", "after INSERT, per row"."""
    if at_commit:
        return "at commit, per"
    events = ", ".join(event for event, bit in EVENTS.items() if bits & bit)
    return f"{'before' if bits & BEFORE else 'after'} {events}" + (", per row" if bits & PER_ROW else "")


@pytest.mark.django_db
def test_triggers_fire_when_the_document_says(database: Any) -> None:
    """What is written, what verify_ledger looks for, and what the migrations installed are the same."""
    with psycopg.connect(database.superuser_url) as connection:
        installed = {
            name: fires(bits, at_commit)
            for name, bits, at_commit in connection.execute(
                """SELECT tgname, tgtype::int, tginitdeferred FROM pg_trigger
                    WHERE NOT tgisinternal AND tgrelid::regclass::text LIKE 'ledger\\_%'"""
            )
        }
    assert installed.keys() == set(TRIGGERS)
    documented = {name: when for names, when, _ in rows("| trigger ") for name in re.findall(r"`(ledger_\w+)`", names)}
    wrong = {
        name: (documented[name], when) for name, when in installed.items() if not documented[name].startswith(when)
    }
    assert wrong == {}


def test_every_proof_exists() -> None:
    root = Path(__file__).parents[2]
    proofs = set(re.findall(r"`((?:tests/\w+/)?test_\w+)`", TEXT))
    assert len(proofs) > 20
    paths = [proof if "/" in proof else f"tests/ledger/{proof}" for proof in sorted(proofs)]
    assert [path for path in paths if not (root / f"{path}.py").exists()] == []
