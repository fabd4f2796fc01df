"""docs/ledger.md names everything that it promises to name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
import pytest

from ledger import chart, verify
from ledger.reports import REPORTS
from ledger.verify.guards import TRIGGERS

TEXT = (Path(__file__).parents[2] / "docs" / "ledger.md").read_text()


@pytest.mark.parametrize("name", [*TRIGGERS, *chart.ACCOUNT_KINDS, *chart.ENTRY_KINDS, *REPORTS])
def test_it_is_documented(name: str) -> None:
    assert name in TEXT


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


def test_every_check_is_documented() -> None:
    from ledger.verify import balances, guards, holds, lines, periods, proposals, seals

    modules = {module.__name__ for module in (balances, guards, holds, lines, periods, proposals, seals)}
    ours = [name for name, check in verify.CHECKS.items() if check.__module__ in modules]
    assert len(ours) >= 17
    assert [name for name in ours if f"`{name}`" not in TEXT] == []


@pytest.mark.django_db
def test_the_list_of_guards_is_complete(database: Any) -> None:
    """What verify_ledger looks for is what the migrations installed."""
    with psycopg.connect(database.superuser_url) as connection:
        found = connection.execute(
            "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid::regclass::text LIKE 'ledger\\_%'"
        ).fetchall()
    assert sorted(name for (name,) in found) == sorted(TRIGGERS)


def test_every_proof_exists() -> None:
    folder = Path(__file__).parent
    named = {word.strip("`,") for word in TEXT.split() if word.startswith("`test_")}
    assert named
    assert [name for name in sorted(named) if not (folder / f"{name.removesuffix('.py')}.py").exists()] == []
