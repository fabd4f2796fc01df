"""The sweep: ends games whose time ran out even when nobody looks, frees absent people's seats, goes on with series."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from games import alive, play, series, tables
from games.models import Game

#: Work of one sweep; what is left over is taken by the next one, a second later.
BATCH = 200


@dataclass(frozen=True)
class Swept:
    """What one sweep did. `moved_on`: by how much running clocks were shifted because the server had been away."""

    moved_on: timedelta
    timed_out: int
    tables: int
    begun: int


def sweep() -> Swept:
    """Tick, end the games whose time is over, free what absent people left, go on with series. Safe to run twice."""
    moved_on = alive.tick()
    due = Game.objects.filter(status=Game.Status.PLAYING, deadline__lte=timezone.now()).order_by("deadline")
    timed_out = sum(_time_out(game_id) for game_id in list(due.values_list("pk", flat=True)[:BATCH]))
    return Swept(moved_on, timed_out, tables.sweep_absent(BATCH), series.start_due(BATCH))


@transaction.atomic
def _time_out(game_id: int) -> bool:
    """End one game if its time is still over once it is locked: its player may just have acted."""
    game, now = play.lock_game(game_id), timezone.now()
    if game is None or game.deadline is None or now < game.deadline:
        return False
    play.time_out(game, now)
    return True
