"""Faults, at moments drawn from a seed, for a site that plays: manage.py simulate --faults.

The schedule (pauses, faults, lengths) depends on the seed alone; what it hits depends on the processes. Faults are
dealt like cards, each kind once before any comes again, so that even a short run has all of them.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from games import clocks, settle, site, wake
from games.crowd import Tally

PAUSE_S = (0.5, 2.5)
LENGTH_S = (0.3, 2.0)
CALM_WITHIN_S = 180
HIT_WITHIN_S = 30
PASSING = (DatabaseError, InterfaceError, redis.RedisError, OSError)
KINDS = (
    "worker killed",
    "web process killed",
    "beat killed",
    "database connections cut",
    "PostgreSQL stopped hard",
    "Valkey killed",
    "messages lost",
    "tasks delivered twice and out of order",
    "beat stopped for a while",
    "sweep out of turn",
)


@dataclass(frozen=True)
class Fault:
    """After `pause_s`, `kind` happens; where it lasts, for `length_s`. `luck` decides whatever else is open."""

    pause_s: float
    kind: str
    length_s: float
    luck: float


def schedule(seed: int) -> Iterator[Fault]:
    """The faults of a run, without end; the same for the same seed."""
    dealer = random.Random(f"faults {seed}")
    while True:
        for kind in dealer.sample(KINDS, len(KINDS)):
            yield Fault(dealer.uniform(*PAUSE_S), kind, dealer.uniform(*LENGTH_S), dealer.random())


@contextlib.contextmanager
def happening(
    seed: int, running: site.Site, tally: Tally, say: Callable[[str], object], missing: Callable[[], str]
) -> Iterator[None]:
    """Faults happen until the block ends and each kind has been there; then the site gets time to do what is left.

    `missing` says what is still to be done then; what it still says after CALM_WITHIN_S is a failure of the run.
    """
    over = threading.Event()
    chaos = _Chaos(running, tally, say)
    thread = threading.Thread(target=chaos.run, args=(seed, over, missing), name="chaos")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if chaos.left_undone:
        tally.fail(f"{CALM_WITHIN_S} s after the last fault: {chaos.left_undone}")


class _Chaos:
    def __init__(self, running: site.Site, tally: Tally, say: Callable[[str], object]) -> None:
        self.site = running
        self.tally = tally
        self.say = say
        self.left_undone = "the faults broke off"
        self.acts: dict[str, Callable[[Fault], None]] = dict(
            zip(
                KINDS,
                (
                    lambda fault: self.site.restart("worker"),
                    lambda fault: self.site.restart("web 1" if fault.luck < 0.5 else "web 2"),
                    lambda fault: self.site.restart("beat"),
                    lambda fault: cut_connections(),
                    lambda fault: stop_postgres_hard(),
                    lambda fault: kill_valkey(),
                    lambda fault: lose_messages(),
                    self.deliver_twice,
                    self.stop_beat,
                    lambda fault: sweep_out_of_turn(),
                ),
                strict=True,
            )
        )

    def run(self, seed: int, over: threading.Event, missing: Callable[[], str]) -> None:
        for number, fault in enumerate(schedule(seed)):
            if over.is_set() and number >= len(KINDS):
                break
            over.wait(fault.pause_s) if not over.is_set() else time.sleep(fault.pause_s)
            self.say(f"fault {number + 1}: {fault.kind}")
            self._hit(fault)
            self.tally.add("hit after the last game" if over.is_set() else "hit while games were played")
        # Here, not in the main thread: what this thread restarted dies with it (site.Site).
        self.left_undone = self._calm(missing)
        connection.close()

    def _hit(self, fault: Fault) -> None:
        """Until there is something to hit: it may be down already, from the fault before."""
        give_up = time.monotonic() + HIT_WITHIN_S
        while True:
            connection.close()  # the one it has may be of a server that is gone
            try:
                self.acts[fault.kind](fault)
            except PASSING as error:
                if time.monotonic() > give_up:
                    self.tally.add(f"fault with nothing to hit: {fault.kind}")
                    self.say(f"  {type(error).__name__}: {error}".rstrip())
                    return
                time.sleep(0.2)
            else:
                self.tally.add(f"fault {fault.kind}")
                return

    def deliver_twice(self, fault: Fault) -> None:
        """While the worker stands still messages pile up; then all of them are there twice, in another order."""
        with self.site.stopped("worker"), _valkey() as valkey:
            for _ in range(10):
                wake.settlement()
            time.sleep(fault.length_s)
            waiting = valkey.lrange("celery", 0, -1)
            mixed = random.Random(fault.luck).sample(waiting * 2, len(waiting) * 2)
            with valkey.pipeline(transaction=True) as pipe:
                pipe.delete("celery")
                if mixed:
                    pipe.rpush("celery", *mixed)
                pipe.execute()
            self.tally.add("hit by doubling: tasks", len(waiting))

    def stop_beat(self, fault: Fault) -> None:
        """Sweeps come late, and then those that were due come at once."""
        with self.site.stopped("beat"):
            time.sleep(4 * fault.length_s)

    def _calm(self, missing: Callable[[], str]) -> str:
        """Wait until nothing is missing; what still is."""
        give_up = time.monotonic() + CALM_WITHIN_S
        what = ""
        while time.monotonic() < give_up:
            try:
                what = missing()
                if not what:
                    return ""
            except PASSING as error:
                what = f"{type(error).__name__}: {error}".strip()
                connection.close()
            time.sleep(0.2)
        return what


def _valkey() -> redis.Redis:
    return redis.Redis.from_url(settings.VALKEY_URL, socket_timeout=5)


def cut_connections() -> None:
    """Terminate every other back-end of our role in our database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
        )


def stop_postgres_hard() -> None:
    """What `pg_ctl stop -m immediate` does: SIGQUIT to the postmaster, no checkpoint. The keeper starts it again."""
    pid_file = Path(os.environ["DATA_DIR"]) / "pg" / "postmaster.pid"
    os.kill(int(pid_file.read_text().split("\n", 1)[0]), signal.SIGQUIT)


def kill_valkey() -> None:
    """Everything in it is lost, for it keeps nothing on disk. The keeper starts it again."""
    with _valkey() as valkey:
        pid = int(valkey.info("server")["process_id"])
    os.kill(pid, signal.SIGKILL)


def lose_messages() -> None:
    with _valkey() as valkey:
        valkey.flushall()


def sweep_out_of_turn() -> None:
    """Sweep and settle here and now, beside the worker that does the same."""
    clocks.sweep()
    settle.claim_and_settle()
