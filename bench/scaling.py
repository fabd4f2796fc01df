"""What PostgreSQL's own means of growing cost or bring, measured: partitions, a streaming replica, a pooler.

All of it on this one machine, so a replica takes its share of the same cores and its network takes no time: what is
shown is what each costs, not what a second machine brings. The pooler is Debian's pgbouncer, left out where it is not
installed.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from bench import _scaling_partitions as partitions
from bench import settlement
from nardy_platform import embedded

DATA = settlement.ROOT / "build" / "bench-scaling"
PATIENCE_S = 20


def run() -> dict[str, Any]:
    """Prints three tables and returns the figures."""
    with settlement.running(DATA) as services:
        environment = settlement.database(services, "scaling", DATA)
        figures: dict[str, Any] = {"replica": _replica(services, environment), "pooler": _pooler(environment)}
        with psycopg.connect(environment["SUPERUSER_URL"], autocommit=True) as connection:
            figures["partitions"] = partitions.run(connection)
    for title, rows in figures.items():
        print(f"{title}:")
        for name, row in rows.items():
            print(f"  {name:28}" + "  ".join(f"{key.replace('_', ' ')} {value:,.2f}" for key, value in row.items()))
    return figures


def _calls(environment: dict[str, str], name: str) -> Any:
    return settlement.figures_of("bench._scaling_calls", environment, name)


def _replica(services: embedded.Services, environment: dict[str, str]) -> dict[str, Any]:
    """Settlement without a replica, with one that follows, and with one that every commit waits for."""
    figures = {"no replica": _calls(environment, "none")}
    with psycopg.connect(services.superuser_url, autocommit=True) as primary, _standby(services):
        figures["one that follows"] = _calls(environment, "async")
        sent = time.perf_counter()
        (at,) = primary.execute("SELECT pg_current_wal_lsn()").fetchone() or ("",)
        behind = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= %s::pg_lsn"
        while not (primary.execute(behind, [at]).fetchone() or (0,))[0]:
            time.sleep(0.001)
        figures["one that follows"]["replayed_ms_later"] = 1000 * (time.perf_counter() - sent)
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.execute("SELECT pg_reload_conf()")
        try:
            figures["one that commits wait for"] = _calls(environment, "sync")
        finally:
            primary.execute("ALTER SYSTEM RESET synchronous_standby_names")
            primary.execute("SELECT pg_reload_conf()")
    return figures


@contextlib.contextmanager
def _standby(services: embedded.Services) -> Iterator[None]:
    """A hot standby of the embedded PostgreSQL in a folder beside it, streaming when the block begins."""
    layout = embedded.Layout(DATA)
    folder, binaries = DATA / "standby", embedded.postgres_binaries()
    run_as = embedded.as_server(layout)
    embedded.give_to_server(layout, DATA)
    backup = [binaries / "pg_basebackup", "-D", folder, "-R", "-c", "fast", "-d", services.superuser_url]
    subprocess.run([*run_as, *map(str, backup)], check=True)
    (folder / "run").mkdir()
    embedded.give_to_server(layout, folder / "run")
    like_primary = [f"--{name}={value}" for name, value in embedded.SERVER_SETTINGS.items()]
    server = subprocess.Popen(
        [*run_as, str(binaries / "postgres"), "-D", str(folder), "-k", str(folder / "run"), *like_primary],
        stdout=subprocess.DEVNULL, stderr=(DATA / "standby.log").open("wb"),
    )  # fmt: skip
    try:
        with psycopg.connect(services.superuser_url, autocommit=True) as primary:
            give_up = time.monotonic() + PATIENCE_S
            while not primary.execute("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'").fetchone():
                if time.monotonic() > give_up:
                    raise TimeoutError(f"the standby does not stream: {(DATA / 'standby.log').read_text()[-500:]}")
                time.sleep(0.1)
        yield
    finally:
        server.terminate()
        server.wait()


def _pooler(environment: dict[str, str]) -> dict[str, Any]:
    """Settlement through pgbouncer in transaction mode, and the server's connections behind 100 clients."""
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        print("pgbouncer is not installed: left out")
        return {}
    direct = _calls(environment, "direct")
    with _pgbouncer(program, environment["DATABASE_URL"]) as url:
        pooled = _calls(environment | {"DATABASE_URL": url}, "pooled")
        pooled["servers_for_100_clients"] = _servers(url, environment["SUPERUSER_URL"])
    return {"direct": direct, "pgbouncer": pooled}


@contextlib.contextmanager
def _pgbouncer(program: str, target: str) -> Iterator[str]:
    parts = urlsplit(target)
    folder = Path(DATA / "pooler")
    folder.mkdir()
    embedded.give_to_server(embedded.Layout(DATA), folder)
    settings = f"""
[databases]
{parts.path[1:]} = host={embedded.Layout(DATA).sockets} user={parts.username}
[pgbouncer]
unix_socket_dir = {folder}
listen_addr =
auth_type = any
pool_mode = transaction
default_pool_size = 10
max_client_conn = 500
ignore_startup_parameters = extra_float_digits
"""
    (folder / "pgbouncer.ini").write_text(settings)
    command = [*embedded.as_server(embedded.Layout(DATA)), program, "-q", str(folder / "pgbouncer.ini")]
    log = (DATA / "pgbouncer.log").open("wb")
    server = subprocess.Popen(command, stdout=log, stderr=log)
    host = str(folder).replace("/", "%2F")
    url = urlunsplit(parts._replace(netloc=f"{parts.username}@{host}:6432"))
    try:
        give_up = time.monotonic() + PATIENCE_S
        while not (folder / ".s.PGSQL.6432").exists():
            if time.monotonic() > give_up:
                raise TimeoutError(f"pgbouncer does not answer: {(DATA / 'pgbouncer.log').read_text()[-500:]}")
            time.sleep(0.05)
        yield url
    finally:
        server.terminate()
        server.wait()


def _servers(url: str, superuser: str) -> int:
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(psycopg.connect(url, prepare_threshold=None)) for _ in range(100)]
        for client in clients:
            client.execute("SELECT 1")
            client.commit()
        with psycopg.connect(superuser) as server:
            asked = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s"
            return int((server.execute(asked, [urlsplit(url).username]).fetchone() or (0,))[0])
