"""verify_ledger finds what a superuser planted with the triggers off, says where, and says nothing when all is well."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, transaction

from ledger import verify
from ledger.verify import guards
from tests.ledger.support import fund, hold, play_game, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scene(settings: Any, tmp_path: Path) -> None:
    settings.ANCHOR_FILE = str(tmp_path / "anchors")
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    play_game(1, winner=1, loser=2, amount="30.00 UAH", loss="5.00 UAH", rake="0.50 UAH")
    hold("open", 1, "10.00 UAH")
    seal_everything()


ENTRY = "(SELECT id FROM ledger_entry WHERE kind = 'settlement')"
WALLET = "(SELECT id FROM ledger_account WHERE owner_id = 1)"
CASH = "(SELECT id FROM ledger_account WHERE kind = 'cash' AND currency = 'UAH')"

# What is planted -> the checks that must find it (others may find it too).
CORRUPTIONS = {
    f"UPDATE ledger_line SET amount = amount + 1 WHERE entry_id = {ENTRY} AND account_id = {WALLET}": {
        "lines_sum_to_zero", "lines_chain", "currencies_balance", "balance_follows_lines", "seal_chain",
    },
    f"DELETE FROM ledger_line WHERE entry_id = {ENTRY}": {
        "entry_has_lines", "balance_follows_lines", "captures_match_lines", "house_totals", "seal_chain",
    },
    f"DELETE FROM ledger_entry WHERE id = {ENTRY}": {"references_resolved", "hold_resolution_complete", "seal_chain"},
    "UPDATE ledger_entry SET reason = 'another' WHERE id = (SELECT min(id) FROM ledger_entry)": {"seal_chain"},
    "UPDATE ledger_entry SET details = '{}' WHERE kind = 'settlement'": {"seal_chain"},
    "UPDATE ledger_line SET currency = 'EUR' WHERE amount = 4.5": {"lines_sum_to_zero", "references_resolved"},
    "UPDATE ledger_line SET account_version = 9 WHERE amount = 4.5": {"lines_chain"},
    f"UPDATE ledger_line SET at = at - interval '1 s' WHERE account_id = {CASH}": {"references_resolved"},
    f"UPDATE ledger_line SET account_id = {CASH}, account_version = NULL, balance_after = NULL WHERE amount = 4.5": {
        "entry_kind_fits_accounts", "balance_follows_lines",
    },
    f"UPDATE ledger_line SET account_version = 1, balance_after = 0 WHERE account_id = {CASH}": {"balance_where_due"},
    "UPDATE ledger_balance SET posted = posted + 1": {"balance_follows_lines"},
    "UPDATE ledger_balance SET version = version + 1": {"balance_follows_lines"},
    "UPDATE ledger_balance SET held = held + 1 WHERE posted > held": {"balance_follows_holds"},
    f"DELETE FROM ledger_balance WHERE account_id = {WALLET}": {"balance_where_due"},
    f"INSERT INTO ledger_balance (account_id) VALUES ({CASH})": {"balance_where_due"},
    "UPDATE ledger_account SET kind = 'pocket' WHERE owner_id = 1": {"balance_where_due", "entry_kind_fits_accounts"},
    "UPDATE ledger_hold SET amount = 11 WHERE key = 'open'": {"balance_follows_holds"},
    "DELETE FROM ledger_hold WHERE key = 'open'": {"balance_follows_holds"},
    "UPDATE ledger_hold SET resolved_key = 'x' WHERE key = 'open'": {"hold_resolution_complete"},
    "UPDATE ledger_hold SET resolved_reason = 'x' WHERE key = 'open'": {"hold_resolution_complete"},
    "UPDATE ledger_hold SET resolved_at = NULL WHERE captured > 0": {"hold_resolution_complete"},
    "UPDATE ledger_hold SET captured = amount + 1 WHERE captured > 0": {"hold_resolution_complete"},
    "UPDATE ledger_hold SET resolution = 'gone' WHERE captured > 0": {"hold_resolution_complete"},
    f"""UPDATE ledger_hold SET account_id = {CASH}
         WHERE resolution = 'released'""": {"settlement_resolves_two_holds"},
    "UPDATE ledger_hold SET captured = captured - 1 WHERE captured > 0": {"captures_match_lines"},
    "UPDATE ledger_hold SET entry_id = NULL WHERE captured > 0": {
        "hold_resolution_complete", "settlement_resolves_two_holds",
    },
    "DELETE FROM ledger_hold WHERE resolution = 'released'": {"settlement_resolves_two_holds"},
    "UPDATE ledger_housetotal SET total = total + 1": {"house_totals"},
    "DELETE FROM ledger_housetotal": {"house_totals"},
    "UPDATE ledger_seal SET digest = repeat('0', 64) WHERE number = 2": {"seal_chain"},
    "UPDATE ledger_seal SET entry_id = CASE number WHEN 1 THEN -2 ELSE -1 END WHERE number < 3": {"seal_chain"},
    "DELETE FROM ledger_seal WHERE number = 2": {"seal_chain", "seal_horizon"},
    "DELETE FROM ledger_seal WHERE number = (SELECT max(number) FROM ledger_seal)": {"seal_horizon", "chain_end"},
    """UPDATE ledger_entry SET kind = 'reversal', reverses_id = (SELECT min(id) FROM ledger_entry)
        WHERE kind = 'settlement'""": {"decided_by_two", "reversals_mirror"},
    "UPDATE ledger_account SET owes = true WHERE owner_id = 1": {"owes_follows_debts"},
    "UPDATE ledger_account SET status = 'frozen' WHERE owner_id = 1": {"status_follows_events"},
    """INSERT INTO ledger_period (month, starts_at, ends_at, entries, totals, digest, reason)
       VALUES ('2020-01-01', '2020-01-01', '2100-02-01', 0, '[]', '', 'x')""": {"closed_periods"},
    "ALTER TABLE ledger_line DISABLE TRIGGER ledger_line_written": {"guards_in_place"},
    "DROP TRIGGER ledger_hold_resolved ON ledger_hold": {"guards_in_place"},
    "GRANT UPDATE ON ledger_line TO nardy_app": {"application_role"},
}  # fmt: skip

DROP_CHECKS = """ALTER TABLE ledger_hold DROP CONSTRAINT ledger_hold_resolution_complete,
                                          DROP CONSTRAINT ledger_hold_amount_positive;
                 ALTER TABLE ledger_line DROP CONSTRAINT ledger_line_account_version;"""


def test_a_sound_ledger_has_no_violation(scene: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_ledger")
    assert "no violation" in capsys.readouterr().out


def test_every_planted_corruption_is_found(scene: None, as_superuser: None) -> None:
    missed = {}
    for sql, checks in CORRUPTIONS.items():
        found = planted(sql)
        if not checks <= found:
            missed[sql] = checks - found
    assert missed == {}
    assert set().union(*CORRUPTIONS.values()) == ledger_checks(), "a check without a test"


@pytest.fixture
def as_superuser(database: Any) -> Iterator[None]:
    """Django's own connection, logged in as the superuser."""
    user = connection.settings_dict["USER"]
    connection.close()
    connection.settings_dict["USER"] = urlsplit(database.superuser_url).username
    yield
    connection.close()
    connection.settings_dict["USER"] = user


