"""An intruder with all rights and no scruples: what was changed, deleted, swapped or cut off is found and located."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ledger import seal, verify
from ledger.seal import GENESIS, Head
from ledger.verify import Violation, recent
from tests.ledger.support import fund, play_game, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)
START = Head(0, GENESIS)


@pytest.fixture(autouse=True)
def anchors(settings: Any, tmp_path: Path) -> Path:
    settings.ANCHOR_FILE = str(tmp_path / "anchors")
    return tmp_path / "anchors"


@pytest.fixture
def journal() -> None:
    """Five sealed entries: two deposits, two games, a deposit of somebody who did nothing else."""
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    for number in (1, 2):
        play_game(number, 1, 2, "30.00 UAH", "20.00 UAH", "1.00 UAH")
    seal_everything()
    fund(3, "50.00 UAH", key="last")
    seal_everything()


def intrude(database: Any, *statements: str) -> None:
    with psycopg.connect(database.superuser_url) as intruder:
        intruder.execute("SET session_replication_role = replica")
        for statement in statements:
            assert intruder.execute(statement).rowcount, statement  # type: ignore[arg-type]


def chain_violations(found: Any) -> list[tuple[str, str]]:
    return [(v.check, v.subject) for v in found if v.check in ("seal_chain", "chain_end")]


def test_one_lines_amount_changed(journal: None, database: Any) -> None:
    intrude(database, "UPDATE ledger_line SET amount = 20 WHERE entry_id = (SELECT entry_id FROM ledger_seal"
                      " WHERE number = 3) AND amount = 19")  # fmt: skip
    assert chain_violations(verify.run()) == [("seal_chain", "seal 3")]


def test_an_entry_deleted(journal: None, database: Any) -> None:
    entry = "(SELECT entry_id FROM ledger_seal WHERE number = 4)"
    intrude(
        database, f"DELETE FROM ledger_line WHERE entry_id = {entry}", f"DELETE FROM ledger_entry WHERE id = {entry}"
    )
    assert chain_violations(verify.run()) == [("seal_chain", "seal 4")]


def test_two_entries_swapped(journal: None, database: Any) -> None:
    """Each seal now names the other's entry; nothing else differs."""
    intrude(
        database,
        "UPDATE ledger_seal SET entry_id = -entry_id WHERE number IN (3, 4)",
        """UPDATE ledger_seal s SET entry_id = -o.entry_id FROM (SELECT number, entry_id FROM ledger_seal) o
            WHERE s.number IN (3, 4) AND o.number = 7 - s.number""",
    )
    assert {*chain_violations(verify.run())} == {("seal_chain", "seal 3"), ("seal_chain", "seal 4")}


CUT = (
    "DELETE FROM ledger_line WHERE entry_id = (SELECT id FROM ledger_entry WHERE key = 'last')",
    "DELETE FROM ledger_seal WHERE number = 5",
    "DELETE FROM ledger_entry WHERE key = 'last'",
    "UPDATE ledger_balance SET posted = 0, version = 0 WHERE posted = 50",
    "UPDATE ledger_housetotal SET total = total + 50 WHERE total = -250",
)


def test_the_end_cut_off_without_a_trace_is_found_through_the_anchor(
    journal: None, database: Any, settings: Any
) -> None:
    intrude(database, *CUT)
    anchored, settings.ANCHOR_FILE = settings.ANCHOR_FILE, ""
    assert list(verify.run()) == [], "inside the database all is consistent"
    settings.ANCHOR_FILE = anchored
    found = list(verify.run())
    assert chain_violations(found) == [("chain_end", "seal 5")]
    assert "the chain was cut" in found[0].message


def test_an_anchor_that_the_sealer_did_not_sign(journal: None, anchors: Path) -> None:
    lines = anchors.read_text().splitlines()
    other = re.sub(r'"number": (\d+)', lambda found: f'"number": {int(found[1]) - 1}', lines[1])
    anchors.write_text("\n".join([lines[0], other, "{torn"]) + "\n")
    assert [(v.check, v.subject) for v in verify.run()] == [
        ("chain_end", "anchor in line 2"),
        ("chain_end", "anchor in line 3"),
    ]


# --- Incremental ------------------------------------------------------------------------------------------------------


def test_incremental_verification_goes_on_from_the_last_verified_seal(journal: None, database: Any) -> None:
    found, verified = recent.run(START)
    assert found == []
    assert verified == seal.head() == Head(5, verified.digest)
    fund(1, "5.00 UAH", key="new")
    seal_everything()
    intrude(database, "UPDATE ledger_entry SET reason = 'another' WHERE key = 'new'",
            "UPDATE ledger_entry SET reason = 'another' WHERE key = 'last'")  # fmt: skip
    found, _ = recent.run(verified)
    assert chain_violations(found) == [("seal_chain", "seal 6")], "what was verified before is for the full one"
    assert chain_violations(verify.run()) == [("seal_chain", "seal 5"), ("seal_chain", "seal 6")]


def test_incremental_verification_notices_that_the_old_part_was_written_anew(journal: None, database: Any) -> None:
    _, verified = recent.run(START)
    intrude(database, "UPDATE ledger_seal SET digest = repeat('a', 64) WHERE number = 5")
    found, _ = recent.run(verified)
    assert ("seal_chain", "seal 5") in chain_violations(found)
    assert ("chain_end", "seal 5") in chain_violations(found)


def test_incremental_verification_looks_at_every_balance_and_line(journal: None, database: Any) -> None:
    intrude(
        database,
        "UPDATE ledger_balance SET posted = posted + 1 WHERE posted = 50",
        "UPDATE ledger_line SET balance_after = balance_after + 1 WHERE amount = 19 AND account_version = 2",
    )
    found, _ = recent.run(START)
    assert {v.check for v in found} == {"balance_follows_lines", "lines_chain", "seal_chain"}
    assert all(isinstance(v, Violation) for v in found)
