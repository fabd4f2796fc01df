"""Messages that may be lost: sent by a background thread, so that no request ever waits for a broker.

What must not be lost is in the database: the pending settlement (beat sweeps it) and the versions of watched games
(the stream reads them every 15 s). A broker that is down, slow, or accepts and never answers costs a player nothing.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from collections.abc import Callable

logger = logging.getLogger(__name__)

#: Beyond this many waiting messages new ones are dropped: a dead broker must not fill the memory.
MAX_WAITING = 1000


class Courier:
    """One thread that delivers messages in order; `send` returns at once, whatever the receiver does."""

    def __init__(self, name: str, deliver: Callable[[str], object]) -> None:
        self._name = name
        self._deliver = deliver
        self._lock = threading.Lock()
        self._pid = 0
        self._waiting: queue.Queue[str] = queue.Queue(MAX_WAITING)

    def send(self, message: str) -> None:
        self._ensure_thread()
        try:
            self._waiting.put_nowait(message)
        except queue.Full:
            logger.warning("courier %s: too many messages wait, dropped one", self._name)

    def _ensure_thread(self) -> None:
        # A forked process (a Celery child, a web worker) inherits the object but not its thread.
        with self._lock:
            if self._pid != os.getpid():
                self._pid = os.getpid()
                self._waiting = queue.Queue(MAX_WAITING)
                threading.Thread(
                    target=self._run, name=f"courier-{self._name}", args=(self._waiting,), daemon=True
                ).start()

    def _run(self, waiting: queue.Queue[str]) -> None:
        while True:
            message = waiting.get()
            try:
                self._deliver(message)
            except Exception as error:  # the message may be lost by design; why is worth knowing
                logger.warning("courier %s: not delivered: %s: %s", self._name, type(error).__name__, error)