def planted(sql: str) -> set[str]:
    """The checks that find what `sql` did, run as the application's role; all of it is rolled back."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(DROP_CHECKS)
        cursor.execute(sql)
        cursor.execute("SET LOCAL ROLE nardy_app")
        found = {violation.check for violation in verify.run()}
        transaction.set_rollback(True)
    return found


ROLE = "role nardy_app"

# What a careless or bribed administrator did to the application's role -> what is said about it.
SURPLUS = {
    "GRANT UPDATE (posted) ON ledger_balance TO nardy_app": {
        "may UPDATE ledger_balance.posted, which it was not granted",
    },
    "GRANT UPDATE ON ledger_housetotal TO PUBLIC": {"may UPDATE ledger_housetotal, which it was not granted"},
    "GRANT INSERT ON ledger_balance TO nardy_app": {"may INSERT ledger_balance, which it was not granted"},
    "GRANT SELECT ON ledger_entry TO nardy_app WITH GRANT OPTION": {
        "may SELECT WITH GRANT OPTION ledger_entry, which it was not granted",
    },
    "GRANT UPDATE ON SEQUENCE ledger_entry_id_seq TO nardy_app": {
        "may UPDATE ledger_entry_id_seq, which it was not granted",
    },
    "GRANT EXECUTE ON FUNCTION ledger_line_written() TO PUBLIC": {
        "may EXECUTE ledger_line_written(), which it was not granted",
    },
    "CREATE TABLE ledger_copy AS TABLE ledger_balance; GRANT DELETE ON ledger_copy TO nardy_app": {
        "may DELETE ledger_copy, which it was not granted",
    },
    "REVOKE INSERT (key) ON ledger_hold FROM nardy_app": {"may not INSERT ledger_hold.key, which it needs"},
    "REVOKE SELECT ON ledger_seal FROM nardy_app": {"may not SELECT ledger_seal, which it needs"},
    "REVOKE ALL ON FUNCTION ledger_lock_keys(text[]) FROM nardy_app": {
        "may not EXECUTE ledger_lock_keys(text[]), which it needs",
    },
    "CREATE ROLE friend; GRANT UPDATE ON ledger_seal TO friend; GRANT friend TO nardy_app": {
        "is a member of role friend", "may UPDATE ledger_seal, which it was not granted",
    },
    "GRANT nardy_owner TO nardy_app WITH INHERIT FALSE": {"is a member of role nardy_owner"},
    "ALTER ROLE nardy_app CREATEROLE": {"may create roles"},
    "ALTER ROLE nardy_app BYPASSRLS": {"bypasses row security"},
    "ALTER ROLE nardy_app SUPERUSER": {"is a superuser"},
    "ALTER TABLE ledger_balance OWNER TO nardy_app": {"owns ledger_balance"},
    "ALTER FUNCTION ledger_balance_moved() OWNER TO nardy_app": {"owns ledger_balance_moved()"},
    "GRANT CREATE ON SCHEMA public TO nardy_app": {"may create in the schema public"},
}  # fmt: skip


def test_every_right_beyond_the_granted_ones_is_named(scene: None, as_superuser: None) -> None:
    missed = {}
    for sql, lines in SURPLUS.items():
        said = said_of_role(sql)
        if not lines <= said:
            missed[sql] = said
    assert missed == {}


def test_one_column_too_many_is_one_line(scene: None, as_superuser: None) -> None:
    (sql, lines), *_ = SURPLUS.items()
    assert said_of_role(sql) == lines


def said_of_role(sql: str) -> set[str]:
    """What the check says of the application's role after `sql`, which is rolled back."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)
        cursor.execute("SET LOCAL ROLE nardy_app")
        found = set(guards.application_role())
        transaction.set_rollback(True)
    assert {subject for subject, _ in found} <= {ROLE}
    return {message for _, message in found}


