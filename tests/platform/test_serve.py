"""`manage.py serve` (make run) with real processes: it serves, survives its children's deaths, and leaves nothing."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.platform.serving import SERVE, free_port, get, own_environment, serving
from tests.platform.test_embedded import processes_of
from tests.support.processes import wait_until


@pytest.fixture
def data() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="nardy-s-") as folder:
        yield Path(folder) / "data"


def run_to_end(data: Path, port: int | str) -> tuple[int, str]:
    done = subprocess.run(SERVE, env=own_environment(data, port), capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def family(process: subprocess.Popen[str], data: Path) -> set[int]:
    """serve, all that it started, and the embedded services."""
    children = {int(pid) for pid in children_of(process.pid)}
    grandchildren = {int(pid) for child in children for pid in children_of(child)}
    return {process.pid} | children | grandchildren | set(processes_of(data))


def children_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def runs(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def ready(port: int) -> bool:
    status, health = get(port, "/healthz/ready")
    return status == 200 and health["status"] == "ok"


def everybody_gone(pids: set[int]) -> bool:
    return not any(runs(pid) for pid in pids)


def test_the_life_of_a_site(data):
    port = free_port()
    with serving(data, port) as process:
        wait_until(lambda: ready(port), what="worker and beat")
        all_of_them = family(process, data)
        assert len(all_of_them) > 8  # serve, web, worker with its pool, beat, keeper, PostgreSQL and its own, Valkey
        process.kill()
        wait_until(lambda: everybody_gone(all_of_them), what="the end of all after kill -9")

    with serving(data, port) as process:  # what was killed does not stop the next
        assert get(port, "/")[0] == 200
        status, said = run_to_end(data, free_port())
        assert (status, "already served" in said, f"http://127.0.0.1:{port}/" in said) == (1, True, True)

        killed = set(children_of(process.pid))  # the keeper of the services may be one of them
        for child in killed:
            os.kill(int(child), signal.SIGKILL)
        wait_until(lambda: len(set(children_of(process.pid)) - killed) >= 3, what="new children")
        wait_until(lambda: ready(port), what="new signs of life")

        all_of_them = family(process, data)
        process.send_signal(signal.SIGINT)
        assert process.wait(40) == 0
        wait_until(lambda: everybody_gone(all_of_them), what="the end of all after Ctrl-C")


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP])
def test_it_stops_cleanly_on_a_signal(data, end):
    with serving(data, free_port()) as process:
        all_of_them = family(process, data)
        process.send_signal(end)
        assert process.wait(40) == 0
        wait_until(lambda: everybody_gone(all_of_them), what=f"the end of all after {end.name}")


def test_a_taken_port_is_named_with_a_way_out(data):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        status, said = run_to_end(data, port)
    assert status == 1
    assert f"Port {port} cannot be used (Address already in use). Choose another: make run PORT=" in said
    assert not (data / "pg").exists()  # nothing was set up for it


@pytest.mark.parametrize("port", ["0", "http", "70000", "-1", "٨٠٠٠"])
def test_what_is_no_port_is_refused(monkeypatch, port):
    monkeypatch.setenv("PORT", port)
    with pytest.raises(CommandError, match=f"PORT={port} is not a port: give a number from 1 to 65535"):
        call_command("serve")


def test_without_demo_the_site_does_not_start_without_hosts(data):
    environment = own_environment(data, free_port()) | {"ALLOWED_HOSTS": ""}
    done = subprocess.run(SERVE, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert "ALLOWED_HOSTS must name the site's own hosts" in done.stderr


def test_one_address_without_the_other_is_refused(data):
    environment = own_environment(data, free_port()) | {"DATABASE_URL": "postgresql:///x"}
    done = subprocess.run(SERVE, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert "Only DATABASE_URL is set. Set both DATABASE_URL and VALKEY_URL, or neither" in done.stderr
