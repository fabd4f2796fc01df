"""Where the site listens. Asked before anything is started, so that a taken port costs nobody a first start."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
from collections.abc import Iterator
from pathlib import Path


class CannotServe(Exception):
    """The site cannot start here; the message says why and what to do."""


def port() -> int:
    """PORT of the environment. Raises CannotServe for what is none."""
    text = os.environ.get("PORT") or "8000"
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= 65535):
        raise CannotServe(f"PORT={text[:20]} is not a port: give a number from 1 to 65535, for example PORT=8001.")
    return int(text)


@contextlib.contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A listening socket; raises CannotServe if the port is taken or forbidden."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            other = port + 1 if 1024 <= port < 65535 else 8001
            raise CannotServe(
                f"Port {port} cannot be used ({error.strerror}). Choose another: make run PORT={other}"
            ) from None
        listener.listen(512)
        yield listener


def look(data: Path) -> None:
    """Raises CannotServe if nothing can listen on PORT. Where this data folder is served already, `serve` says that."""
    wanted = port()
    if not _served(data):
        with listening(os.environ.get("HOST") or "127.0.0.1", wanted):
            pass


def _served(data: Path) -> bool:
    with contextlib.suppress(FileNotFoundError), (data / "serve.lock").open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
