"""What settles and sweeps while a crowd plays and no worker is there: a thread of this process."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from django.db import connection

from games import clocks, settle

EVERY_S = 0.2


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
