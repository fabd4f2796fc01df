"""`manage.py serve` as a real process on a data folder and port of its own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.processes import running, wait_until


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def own_environment(data: Path, port: int | str) -> dict[str, str]:
    """As on a fresh machine: no addresses or secrets, so the embedded services of this folder are used.

    Without DEMO, so that no demo data is made; it then wants to know its host and would insist on https.
    """
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "STATIC_ROOT") if name in os.environ}
    ours = {"DATA_DIR": str(data), "PORT": str(port), "DEMO": "0", "ALLOWED_HOSTS": "127.0.0.1"}
    return inherited | ours | {"SECURE_SSL_REDIRECT": "0"}


SERVE = [sys.executable, "manage.py", "serve"]


@contextmanager
def serving(data: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    with running(SERVE, env=own_environment(data, port), stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            wait_until(
                lambda: process.poll() is not None or get(port, "/healthz/live")[0] == 200, 120, "the web process"
            )
            assert process.poll() is None
        except (TimeoutError, AssertionError) as error:
            logs = [f"{log.name}: {log.read_text()[-2000:]}" for log in (data / "log").glob("*.log")]
            process.kill()
            raise AssertionError("\n".join([str(error), process.stdout.read(), *logs])) from None
        yield process


def get(port: int, path: str) -> tuple[int, Any]:
    """Status and body (JSON where it is) of a GET; status 0 while nobody answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return answer.status, _content(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, _content(error.read())
    except OSError:
        return 0, None


def _content(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode()
