"""Health for supervisors and load balancers. It stands before Django, so it answers when all page threads are busy.

/healthz/live: this process runs. /healthz/ready: it can serve pages; 503 with the reason when database, migrations or
Valkey are missing. Worker and beat only degrade it (pages work without them, and settlement waits), and so does what
stands still or waits for an operator, which is named only then. A beat that is gone cannot raise an alarm itself: the
probe does it.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import psycopg
import redis
import structlog
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from nardy_platform import pulse
from nardy_platform.replies import Receive, Scope, Send, reply
from watch import findings, stalls

logger = structlog.get_logger(__name__)

ANSWER_WITHIN_S = 3
CONNECT_S = 2
FRESH_S = 1  # several probes in one second share one look
SOFT = {*pulse.PARTS, "sealer", "settlement", "parked"}
ALARM_AFTER_S = 60
OWNS_TABLES = "SELECT EXISTS (SELECT FROM pg_class WHERE relowner = current_user::regrole AND relkind = 'r')"


class _Look:
    """One look at the services at a time; a hung service hangs one thread here, and no probe."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._running: asyncio.Future[dict[str, str]] | None = None
        self._began = 0.0

    async def report(self) -> dict[str, str]:
        stale = time.monotonic() - self._began > FRESH_S
        if self._running is None or (self._running.done() and stale):
            self._began = time.monotonic()
            self._running = asyncio.get_running_loop().run_in_executor(self._thread, look)
        try:
            return await asyncio.wait_for(asyncio.shield(self._running), ANSWER_WITHIN_S)
        except TimeoutError:
            waited = int(time.monotonic() - self._began)
            return {"services": f"database or Valkey do not answer (asked {waited} s ago)"}


_look = _Look()


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    """GET /healthz/live and /healthz/ready."""
    if scope["path"].rstrip("/") == "/healthz/live":
        await reply(send, 200, {"status": "ok"})
    elif scope["path"].rstrip("/") == "/healthz/ready":
        checks = await _look.report()
        status = verdict(checks)
        await reply(send, 503 if status == "unavailable" else 200, {"status": status, "checks": checks})
    else:
        await reply(send, 404, {"status": "unknown", "reason": "Ask /healthz/live or /healthz/ready."})


def verdict(checks: dict[str, str]) -> str:
    """ "ok", "degraded" (only worker, beat or operators' work are missing) or "unavailable"."""
    failed = {name for name, state in checks.items() if state != "ok"}
    if not failed:
        return "ok"
    return "degraded" if failed <= SOFT else "unavailable"


def look() -> dict[str, str]:
    """The state of each part: "ok", or what is wrong with it."""
    valkey = _valkey()
    return _database(_silent_for_long(valkey)) | valkey


_silent_since: dict[str, float] = {}


def _silent_for_long(valkey: dict[str, str]) -> dict[str, str]:
    """Parts whose signs of life have been missing for a minute of this process's life, with what was said of them."""
    for part in pulse.PARTS:
        if valkey[part] == "ok":
            _silent_since.pop(part, None)
        else:
            _silent_since.setdefault(part, time.monotonic())
    return {part: valkey[part] for part, since in _silent_since.items() if time.monotonic() - since > ALARM_AFTER_S}


def _database(silent: dict[str, str]) -> dict[str, str]:
    parameters = connection.get_connection_params() | {
        "connect_timeout": CONNECT_S,
        "options": "-c statement_timeout=1500",
    }
    try:
        with psycopg.connect(**parameters, autocommit=True) as link:
            owns_tables = link.execute(OWNS_TABLES).fetchone() == (True,)
            applied = set(link.execute("SELECT app, name FROM django_migrations").fetchall())
            missing = sorted(".".join(node) for node in _latest_migrations() - applied)
            waiting = {} if missing else _watch(link, silent)
    except psycopg.errors.UndefinedTable:
        return {"database": "ok", "migrations": "none is applied; run manage.py migrate"}
    except psycopg.Error as error:
        logger.warning("health: the database does not answer", reason=str(error).strip())
        return {"database": "no answer; the log has the reason", "migrations": "not known"}
    if owns_tables:
        logger.error("health: the application must not log in as an owner of tables; see docs/operations.md")
        return {"database": "set up wrongly; the log has the reason", "migrations": "not known"}
    if missing:
        logger.error("health: migrations are not applied", missing=missing)
    applied_all = f"{len(missing)} not applied; run manage.py migrate" if missing else "ok"
    return {"database": "ok", "migrations": applied_all} | waiting


def _watch(link: psycopg.Connection[tuple[object, ...]], silent: dict[str, str]) -> dict[str, str]:
    for part, said in silent.items():
        logger.error("alarm", part=part, said=said)
        link.execute(findings.NOTE_SQL, ["stalled", part, said])
    waiting = stalls.look(lambda query: link.execute(query).fetchone())  # type: ignore[call-overload]
    return {one.part: one.said for one in waiting}


@lru_cache(maxsize=1)
def _latest_migrations() -> set[tuple[str, str]]:
    return set(MigrationLoader(None).graph.leaf_nodes())


def _valkey() -> dict[str, str]:
    try:
        missing = pulse.missing()
    except redis.RedisError as error:
        logger.warning("health: Valkey does not answer", reason=str(error))
        return {"valkey": "no answer; the log has the reason"} | dict.fromkeys(pulse.PARTS, "not known")
    said = dict.fromkeys(missing, f"no sign of life in the last {pulse.EXPIRES_S} s")
    return {"valkey": "ok"} | dict.fromkeys(pulse.PARTS, "ok") | said
