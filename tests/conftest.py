"""Fixtures for all tests: real PostgreSQL and Valkey, a cast of users, real worker processes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings

from nardy_platform import embedded
from tests.support import processes
from tests.support.database import Database, test_database

# Programs of Debian that some tests compare us with or drive: marker -> program.
NEEDED = {"browser": "chromium", "hledger": "hledger", "gnubg": "gnubg"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    path = os.environ["PATH"] + ":/usr/games"
    absent = {marker: program for marker, program in NEEDED.items() if not shutil.which(program, path=path)}
    for item in items:
        for marker in item.keywords.keys() & absent.keys():
            item.add_marker(pytest.mark.skip(reason=f"{absent[marker]} is not installed"))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    left_out = terminalreporter.stats.get("skipped", [])
    for report in left_out:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        terminalreporter.write_line(f"LEFT OUT {report.nodeid}: {reason}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI nothing may be left out."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("LEFT_OUT_FAILS") and reporter and reporter.stats.get("skipped") and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def services() -> embedded.Services:
    """The embedded PostgreSQL of the tests' own data folder, joined or started."""
    return embedded.ensure(settings.TEST_DATA_DIR, durable=False)


@pytest.fixture(scope="session")
def valkey() -> Iterator[str]:
    """The URL of a Valkey of this test process alone (settings.VALKEY_URL)."""
    socket = Path(settings.VALKEY_URL.removeprefix("unix://").partition("?")[0])
    with processes.valkey(socket):
        yield settings.VALKEY_URL
    shutil.rmtree(socket.parent, ignore_errors=True)


@pytest.fixture(scope="session")
def database(services: embedded.Services) -> Iterator[Database]:
    """This test process's own database, made by the owner; the application's role logs in to it."""
    with test_database(services, Path(settings.TEST_DATA_DIR)) as database:
        yield database


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: Any, database: Database, valkey: str
) -> Iterator[None]:
    """pytest-django's hook: Django connects to our database as the application's role and makes none itself."""
    from django.db import connection
    from django.test import TransactionTestCase

    connection.settings_dict["NAME"] = database.name
    os.environ.update(DATABASE_URL=database.app_url, DATABASE_OWNER_URL=database.owner_url)  # for child processes
    TransactionTestCase._fixture_teardown = lambda self: database.empty()
    yield
    with django_db_blocker.unblock():
        connection.close()


@pytest.fixture
def owner_connection(django_db_setup: None, database: Database) -> Iterator[psycopg.Connection]:
    """A raw connection as the owner of all tables, in autocommit. It sees only what was committed."""
    with psycopg.connect(database.owner_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def start_worker(transactional_db: None) -> Callable[..., AbstractContextManager[Any]]:
    """`with start_worker() as process:` runs a real Celery worker on the test database."""
    return processes.celery_worker


@pytest.fixture
def owners_are_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenes of the ledger alone, whose owners are no persons: verification leaves the persons out."""
    from ledger import verify

    monkeypatch.delitem(verify.CHECKS, "money_has_a_person")


# --- The cast ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def make_user(db: None) -> Callable[..., Any]:
    """make_user("carol", is_staff=True): a user whose password is "password"."""
    from players.models import Player

    def make(username: str, **fields: Any) -> Player:
        return Player.objects.create_user(username, f"{username}@example.org", "password", **fields)

    return make


@pytest.fixture
def alice(make_user: Callable[..., Any]) -> Any:
    return make_user("alice")


@pytest.fixture
def bob(make_user: Callable[..., Any]) -> Any:
    """Alice's opponent."""
    return make_user("bob")


@pytest.fixture
def stranger(make_user: Callable[..., Any]) -> Any:
    """Somebody who has no part in what alice and bob do."""
    return make_user("stranger")


@pytest.fixture
def operator(make_user: Callable[..., Any]) -> Any:
    """Staff with the operators' role, as in production: no superuser."""
    from players import roles

    person = make_user("operator")
    roles.give(person, roles.OPERATORS)
    return person
