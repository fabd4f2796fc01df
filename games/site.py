"""The processes of a whole site, started for a simulation: two web processes on one port, a worker, beat.

Each runs in a session of its own and dies with us (setpriv --pdeathsig), however we end.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CELERY = [sys.executable, "-m", "celery", "-A", "nardy_platform"]
WORKER = [*CELERY, "worker", "-c", "2", "--without-gossip", "--without-mingle", "-n", "faults@%h", "-l", "WARNING"]
BEAT = [*CELERY, "beat", "-l", "WARNING", "--pidfile="]


class Site:
    """Names of its processes: "web 1", "web 2", "worker", "beat". Use `serving`."""

    def __init__(self, listener: socket.socket, logs: Path) -> None:
        host, port = listener.getsockname()
        self.address = f"{host}:{port}"
        self._listener = listener
        self._logs = logs
        web = [sys.executable, "-m", "nardy_platform.web", "--fd", str(listener.fileno())]
        self._commands = {"web 1": web, "web 2": web, "worker": WORKER, "beat": BEAT}
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def restart(self, name: str) -> None:
        """kill -9, with all that it started, and start it again."""
        self._kill(name)
        tied = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"}
        with (self._logs / f"{name.replace(' ', '')}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                [*tied, *self._commands[name]],
                env=environment,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[self._listener.fileno()],
            )

    @contextlib.contextmanager
    def stopped(self, name: str) -> Iterator[None]:
        """The process stands still (SIGSTOP) for the block."""
        group = self._running[name].pid
        self._signal(group, signal.SIGSTOP)
        try:
            yield
        finally:
            self._signal(group, signal.SIGCONT)

    def start(self) -> None:
        for name in self._commands:
            self.restart(name)

    def end(self) -> None:
        for name in list(self._running):
            self._kill(name)

    def _kill(self, name: str) -> None:
        if process := self._running.pop(name, None):
            self._signal(process.pid, signal.SIGKILL)
            process.wait()

    def _signal(self, group: int, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, number)


@contextlib.contextmanager
def serving(logs: Path) -> Iterator[Site]:
    """A site on a free port of this machine, killed at the end of the block. Logs go to `logs`."""
    logs.mkdir(parents=True, exist_ok=True)
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", 0))
        listener.listen(512)
        running = Site(listener, logs)
        try:
            running.start()
            yield running
        finally:
            running.end()


def migrate(**environment: Any) -> None:
    """Bring the database up to date, as the tables' owner; raises CalledProcessError."""
    manage = Path(__file__).resolve().parent.parent / "manage.py"
    command = [sys.executable, str(manage), "migrate", "--no-input", "-v", "0"]
    subprocess.run(command, env=os.environ | environment, check=True)
