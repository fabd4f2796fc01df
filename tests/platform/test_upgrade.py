"""A site of before the promotion fund goes through the migrations since and goes on (test_upgrade_states: all)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest

from ledger import accounts, chart
from ledger.money import CURRENCIES
from ledger.posting import Draft, Part, post
from nardy_platform.environment import BASE_DIR
from tests.ledger.support import seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

UPGRADED = f"upgraded_{os.getpid()}"
#: Where these apps stood when the site was first released; apps that came later are not there at all.
FIRST = [("ledger", "0002_guards"), ("games", "0002_append_only_events"), ("players", "0001_initial")]
#: The last state in which tournaments got added money from the promotion expense itself.
BEFORE_THE_FUND = [
    ("ledger", "0006_period_guards"), ("games", "0003_points_series"), ("players", "0002_names"),
    ("tournaments", "0002_append_only_log"),
]  # fmt: skip
MIGRATE = """
import django; django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
MigrationExecutor(connection).migrate({targets!r})
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


SEAL = "import django; django.setup(); from tests.ledger.support import seal_everything; seal_everything()"
#: What a director and an operator do after the upgrade, to the running tournament and to the announced one.
AFTER_THE_UPGRADE = """
import django; django.setup()
from django.db import transaction
from ledger import book
from ledger.money import parse
from tournaments import life
from tournaments.errors import CannotStart
from tournaments.models import Tournament
running, announced = Tournament.objects.order_by("pk")
assert str(book.pool(running.pk, "UAH").amount) == "100.00" and book.pool(announced.pk, "UAH").amount == 0
life.close_registration(announced.pk)
try:
    life.start(announced.pk)
except CannotStart as error:
    print(error)
life.cancel(running.pk, reason="a test")
print("the fund has", book.promotion_fund("UAH").amount)
with transaction.atomic():  # 60 of it for what was given without any cover
    book.pay_in_capital("capital", parse("70.00 UAH"), None, "a test")
    book.fund_promotion("fund", parse("10.00 UAH"), None, "a test")
life.start(announced.pk)
print("the pool has", book.pool(announced.pk, "UAH").amount)
"""


@pytest.fixture
def tournaments_of_old(database: Any, monkeypatch: Any) -> Iterator[None]:
    """One is running with 60 that came from promotion itself, one announced with 70 promised and nothing set aside."""
    from tests.tournaments import playing
    from tournaments import life, purse, registration

    with psycopg.connect(database.superuser_url, autocommit=True) as superuser:
        superuser.execute("INSERT INTO ledger_chart_rule VALUES ('tournament_overlay', 'promotion')")
        monkeypatch.setattr(purse, "keep_promise", lambda tournament: None)
        monkeypatch.setattr(purse, "_draw", draw_as_of_old)
        playing.started(4, guarantee="100.00")
        monkeypatch.undo()
        monkeypatch.setattr(purse, "keep_promise", lambda tournament: None)
        announced = playing.make(guarantee="90.00")
        life.announce(announced.pk)
        life.open_registration(announced.pk)
        for player in playing.people(2):
            registration.register(player, announced.pk)
        seal_everything()
        yield
        superuser.execute(
            "DELETE FROM ledger_chart_rule WHERE entry_kind = 'tournament_overlay' AND account_kind = 'promotion'"
        )


def draw_as_of_old(tournament: Any, amount: Any) -> None:
    ids = accounts.open_ids([accounts.pool(tournament.pk, "UAH"), accounts.house(chart.PROMOTION, "UAH")])
    pool, promotion = ids[accounts.pool(tournament.pk, "UAH")], ids[accounts.house(chart.PROMOTION, "UAH")]
    parts = (Part(promotion, "UAH", -amount.amount), Part(pool, "UAH", amount.amount))
    reference = f"tournament:{tournament.pk}"
    (outcome,) = post([Draft(f"{reference}:overlay", chart.TOURNAMENT_OVERLAY, reference, parts)])
    assert outcome.error is None


def test_promotion_of_old_goes_on_with_a_fund(tournaments_of_old: None, database: Any, url: str) -> None:
    """Old lines stay, what they gave comes back to the fund, and what was promised without money asks for it."""
    run(url, "-c", MIGRATE.format(targets=BEFORE_THE_FUND), DATABASE_AS_OWNER="1")
    before = copy_data(database.superuser_url, url)
    with psycopg.connect(url) as link:  # a database of old has no such accounts
        link.execute("SET session_replication_role = replica")
        new = "SELECT id FROM ledger_account WHERE kind IN ('promotion_fund', 'capital')"
        link.execute(f"DELETE FROM ledger_balance WHERE account_id IN ({new})")
        before["ledger_account"] -= link.execute(f"DELETE FROM ledger_account WHERE id IN ({new})").rowcount
        before["ledger_balance"] = count(link, "ledger_balance")
    run(url, "manage.py", "migrate", "-v", "0", "--no-input")
    assert "no violation" in run(url, "manage.py", "verify_ledger")
    with psycopg.connect(url) as link:
        after = {table: count(link, table) for table in before}
    grown = {table: after[table] - number for table, number in before.items() if after[table] != number}
    assert grown == {"ledger_account": 2 * len(CURRENCIES), "ledger_balance": len(CURRENCIES)}
    said = run(url, "-c", AFTER_THE_UPGRADE)
    assert "of the promotion fund are promised, and it has" in said
    assert "the fund has 60.00" in said and "the pool has 90.00" in said
    run(url, "-c", SEAL)
    assert "no violation" in run(url, "manage.py", "verify_ledger")


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
        for table in copied:  # ids go on where they were
            if "id" in {name for (name,) in new.execute(COLUMNS, [table])}:
                new.execute(
                    f"""SELECT setval(pg_get_serial_sequence('"{table}"', 'id'), (SELECT max(id) FROM "{table}"))
                         WHERE pg_get_serial_sequence('"{table}"', 'id') IS NOT NULL"""
                )
    return copied


def count(link: psycopg.Connection, table: str) -> int:
    row = link.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    assert row
    return int(row[0])
