"""Wakes the settlement worker. The pending row is what guarantees settlement; this only makes it quick."""

from __future__ import annotations

from games.courier import Courier

#: A wake-up that nobody took within this time is worthless: the sweep has long done the work.
EXPIRES_S = 30


def _send(_message: str) -> None:
    from games.tasks import settle_pending

    settle_pending.apply_async(expires=EXPIRES_S, ignore_result=True, retry=False)


courier = Courier("settle", _send)


def settlement() -> None:
    """Ask the worker to settle what is pending. Returns at once whatever the broker does (games.courier)."""
    courier.send("settle")
