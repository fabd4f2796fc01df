"""Wakes the worker when a series of a tournament has gone on. The rows are the guarantee; this makes it quick."""

from __future__ import annotations

from typing import Any

from games import series
from games.courier import Courier
from tournaments.models import Pairing

#: A wake-up that nobody took within this time is worthless: beat's sweep has long done the work.
EXPIRES_S = 30


def _send(tournament_id: str) -> None:
    from tournaments.tasks import advance_tournament

    advance_tournament.apply_async(args=[int(tournament_id)], expires=EXPIRES_S, ignore_result=True, retry=False)


courier = Courier("tournaments", _send)


def listen() -> None:
    """Hear of every series that goes on."""
    series.moved.connect(_moved, dispatch_uid="tournaments")


def _moved(sender: Any, table_id: int, **_: Any) -> None:
    found = Pairing.objects.filter(table=table_id).values_list("tournament", flat=True).first()
    if found is not None:
        courier.send(str(found))
