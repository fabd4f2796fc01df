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
