"""One database per test process, copied from a template that is migrated once per state of the migrations."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from nardy_platform import embedded
from nardy_platform.environment import BASE_DIR

# What a migrated database depends on.
SOURCES = (
    "*/migrations/*.py",
    "*/models.py",
    "*/grants.py",
    "ledger/sql/*.sql",
    "ledger/chart.py",
    "ledger/money.py",
    "nardy_platform/roles.py",
    "nardy_platform/apps.py",
    "requirements.txt",
)


@dataclass(frozen=True)
class Database:
    """A test database: the application's address of it, the owner's and the superuser's, and how to empty it."""

    name: str
    app_url: str
    owner_url: str
    superuser_url: str

    def empty(self) -> None:
        """Back to what the migrations left, in one round trip. TRUNCATE is refused by the ledger's triggers."""
        with psycopg.connect(self.superuser_url, autocommit=True) as connection:
            connection.execute(self._emptying_script())

    def _emptying_script(self) -> bytes:
        if self.name not in _scripts:
            with psycopg.connect(self.superuser_url) as connection:
                _scripts[self.name] = _write_script(connection).encode()
        return _scripts[self.name]


_scripts: dict[str, str | bytes] = {}


@contextmanager
def test_database(services: embedded.Services, data: Path) -> Iterator[Database]:
    """A fresh migrated database, dropped at the end; one that a killed run left behind is dropped by the next."""
    folder = data / "databases"
    folder.mkdir(exist_ok=True)
    name = f"test_{os.getpid()}"
    with psycopg.connect(services.superuser_url, autocommit=True) as admin:
        with (folder / "template.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            _drop_abandoned(admin, folder)
            in_use = (folder / f"{name}.lock").open("a")
            fcntl.flock(in_use, fcntl.LOCK_EX)
            template = _template(admin, services)
            admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} OWNER {embedded.OWNER} STRATEGY FILE_COPY")
        urls = (_at(url, name) for url in (services.database_url, services.owner_url, services.superuser_url))
        with in_use:
            _remember_seeds(_at(services.superuser_url, name))
            yield Database(name, *urls)
            admin.execute(f"DROP DATABASE {name} (FORCE)")
            os.unlink(in_use.name)


def _at(url: str, database: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def _drop_abandoned(admin: psycopg.Connection, folder: Path) -> None:
    for lock in folder.glob("test_*.lock"):
        with lock.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} (FORCE)").format(sql.Identifier(lock.stem)))
            lock.unlink()


def _template(admin: psycopg.Connection, services: embedded.Services) -> str:
    digest = hashlib.sha256()
    for source in sorted(path for pattern in SOURCES for path in BASE_DIR.glob(pattern)):
        digest.update(str(source).encode() + source.read_bytes())
    name = f"template_{digest.hexdigest()[:16]}"
    known = [row[0] for row in admin.execute("SELECT datname FROM pg_database WHERE datname LIKE 'template\\__%'")]
    if name in known:
        return name
    for old in known:
        admin.execute(f"DROP DATABASE {old} (FORCE)")
    admin.execute("DROP DATABASE IF EXISTS migrating (FORCE)")
    admin.execute(f"CREATE DATABASE migrating OWNER {embedded.OWNER}")
    _migrate(_at(services.database_url, "migrating"), _at(services.owner_url, "migrating"))
    admin.execute(f"ALTER DATABASE migrating RENAME TO {name}")
    return name


def _migrate(app_url: str, owner_url: str) -> None:
    command = [sys.executable, str(BASE_DIR / "manage.py"), "migrate", "--no-input", "-v", "0", "--skip-checks"]
    environment = os.environ | {"DATABASE_URL": app_url, "DATABASE_OWNER_URL": owner_url}
    environment["DJANGO_SETTINGS_MODULE"] = "nardy_platform.settings"
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"The test database could not be migrated:\n{done.stdout}{done.stderr}")


# --- Emptying ---------------------------------------------------------------------------------------------------------

TABLES = """SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = %s AND c.relkind = 'r' AND c.relname <> 'django_migrations' ORDER BY 1"""


def _remember_seeds(superuser_url: str) -> None:
    """Keep a copy of the rows that migrations made, for emptying puts them back."""
    with psycopg.connect(superuser_url) as connection:
        connection.execute("CREATE SCHEMA seed")
        for (table,) in connection.execute(TABLES, ["public"]).fetchall():
            if connection.execute(f'SELECT EXISTS (SELECT FROM "{table}")').fetchone() == (True,):
                connection.execute(f'CREATE TABLE seed."{table}" AS TABLE public."{table}"')


def _write_script(connection: psycopg.Connection) -> str:
    """Triggers and foreign keys are off for a replica, and DELETE is far quicker than TRUNCATE on small tables."""
    tables = [table for (table,) in connection.execute(TABLES, ["public"])]
    seeded = [table for (table,) in connection.execute(TABLES, ["seed"])]
    lines = ["SET lock_timeout = '20s'", "SET session_replication_role = replica"]
    lines += [f'DELETE FROM public."{table}"' for table in tables]
    lines += [_restore(connection, table) for table in seeded]
    return "BEGIN; " + "; ".join(lines) + "; COMMIT"


def _restore(connection: psycopg.Connection, table: str) -> str:
    query = """SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0
               AND NOT attisdropped AND attgenerated = '' ORDER BY attnum"""
    columns = ", ".join(f'"{name}"' for (name,) in connection.execute(query, [f'public."{table}"']))
    return f'INSERT INTO public."{table}" ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM seed."{table}"'
