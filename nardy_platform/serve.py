"""Supervisor of a whole site on one machine: prepares the database, then keeps web, worker and beat running.

However it ends, nothing stays behind: on a signal it stops its children; if it is killed, the kernel kills them, and
the keeper of the embedded services (embedded.py) sees its lock go.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import get_commands

from nardy_platform import address, embedded, environment
from nardy_platform.address import CannotServe

STOP_WITHIN_S = 15
LONGEST_PAUSE_S = 30
HEALTHY_AFTER_S = 60
LOG_LIMIT_BYTES = 10_000_000
MANAGE = [sys.executable, str(environment.BASE_DIR / "manage.py")]
CELERY = [sys.executable, "-m", "celery", "-A", "nardy_platform"]
WORKER = [*CELERY, "worker", "-c", "2", "--without-gossip", "--without-mingle", "-n", "worker@%h", "-l", "INFO"]
BEAT = [*CELERY, "beat", "-l", "INFO", "--pidfile="]


class _Stop(Exception):
    pass


def run() -> None:
    """Serve until a signal comes. Raises CannotServe for a taken port or data folder and for a failed preparation."""
    data = environment.data_dir()
    data.mkdir(parents=True, exist_ok=True)
    host = "127.0.0.1" if settings.DEMO else os.environ.get("HOST") or "127.0.0.1"
    port = address.port()
    url = f"http://{host}:{port}/"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _on_signal)
    with contextlib.suppress(_Stop), _only_one(data, url), address.listening(host, port) as listener:
        _prepare()
        _supervise(_children(data, listener), data, url)
    _say("Stopping …")
    if settings.EMBEDDED:
        embedded.leave(data)
    _say("Stopped.")


def _on_signal(*_: Any) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # one is enough: what follows must not be interrupted
    raise _Stop


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # the terminal may be gone
        print(text, flush=True)


# --- Lock -------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _only_one(data: Path, url: str) -> Iterator[None]:
    with (data / "serve.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise CannotServe(
                f"The data folder {data} is already served: {lock.read().strip() or 'it is just starting'}. "
                "Stop that one first, or give this one a folder and port of its own: make run DATA_DIR=… PORT=…"
            ) from None
        lock.truncate(0)
        lock.write(f"process {os.getpid()}, {url}\n")
        lock.flush()
        yield


# --- Preparation ------------------------------------------------------------------------------------------------------


def _prepare() -> None:
    _say("Preparing the database …")
    _step("migrate", "--no-input", "-v", "0")
    _collect_static_files()
    if settings.DEMO and "demo_data" in get_commands():
        _step("demo_data")


def _collect_static_files() -> None:
    """Only when one of them changed: it takes seconds."""
    described = sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            about = Path(storage.path(name)).stat()
            described.update(f"{name} {about.st_mtime_ns} {about.st_size}\n".encode())
    root = Path(settings.STATIC_ROOT)
    root.mkdir(parents=True, exist_ok=True)
    with embedded.locked(root / ".collected", fcntl.LOCK_EX) as stamp:
        if Path(stamp.name).read_text() != described.hexdigest():
            _say("Collecting static files …")
            _step("collectstatic", "--no-input", "-v", "0")
            stamp.truncate(0)
            stamp.write(described.hexdigest())


def _step(*command: str) -> None:
    process = subprocess.Popen([*embedded.tied("KILL"), *MANAGE, *command], start_new_session=True)
    try:
        status = process.wait()
    except _Stop:
        process.kill()
        process.wait()
        raise
    if status:
        raise CannotServe(f"`manage.py {command[0]}` failed with status {status}; what it said stands above.")


# --- Processes --------------------------------------------------------------------------------------------------------


class Child:
    """One process of the site, started again with growing pauses when it ends."""

    def __init__(self, name: str, command: list[str], log: Path, listener: socket.socket | None = None) -> None:
        self.name = name
        self.log = log
        self._command = command
        self._fds = [listener.fileno()] if listener else []
        self._process: subprocess.Popen[bytes] | None = None
        self._pause_s = 1.0
        self._start_at = 0.0

    def keep_up(self) -> None:
        """Start it if it does not run and its pause is over."""
        now = time.monotonic()
        if self._process and self._process.poll() is not None:
            _say(f"{self.name} ended with status {self._process.returncode}; starting it again (its log: {self.log})")
            lived_s = now - self._start_at
            self._pause_s = 1.0 if lived_s > HEALTHY_AFTER_S else min(self._pause_s * 2, LONGEST_PAUSE_S)
            self._start_at = now + self._pause_s
            self._process = None
        if self._process is None and now >= self._start_at:
            self._start_at = now
            self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._open_log() as log:
            return subprocess.Popen(
                [*embedded.tied("KILL"), *self._command],
                env=_application_environment(),
                cwd=environment.BASE_DIR,
                start_new_session=True,  # Ctrl-C in the terminal reaches the supervisor alone
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=self._fds,
            )

    def _open_log(self) -> IO[bytes]:
        self.log.parent.mkdir(exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT_BYTES:
            self.log.replace(self.log.with_suffix(".old.log"))
        return self.log.open("ab")

    def ask_to_stop(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.terminate()

    def make_sure(self, deadline: float) -> None:
        """Wait for its end; at the deadline it is killed with all that it started."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def _application_environment() -> dict[str, str]:
    """Pages and tasks have no business with the owner's role."""
    return {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"}


def _children(data: Path, listener: socket.socket) -> list[Child]:
    logs = data / "log"
    web = [sys.executable, "-m", "nardy_platform.web", "--fd", str(listener.fileno())]
    return [
        Child("web", web, logs / "web.log", listener),
        Child("worker", WORKER, logs / "worker.log"),
        Child("beat", BEAT, logs / "beat.log"),
    ]


def _supervise(children: list[Child], data: Path, url: str) -> None:
    announced = False
    try:
        while True:
            for child in children:
                child.keep_up()
            if not announced and _answers(url):
                _say(f"\nThe site runs on {url}  (Ctrl-C stops it; logs: {data / 'log'})\n")
                announced = True
            if settings.EMBEDDED and not embedded.is_kept(data):
                embedded.ensure(data)
            time.sleep(0.3)
    finally:
        for child in children:
            child.ask_to_stop()
        deadline = time.monotonic() + STOP_WITHIN_S
        for child in children:
            child.make_sure(deadline)


def _answers(url: str) -> bool:
    with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}healthz/live", timeout=1) as answer:
        return bool(answer.status == 200)
    return False
