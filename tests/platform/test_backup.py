"""A rehearsed disaster: back up a site with money in it, go on, restore into a new database, verify, and post there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.core.management import CommandError, call_command

from games.play import act
from nardy_platform.environment import BASE_DIR
from tests.games.helpers import fund, started
from tests.ledger.support import seal_everything

pytestmark = pytest.mark.django_db(transaction=True)
COPY = f"restored_{os.getpid()}"


@pytest.fixture
def copy_url(database: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The superuser's address of the database to restore into; it is dropped at the end."""
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")  # for the commands that restore starts
    yield urlunsplit(urlsplit(database.superuser_url)._replace(path=f"/{COPY}"))
    with psycopg.connect(database.superuser_url, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {COPY} (FORCE)")


@pytest.fixture
def site(database: Any, alice: Any, bob: Any, settings: Any, tmp_path: Path) -> None:
    """A finished game that awaits settlement, one that is played; all but the last deposit is sealed."""
    with psycopg.connect(database.superuser_url) as admin:  # the tests' own copy of rows is in the dump too
        admin.execute("GRANT USAGE ON SCHEMA seed TO nardy_owner")
        admin.execute("GRANT SELECT ON ALL TABLES IN SCHEMA seed TO nardy_owner")
    settings.ANCHOR_FILE = str(tmp_path / "anchors.jsonl")
    fund(alice, "1000.00 UAH")
    fund(bob, "1000.00 UAH")
    game = started(alice, bob, stake="10.00 UAH", series_length=1)
    act(alice, game.pk, game.version, "resign")
    started(alice, bob, stake="10.00 UAH", series_length=1)
    seal_everything()
    fund(alice, "5.00 UAH")


def test_a_backup_is_restored_and_the_ledger_goes_on_in_it(
    site: None, alice: Any, copy_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("backup", str(tmp_path / "site.dump"))
    fund(alice, "7.00 UAH")  # after the backup: this is lost
    seal_everything()
    call_command("restore", str(tmp_path / "site.dump"), "--into", COPY)
    said = capsys.readouterr().out
    with psycopg.connect(copy_url) as copy:
        sealed, entries, xids = copy.execute(
            "SELECT (SELECT max(number) FROM ledger_seal), count(*), max(xid) FROM ledger_entry"
        ).fetchone() or (0, 0, 0)
    assert (entries, xids) == (sealed + 1, 0)
    assert f"up to journal number {sealed}. The ledger holds" in said
    assert "NOT in this backup: 2 later entries" in said
    go_on_in(copy_url, tmp_path)


def go_on_in(copy_url: str, tmp_path: Path) -> None:
    """Settle what was pending, seal what was not, and verify, as the application's role on the restored database."""
    url = copy_url.replace("//postgres@", "//nardy_app@")
    work = (
        "from games.settle import claim_and_settle, Settled; from ledger import verify;"
        "from tests.ledger.support import seal_everything;"
        "assert claim_and_settle() == Settled(1, 0); seal_everything();"
        "assert list(verify.run()) == []; print('it goes on')"
    )
    more = {"DATABASE_URL": url, "ANCHOR_FILE": str(tmp_path / f"anchors.{COPY}.jsonl")}
    command = [sys.executable, str(BASE_DIR / "manage.py"), "shell", "-v", "0", "-c", work]
    done = subprocess.run(command, env=os.environ | more, capture_output=True, text=True)
    assert "it goes on" in done.stdout, done.stdout + done.stderr


def test_a_tampered_backup_does_not_pass(site: None, database: Any, copy_url: str, tmp_path: Path) -> None:
    with psycopg.connect(database.superuser_url) as intruder:
        intruder.execute("SET session_replication_role = replica")
        intruder.execute("UPDATE ledger_entry SET reason = 'another' WHERE id = (SELECT min(id) FROM ledger_entry)")
    call_command("backup", str(tmp_path / "site.dump"))
    with pytest.raises(CommandError, match="seal_chain: seal 1"):
        call_command("restore", str(tmp_path / "site.dump"), "--into", COPY)


def test_nothing_is_ever_overwritten(site: None, database: Any, tmp_path: Path) -> None:
    target = tmp_path / "site.dump"
    target.write_text("precious")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", str(target))
    assert target.read_text() == "precious"
    with pytest.raises(CommandError, match="is not empty"):
        call_command("restore", str(target), "--into", database.name)


@pytest.mark.parametrize("name", ["Nardy", "a-b", 'x"; DROP DATABASE nardy; --', ""])
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is no name for a database"):
        call_command("restore", str(tmp_path / "site.dump"), "--into", name)
