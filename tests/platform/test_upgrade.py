"""A database full of data, as the first released state of the tables had it, goes through every migration since."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from games.play import act
from nardy_platform.environment import BASE_DIR
from tests.games.helpers import fund, started
from tests.ledger.support import seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

UPGRADED = f"upgraded_{os.getpid()}"
#: Where these apps stood when the site was first released; apps that came later are not there at all.
FIRST = [("ledger", "0002_guards"), ("games", "0002_append_only_events"), ("players", "0001_initial")]
MIGRATE_TO_FIRST = f"""
import django; django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
MigrationExecutor(connection).migrate({FIRST!r})
"""
MADE_BY_MIGRATE = {"django_migrations", "django_content_type", "auth_permission"}
COLUMNS = """SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('public.' || quote_ident(%s))
             AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum"""


@pytest.fixture
def url(database: Any) -> Iterator[str]:
    """The superuser's address of a new database; it is dropped at the end."""
    with psycopg.connect(database.superuser_url, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {UPGRADED} OWNER nardy_owner")
        yield urlunsplit(urlsplit(database.superuser_url)._replace(path=f"/{UPGRADED}"))
        admin.execute(f"DROP DATABASE {UPGRADED} (FORCE)")


@pytest.fixture
def site(alice: Any, bob: Any) -> None:
    """A settled game, one that waits for settlement, one that is played; the last deposit is not sealed."""
    fund(alice, "1000.00 UAH")
    fund(bob, "1000 XPC")
    for _ in range(2):
        game = started(alice, bob, stake="10.00 UAH", series_length=1)
        act(alice, game.pk, game.version, "resign")
    started(alice, bob, stake="10.00 UAH", series_length=1)
    seal_everything()
    fund(alice, "5.00 UAH")


def test_data_of_the_first_state_survive_every_migration(site: None, database: Any, url: str) -> None:
    run(url, "-c", MIGRATE_TO_FIRST, DATABASE_AS_OWNER="1")
    before = copy_data(database.superuser_url, url)
    assert before["ledger_entry"] > 3 and before["games_gameevent"] >= 4
    run(url, "manage.py", "migrate", "-v", "0", "--no-input")
    assert "no violation" in run(url, "manage.py", "verify_ledger")
    with psycopg.connect(url) as link:
        assert {table: count(link, table) for table in before} == before


def run(url: str, *command: str, **more: str) -> str:
    """Python with the site's own settings on that database; returns what it printed."""
    more |= {"DATABASE_URL": url.replace("//postgres@", "//nardy_app@"), "ANCHOR_FILE": ""}
    more |= {"DATABASE_OWNER_URL": url.replace("//postgres@", "//nardy_owner@")}
    more |= {"DJANGO_SETTINGS_MODULE": "nardy_platform.settings"}
    done = subprocess.run(
        [sys.executable, *command], env=os.environ | more, cwd=BASE_DIR, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copy_data(source: str, target: str) -> dict[str, int]:
    """Copy all rows of the tables that the first state had, by the columns that it had; returns rows by table."""
    copied = {}
    with psycopg.connect(source) as old, psycopg.connect(target) as new:
        new.execute("SET session_replication_role = replica")
        for (table,) in new.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall():
            there = {name for (name,) in old.execute(COLUMNS, [table])}
            names = ", ".join(f'"{name}"' for (name,) in new.execute(COLUMNS, [table]) if name in there)
            if table in MADE_BY_MIGRATE or table.startswith("ledger_chart") or not names:
                continue
            new.execute(f'DELETE FROM "{table}"')  # what the migrations themselves put there
            with old.cursor().copy(f'COPY (SELECT {names} FROM "{table}") TO STDOUT') as rows:  # noqa: SIM117
                with new.cursor().copy(f'COPY "{table}" ({names}) FROM STDIN') as place:
                    for row in rows:
                        place.write(row)
            copied[table] = count(new, table)
    return copied


def count(link: psycopg.Connection, table: str) -> int:
    row = link.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    assert row
    return int(row[0])
