"""Points series: games without a stake that start by themselves until one side has reached the target.

A tournament (or whoever else needs one) opens a series for two people and later reads its score; this app knows no
tournament. Its table waits for both to say Ready once; after that each next game starts by itself after PAUSE, or at
once when both say Ready. A game that nobody plays is lost on time, so a series that has begun always ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone

from games import dice, live, rules
from games.models import Game, Table

#: Between two games of a series: people read the result.
PAUSE = timedelta(seconds=20)

#: Sent after the commit in which a series has gone on (`table_id`): a game of it has begun or ended.
moved = Signal()


@dataclass(frozen=True)
class SeriesTerms:
    """What a series is played under. `target`: points, or games won, that end it; `count_by` says which."""

    options: rules.GameOptions
    target: int
    count_by: str
    clock: str
    currency: str
    crawford: bool = True
    first_move: str = "loser"


@dataclass(frozen=True)
class Score:
    """How a series stands. `winner` None: it goes on. `crawford`: the next game is played without the cube."""

    white: int
    black: int
    winner: rules.Side | None
    crawford: bool


def open_series(white: Any, black: Any, terms: SeriesTerms, belongs_to: str, belongs_url: str) -> Table:
    """Seat two people at a table of their own; runs in the caller's transaction. Nothing is ever blocked for it."""
    series = _begun(terms)
    now = timezone.now()
    return Table.objects.create(
        variant=terms.options.variant, options=series.options.to_json(), rules_version=rules.RULES_VERSION,
        stake=0, stake_currency=terms.currency, factor_cap=series.options.max_points, rake_percent=0, clock=terms.clock,
        first_move=terms.first_move, target=terms.target, count_by=terms.count_by,
        crawford=terms.crawford, belongs_to=belongs_to, belongs_url=belongs_url, status=Table.Status.BETWEEN,
        white=white, black=black, white_seen_at=now, black_seen_at=now, seeds=dice.new_seeds(), version=1,
    )  # fmt: skip


def _begun(terms: SeriesTerms) -> rules.PointsSeries:
    by_points = terms.count_by == Table.CountBy.POINTS
    # Where only games count, a cube would decide nothing.
    options = terms.options if by_points else replace(terms.options, cube_limit=1)
    return rules.points_series(options, terms.target, terms.crawford and by_points, terms.first_move)  # type: ignore[arg-type]


def state(table: Table, games: Any = None) -> rules.PointsSeries:
    """The rules' own view of a table's series: its games folded in order. `games`: those of the table, if at hand."""
    assert table.target is not None
    terms = SeriesTerms(
        rules.options_from_json(table.options), table.target, table.count_by, table.clock, table.currency,
        table.crawford, table.first_move,
    )  # fmt: skip
    series = _begun(terms)
    rows = table.games.order_by("number") if games is None else sorted(games, key=lambda game: game.number)
    for game in rows:
        if game.is_over:
            series = series.after(_counted(game, table), game.starter)  # type: ignore[arg-type]
    return series


def _counted(game: Game, table: Table) -> rules.Result | None:
    """A game's result as the series counts it; None for a void game, which is played again."""
    if game.status == Game.Status.VOID:
        return None
    points = game.points if table.count_by == Table.CountBy.POINTS else 1
    return rules.Result(game.winner or None, game.factor, game.cube, points, game.kind, game.reason)  # type: ignore[arg-type]


def score(table: Table, games: Any = None) -> Score:
    """How a table's series stands now."""
    series = state(table, games)
    return Score(series.white, series.black, series.winner, series.winner is None and series.is_crawford_game)


def is_decided(table: Table) -> bool:
    return state(table).winner is not None


def abandon(table_id: int, reason: str) -> None:
    """End a series from outside (a forfeit): the running game is void, the table closes. Again: changes nothing.

    Runs in the caller's transaction; locks the running game, then the table, as an act does.
    """
    from games.finish import void

    now = timezone.now()
    game = Game.objects.select_for_update(no_key=True).filter(table=table_id, status=Game.Status.PLAYING).first()
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    if game is None and table.status == Table.Status.PLAYING:  # it began while we waited for the table
        game = Game.objects.select_for_update(no_key=True).get(table=table_id, status=Game.Status.PLAYING)
    if game is not None:
        void(game, reason, now)
        game.version += 1
        game.save()
        live.publish_on_commit(f"game:{game.pk}", game.version)
    if table.status != Table.Status.CLOSED:
        _close(table, reason)


def _close(table: Table, reason: str) -> None:
    table.status, table.close_reason, table.next_at = Table.Status.CLOSED, reason, None
    table.seeds = None
    table.white_ready = table.black_ready = False
    table.version += 1
    table.save()
    live.publish_on_commit(f"table:{table.pk}", table.version)


def close_unstarted(table_id: int, reason: str) -> tuple[bool, bool] | None:
    """Close a series of which no game has begun; whether White and Black had said Ready. None: a game has begun."""
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    if table.status == Table.Status.PLAYING or table.games.exists():
        return None
    ready = (table.white_ready, table.black_ready)
    if table.status != Table.Status.CLOSED:
        _close(table, reason)
    return ready


def start_due(most: int) -> int:
    """Start the next game of each series whose pause is over; returns how many have begun."""
    due = Table.objects.filter(Q(status=Table.Status.BETWEEN), target__isnull=False, next_at__lte=timezone.now())
    return sum(_start(table_id) for table_id in list(due.order_by("next_at").values_list("pk", flat=True)[:most]))


@transaction.atomic
def _start(table_id: int) -> bool:
    from games.start import start_game

    tables = Table.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
    table = tables.select_related("seeds", "white", "black").filter(pk=table_id).first()
    if table is None or table.status != Table.Status.BETWEEN or table.next_at is None:
        return False
    start_game(table, table.white_id)
    return True


def announce(table: Table) -> None:
    """Tell listeners after the commit that a series has gone on; nothing for a money table."""
    if table.target is not None:
        table_id = table.pk
        transaction.on_commit(lambda: moved.send_robust(sender=Table, table_id=table_id), robust=True)
