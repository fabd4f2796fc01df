"""The server's own downtime runs no clock.

Every sweep writes a tick. When more than GAP has passed since the last one, the server was not there for the players:
every running clock is moved on by the time in which it was away. An act that finds the last tick too old does the same
before it judges anybody's time.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from games.models import Game, SweepTick

TICK_ID = 1
#: Beat sweeps every second (settings); so long without a sweep is downtime.
GAP = timedelta(seconds=8)

# A turn that began before the last tick keeps what it had used until that tick; one that began later starts afresh.
SHIFT_SQL = """
    UPDATE games_game
    SET running_since = running_since + (%(now)s - greatest(running_since, %(tick)s)),
        deadline = deadline + (%(now)s - greatest(running_since, %(tick)s))
    WHERE status = 'playing' AND running <> '' AND running_since <= %(now)s
"""


class ServerWasDown(Exception):
    """The last tick is too old to judge anybody's time; call `tick` outside the transaction and try again."""


def check(game: Game, now: datetime) -> None:
    """Raise ServerWasDown unless the server has been there lately. `game` comes from play.lock_game."""
    last: datetime | None = game.tick  # type: ignore[attr-defined]
    if last is None or now - last > GAP:
        raise ServerWasDown


@transaction.atomic
def tick() -> timedelta:
    """Note that the server is there; returns by how much the running clocks were moved on (zero as a rule)."""
    now = timezone.now()
    row, _ = SweepTick.objects.select_for_update().get_or_create(pk=TICK_ID, defaults={"at": now})
    away = now - row.at
    if away > GAP:
        with connection.cursor() as cursor:
            cursor.execute(SHIFT_SQL, {"now": now, "tick": row.at})
    if now > row.at:
        row.at = now
        row.save()
    return away if away > GAP else timedelta(0)
