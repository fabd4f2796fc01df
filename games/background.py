"""What settles and sweeps while a crowd plays: a thread here, or real worker processes that are killed (faults)."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from games import clocks, settle, wake
from games.models import Game

EVERY_S = 0.2
FAULT_EVERY_S = (1.0, 4.0)
WORKER = [sys.executable, "-m", "celery", "-A", "nardy_platform", "worker", "-B", "-c", "1", "-l", "error"]


@contextlib.contextmanager
def in_process() -> Iterator[None]:
    """Settle and sweep in a thread until the block ends, then settle what is left."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(EVERY_S):
            clocks.sweep()
            settle.claim_and_settle()
        connection.close()

    thread = threading.Thread(target=work, name="settler")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
    settle.claim_and_settle()


@contextlib.contextmanager
def under_faults(seed: int, say: Callable[[str], object]) -> Iterator[None]:
    """A real worker with beat settles; every few seconds something breaks, until the block ends and all is settled.

    Faults: the worker is killed (kill -9) and started again; every database connection is cut; the broker loses all
    its messages; a settlement task is delivered many times.
    """
    stop = threading.Event()
    chaos = _Chaos(random.Random(seed), say)
    thread = threading.Thread(target=chaos.run, args=(stop,), name="chaos")
    thread.start()
    try:
        yield
        chaos.wait_until_settled()
    finally:
        stop.set()
        thread.join()
        chaos.kill_worker()


class _Chaos:
    def __init__(self, luck: random.Random, say: Callable[[str], object]) -> None:
        self.luck = luck
        self.say = say
        self.worker = self._start_worker()

    def run(self, stop: threading.Event) -> None:
        faults = [
            self.restart_worker,
            self.restart_worker,
            self.cut_connections,
            self.lose_messages,
            self.deliver_often,
        ]
        while not stop.wait(self.luck.uniform(*FAULT_EVERY_S)):
            fault = self.luck.choice(faults)
            self.say(f"fault: {fault.__name__.replace('_', ' ')}")
            with contextlib.suppress(DatabaseError, InterfaceError, redis.RedisError):
                fault()
        connection.close()

    def restart_worker(self) -> None:
        self.kill_worker()
        self.worker = self._start_worker()

    def cut_connections(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
            )

    def lose_messages(self) -> None:
        with redis.Redis.from_url(settings.VALKEY_URL) as valkey:
            valkey.flushdb()

    def deliver_often(self) -> None:
        for _ in range(20):
            wake.settlement()

    def kill_worker(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.worker.pid, signal.SIGKILL)
        self.worker.wait()

    def wait_until_settled(self, patience_s: float = 120) -> None:
        give_up = time.monotonic() + patience_s
        while time.monotonic() < give_up:
            with contextlib.suppress(DatabaseError, InterfaceError):
                if not Game.objects.filter(settlement=Game.Settlement.PENDING).exists():
                    return
                time.sleep(0.2)
                continue
            connection.close()

    def _start_worker(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(WORKER, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