def ledger_checks() -> set[str]:
    return {name for name, check in verify.CHECKS.items() if check.__module__.startswith("ledger.")}


def test_violations_are_located(scene: None, database: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with psycopg.connect(database.superuser_url) as intruder:
        intruder.execute("SET session_replication_role = replica")
        (number, entry), *_ = intruder.execute(
            """UPDATE ledger_line l SET amount = amount + 1 FROM ledger_seal s
                WHERE s.entry_id = l.entry_id AND l.amount = 4.5 RETURNING s.number, l.entry_id"""
        ).fetchall()
    with pytest.raises(SystemExit) as end:
        call_command("verify_ledger", "--json")
    assert end.value.code == 1
    answer = json.loads(capsys.readouterr().out)
    assert not answer["ok"]
    found = {(v["check"], v["subject"]) for v in answer["violations"]}
    assert ("lines_sum_to_zero", f"entry {entry}") in found
    assert [v for v in answer["violations"] if v["check"] == "seal_chain"] == [
        {
            "check": "seal_chain",
            "subject": f"seal {number}",
            "message": f"entry {entry} is not what was sealed, or seals were swapped",
        }
    ]


def test_checks_are_planned_for_whole_tables_whatever_the_statistics_say(scene: None, monkeypatch: Any) -> None:
    """With the statistics of an empty table, as after a bulk load, one check was seen to join row by row for hours."""

    def told() -> Iterator[tuple[str, str]]:
        with connection.cursor() as cursor:
            cursor.execute("SHOW enable_nestloop")
            yield "row by row", cursor.fetchone()[0]

    monkeypatch.setitem(verify.CHECKS, "told", told)
    assert [found.message for found in verify.run(["told"])] == ["off"]
    assert next(told())[1] == "on"  # nobody else is planned for so
