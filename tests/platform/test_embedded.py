"""The embedded services, with real processes: start, join, crashes of anybody, and nothing left behind."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from nardy_platform import embedded
from tests.support.processes import running, wait_until

# A process that uses the services of a data folder until it is killed.
USER = """
import sys, time
sys.path.append("nardy_platform")  # by itself, without Celery and all: quicker
import embedded
print(embedded.ensure(sys.argv[1], durable=False).database_url, flush=True)
time.sleep(600)
"""


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder with a short path, as sockets need; its services are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="nardy-t-") as folder:
        data = Path(folder) / "data"
        yield data
        wait_until(lambda: not processes_of(data), what=f"the end of the services in {data}")


@contextmanager
def user(data: Path) -> Iterator[subprocess.Popen[str]]:
    with running([sys.executable, "-c", USER, str(data)], stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.url = process.stdout.readline().strip()
        assert process.url.startswith("postgresql://")
        yield process


def processes_of(data: Path) -> dict[int, str]:
    """Command lines of all processes that name this folder, by pid."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                zombie = "\nState:\tZ" in (entry / "status").read_text()
            except OSError:
                continue
            if str(data) in command and not zombie:
                found[int(entry.name)] = command
    return found


def pid_of(data: Path, part: str) -> int:
    return next(pid for pid, command in processes_of(data).items() if part in command and "-c \nimport" not in command)


def answers(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.Error:
        return False


def gone(data: Path) -> bool:
    return not processes_of(data)


def test_they_start_for_the_first_user_and_stop_after_the_last(data):
    with user(data) as first:
        with user(data) as second:
            assert first.url == second.url
        assert answers(first.url)
    wait_until(lambda: gone(data), what="the end of the services")


def test_ten_starters_at_once_share_one_server(data):
    command = [sys.executable, "-c", USER.replace("time.sleep(600)", "time.sleep(1)"), str(data)]
    starters = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(10)]
    urls = {starter.communicate(timeout=120)[0].strip() for starter in starters}
    assert {starter.returncode for starter in starters} == {0}
    assert len(urls) == 1


@pytest.mark.parametrize("victim", ["embedded.py", "postgres -D", "valkey-server"])
def test_who_joins_after_a_kill_finds_working_services(data, victim):
    with user(data):
        os.kill(pid_of(data, victim), signal.SIGKILL)
        with user(data) as joined:
            assert answers(joined.url)
            assert embedded.valkey_answers(embedded.Layout(data).valkey_socket)


def test_kill_9_of_all_users_leaves_no_process(data):
    with user(data) as first, user(data) as second:
        first.kill()
        second.kill()
        wait_until(lambda: gone(data), what="the end of the services")


def test_kill_9_of_a_user_and_the_keeper_leaves_no_process(data):
    with user(data) as only:
        os.kill(pid_of(data, "embedded.py"), signal.SIGKILL)
        only.kill()
        wait_until(lambda: gone(data), what="the end of the servers, which the kernel stops")


def test_kill_9_in_the_middle_of_the_first_start_leaves_nothing_that_stops_the_next(data):
    with running([sys.executable, "-c", USER, str(data)], stdout=subprocess.DEVNULL) as starter:
        wait_until(lambda: list(data.glob("pg.new*")), what="the beginning of initdb")
        starter.kill()
    with user(data) as later:
        assert answers(later.url)


@pytest.mark.parametrize("torn", ["", "garbage", "99999999\n"])
def test_a_stale_or_torn_pid_file_does_not_stop_the_start(data, torn):
    with user(data):
        pass
    wait_until(lambda: gone(data), what="the end of the services")
    (data / "pg" / "postmaster.pid").write_text(torn)
    with user(data) as later:
        assert answers(later.url)


def test_a_recycled_pid_is_left_alone(data):
    with user(data):
        pass
    wait_until(lambda: gone(data), what="the end of the services")
    with running(["sleep", "600"]) as bystander:
        (data / "pg" / "postmaster.pid").write_text(f"{bystander.pid}\n{data}/pg\n")
        with user(data) as later:
            assert answers(later.url)
        wait_until(lambda: gone(data), what="the end of the services")
        assert bystander.poll() is None


def test_a_path_too_long_for_a_socket_works_too(data):
    long = data / ("a-long-name-" * 9)
    with user(long) as only:
        assert answers(only.url)
    wait_until(lambda: gone(long), what="the end of the services")


def test_a_path_with_spaces_and_cyrillic_works_too(data):
    odd = data / "дані тут & там"
    with user(odd) as only:
        assert answers(only.url)
    wait_until(lambda: gone(odd), what="the end of the services")


def test_the_parent_folder_keeps_its_mode(data):
    data.parent.chmod(0o755)
    with user(data):
        assert data.parent.stat().st_mode & 0o777 == 0o755
        assert data.stat().st_mode & 0o077 in (0, 0o011)


def test_a_cluster_of_another_postgresql_is_refused_with_the_reason(data):
    (data / "pg").mkdir(parents=True)
    (data / "pg" / "PG_VERSION").write_text("9.6\n")
    with pytest.raises(embedded.EmbeddedError, match=r"made by PostgreSQL 9\.6, and this is postgres"):
        embedded.ensure(data)
    embedded.leave(data)


def test_the_servers_have_our_settings_and_know_cyrillic(data):
    with user(data) as only, psycopg.connect(only.url) as connection:
        wanted = {"shared_buffers": "256MB", "max_wal_size": "4GB", "server_encoding": "UTF8", "listen_addresses": ""}
        for name, value in wanted.items():
            assert connection.execute("SELECT current_setting(%s)", [name]).fetchone() == (value,)
        assert connection.execute("SELECT upper('їжак')").fetchone() == ("ЇЖАК",)


def test_secrets_are_made_once_and_readable_by_their_owner_alone(data):
    first = embedded.secret_keys(data)
    assert embedded.secret_keys(data) == first
    assert set(first) == {"SECRET_KEY", "SEED_KEY"}
    assert (data / "secrets.env").stat().st_mode & 0o777 == 0o600
    assert embedded.secret_keys(data.parent / "other") != first


if os.geteuid() == 0:  # only root has another identity to fall back to

    def test_root_without_user_namespaces_runs_postgresql_as_a_system_user(data, tmp_path):
        (tmp_path / "setpriv").symlink_to(shutil.which("setpriv"))  # and no unshare
        data.parent.chmod(0o755)
        command = [sys.executable, "-c", USER, str(data)]
        with running(command, env=os.environ | {"PATH": str(tmp_path)}, stdout=subprocess.PIPE) as process:
            assert answers(process.stdout.readline().strip())
            assert Path(f"/proc/{pid_of(data, 'postgres -D')}").stat().st_uid != 0

    def test_root_in_the_closed_folder_of_a_user_runs_postgresql_as_that_user(data):
        home = data.parent / "home"
        home.mkdir(mode=0o700)
        data.parent.chmod(0o755)
        nobody = pwd.getpwnam("nobody").pw_uid
        os.chown(home, nobody, -1)
        with user(home / "project" / "data") as only:
            assert answers(only.url)
            assert Path(f"/proc/{pid_of(home, 'postgres -D')}").stat().st_uid == nobody
        wait_until(lambda: gone(home), what="the end of the services")
        assert home.stat().st_mode & 0o777 == 0o700
