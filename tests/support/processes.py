"""Real processes for tests: each in a session of its own, and none outlives its test, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nardy_platform import embedded
from nardy_platform.environment import BASE_DIR

TIED = ["setpriv", "--pdeathsig", "KILL"]  # should the test process itself be killed


def wait_until(condition: Callable[[], object], timeout_s: float = 60, what: str = "the condition") -> None:
    """Poll until the condition holds; TimeoutError names what did not come."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} did not come in {timeout_s} s")
        time.sleep(0.05)


@contextmanager
def running(
    command: list[str], env: dict[str, str] | None = None, **options: object
) -> Iterator[subprocess.Popen[str]]:
    """A process that is killed, with all it started in its session, at the end of the block."""
    process = subprocess.Popen([*TIED, *command], env=env, start_new_session=True, cwd=BASE_DIR, text=True, **options)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def valkey(socket: Path, port: int = 0) -> Iterator[None]:
    """A private Valkey that answers on this socket (and port, if one is given)."""
    socket.parent.mkdir(mode=0o700, exist_ok=True)
    command = [str(embedded.valkey_binary()), "--port", str(port), "--unixsocket", str(socket), "--save", ""]
    with running(command, stdout=subprocess.DEVNULL):
        wait_until(lambda: embedded.valkey_answers(socket), what="Valkey's answer")
        yield


@contextmanager
def celery_worker(*options: str, env: dict[str, str] | None = None) -> Iterator[subprocess.Popen[str]]:
    """A real worker on the test database and the test's Valkey, ready for tasks."""
    from nardy_platform import celery_app

    name = f"test-{os.getpid()}-{time.monotonic_ns()}@here"
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "nardy_platform",
        "worker",
        "-n",
        name,
        "-l",
        "warning",
        "-c",
        "1",
        *options,
    ]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "nardy_platform.settings"} | (env or {})
    with running(command, env=environment) as process:
        wait_until(lambda: celery_app.control.ping([name], timeout=0.5), what="The worker's answer to a ping")
        yield process
