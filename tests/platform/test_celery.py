"""Worker, beat and broker with real processes: the schedule, a dead broker, a killed worker, a restarted broker."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db import connection
from kombu import Connection

from games.tasks import settle_pending
from nardy_platform import celery_app, pulse
from nardy_platform.tasks import pulse as pulse_task
from tests.support.processes import running, wait_until
from tests.support.processes import valkey as private_valkey

pytestmark = pytest.mark.django_db(transaction=True)


def test_everything_scheduled_is_a_task_that_expires_and_keeps_no_result():
    celery_app.loader.import_default_modules()
    for name, entry in settings.CELERY_BEAT_SCHEDULE.items():
        assert entry["task"] in celery_app.tasks, name
        if isinstance(entry["schedule"], float):
            assert entry["options"]["expires"] > entry["schedule"]
        else:
            assert entry["options"]["expires"] <= 3600, "before the next of its kind"
        assert entry["options"]["ignore_result"]


def test_a_worker_and_beat_show_that_they_live(start_worker, valkey):
    beat = [sys.executable, "-m", "celery", "-A", "nardy_platform", "beat", "--pidfile=", "-l", "WARNING"]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "nardy_platform.settings"}
    with start_worker(), running(beat, env=environment):
        wait_until(lambda: pulse.missing() == [], what="signs of life of both")


def test_tasks_share_a_connection_and_get_another_when_it_breaks(start_worker):
    with start_worker():
        first = after_a_task(set())
        assert len(first) == 1
        assert after_a_task(set()) == first
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [*first])
        second = after_a_task(first)
        assert len(second) == 1
        assert second != first


def after_a_task(gone: set[int]) -> set[int]:
    """Back-ends of the worker once it has done a task with another one than those."""
    began = asked("SELECT clock_timestamp()")
    settle_pending.apply_async()
    theirs = "pid <> pg_backend_pid() AND backend_type = 'client backend' AND datname = current_database()"
    wait_until(
        lambda: (
            asked(
                f"SELECT count(*) FROM pg_stat_activity WHERE {theirs} AND state_change > %s AND state = 'idle'", began
            )
            and not gone & asked(f"SELECT array_agg(pid) FROM pg_stat_activity WHERE {theirs}", as_set=True)
        ),
        what="the task",
    )
    return asked(f"SELECT array_agg(pid) FROM pg_stat_activity WHERE {theirs}", as_set=True)


def asked(query: str, *params: Any, as_set: bool = False) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query, params or None)
        (found,) = cursor.fetchone()
    return set(found or ()) if as_set else found


def test_a_killed_worker_leaves_no_pool_process(start_worker):
    with start_worker() as worker:
        pool = Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()
        assert pool
        worker.kill()
        worker.wait()
        wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pool), what="the end of the pool")


def test_a_broker_that_accepts_and_never_answers_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        raised: list[Exception] = []

        def publish() -> None:
            try:
                with Connection(url, transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS) as connection:
                    pulse_task.apply_async(connection=connection, retry=False)
            except Exception as error:
                raised.append(error)

        thread = threading.Thread(target=publish, daemon=True)
        thread.start()
        thread.join(20)
        assert not thread.is_alive(), "publishing hangs on a silent broker"
    assert raised


@contextmanager
def worker_on(url: str) -> Iterator[None]:
    command = [sys.executable, "-m", "celery", "-A", "nardy_platform", "worker", "-c", "1", "-l", "WARNING"]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "nardy_platform.settings", "VALKEY_URL": url}
    with running([*command, "--without-gossip", "--without-mingle"], env=environment) as process:
        yield
        assert process.poll() is None, "the worker ended"


def works(url: str) -> bool:
    """Whether a task sent now leaves its sign."""
    client = redis.Redis.from_url(url)
    client.delete(pulse._key("worker"))
    with Connection(url.replace("unix://", "redis+socket://")) as connection:
        pulse_task.apply_async(connection=connection)
    wait_until(lambda: client.get(pulse._key("worker")), 60, "the sign of a task done")
    return True


def test_a_worker_goes_on_after_its_broker_was_restarted():
    with tempfile.TemporaryDirectory(prefix="nardy-v-") as folder:
        at = Path(folder) / "broker" / "valkey.sock"
        url = f"unix://{at}?db=0"
        with ExitStack() as broker:
            broker.enter_context(private_valkey(at))
            with worker_on(url):
                assert works(url)
                broker.close()  # kill -9
                at.unlink()
                with private_valkey(at):
                    assert works(url)
