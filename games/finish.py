"""A game ends: its result is recorded, its settlement becomes pending, and its table goes on or closes.

All in the transaction that ended the game: the pending row is the promise that it will be settled (games.settle).
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from games import dice, live, rules, series, wake
from games.models import Game, Table


def finish(game: Game, result: rules.Result, now: datetime) -> None:
    """Record an engine's result on a locked game; the caller saves the game."""
    game.status = Game.Status.FINISHED
    game.winner = result.winner or ""
    game.factor, game.cube, game.points = result.factor, result.cube, result.points
    game.kind, game.reason = result.kind, result.reason
    _over(game, now)


def void(game: Game, reason: str, now: datetime) -> None:
    """End a locked game without a result: nobody pays, both holds are released; the caller saves the game."""
    game.status, game.kind, game.reason = Game.Status.VOID, "void", reason
    _over(game, now)


def _over(game: Game, now: datetime) -> None:
    game.finished_at = now
    game.clock_value = game.clock_value.next(now, None, None)
    if not game.is_staked:
        game.settlement, game.settled_at = Game.Settlement.SETTLED, now
        return
    game.settlement = Game.Settlement.PENDING
    transaction.on_commit(wake.settlement, robust=True)


def return_to_table(game: Game, now: datetime) -> None:
    """After a game: the table waits for the next one, or closes when its series is over.

    Void games do not count. The next game's dice are committed to here, before either player can set a seed.
    """
    table = Table.objects.select_for_update(no_key=True).get(pk=game.table_id)
    if _is_over(table):
        table.status, table.close_reason = Table.Status.CLOSED, "series_over"
    else:
        table.status, table.seeds = Table.Status.BETWEEN, dice.new_seeds()
        table.white_seen_at = table.black_seen_at = now
        table.next_at = None if table.target is None else now + series.PAUSE
    table.version += 1
    table.save()
    live.publish_on_commit(f"table:{table.pk}", table.version)
    series.announce(table)


def _is_over(table: Table) -> bool:
    """A money series has an agreed number of games, or none; a points series a target."""
    if table.target is not None:
        return series.is_decided(table)
    played = table.games.filter(status=Game.Status.FINISHED).count()
    return table.series_length is not None and played >= table.series_length
