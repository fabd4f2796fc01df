"""Tables: open one, join, set a dice seed, say Ready, leave. One function per action; each is one transaction.

Nobody is held and no clock runs before both players have said Ready. A table is open only while its creator is there:
the page sends a sign of life every PING_S, and the sweep closes what has been without one for ABSENT.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Case, F, Q, When
from django.utils import timezone
from moneyed import Money

from games import dice, live, rules, settle
from games.errors import (
    AccountBlocked,
    AlreadyHasTable,
    AlreadyWaiting,
    CreatorAway,
    GameRunning,
    NobodyJoined,
    NoMoneyForBots,
    NotEnoughMoney,
    NotFound,
    OpponentShort,
    OwnTable,
    SeedFrozen,
    SeriesGoesOn,
    TableClosed,
    TableTaken,
)
from games.models import Game, Table
from games.start import start_game
from games.terms import Terms
from ledger import book, money

#: How often a page says that its player is still there.
PING_S = 15
ABSENT = timedelta(seconds=45)
#: Between two games there is more time: people read the result.
ABSENT_BETWEEN = timedelta(seconds=180)


def create_table(player: Any, terms: Terms) -> Table:
    """Open a table; its creator plays White. The site's rake of this moment is frozen into it.

    Raises:
        NotEnoughMoney, AlreadyHasTable, NoMoneyForBots: nothing has changed.
    """
    currency = str(terms.stake.currency)
    _check_may_play(player, currency)
    _check_money(player, terms.hold)
    rake = book.current_rake(currency)
    try:
        with transaction.atomic():
            table = Table.objects.create(  # type: ignore[misc]  # MoneyField takes Money
                variant=terms.options.variant, options=terms.options.to_json(), rules_version=rules.RULES_VERSION,
                stake=terms.stake, factor_cap=terms.factor_cap, clock=terms.clock, first_move=terms.first_move,
                series_length=terms.series_length, rake_percent=rake.percent,
                rake_cap=rake.cap.amount if rake.cap is not None else None,
                white=player, white_seen_at=timezone.now(), seeds=dice.new_seeds(), version=1,
            )  # fmt: skip
            _lobby_changed(table)
    except IntegrityError as error:
        if "table_one_open_per_creator" not in str(error):
            raise
        raise AlreadyHasTable(table=Table.objects.get(white=player, status=Table.Status.OPEN).pk) from error
    return table


def join_table(player: Any, table_id: int) -> Table:
    """Take the free seat of an open table. Nothing is blocked yet: the game starts when both have said Ready.

    Raises:
        NotFound, OwnTable, TableTaken, TableClosed, CreatorAway, NotEnoughMoney, AlreadyWaiting, NoMoneyForBots.
    """
    try:
        with transaction.atomic():
            table = _locked(table_id)
            _check_joinable(table, player)
            _check_may_play(player, table.currency)
            _check_money(player, table.hold)
            table.black, table.black_seen_at = player, timezone.now()
            _changed(table)
            _lobby_changed(table)
    except IntegrityError as error:
        if "table_one_waiting_per_guest" not in str(error):
            raise
        raise AlreadyWaiting(table=Table.objects.get(black=player, status=Table.Status.OPEN).pk) from error
    return table


def set_seed(player: Any, table_id: int, text: str) -> Table:
    """Set one's own seed for the next game's dice; the server's commitment is already on the page.

    Raises:
        NotFound, SeedFrozen (a game is running, or there will be none), BadSeed.
    """
    with transaction.atomic():
        table = _locked(table_id)
        side = _side(table, player)
        if table.seeds is None:
            raise SeedFrozen
        dice.set_client_seed(table.seeds, side, text)
        _changed(table)
    return table


def say_ready(player: Any, table_id: int) -> Table:
    """Say that one is ready for the next game; when both are, it starts with both holds placed in the same step.

    Saying it again, or after the start, changes nothing.

    Raises:
        NotFound, NobodyJoined, TableClosed, CreatorAway.
        NotEnoughMoney, OpponentShort: nothing is blocked. Between two games this ends the series.
        AccountBlocked: an account is frozen.
    """
    settle.settle_table(table_id)  # the last game's hold must not count against the next one
    try:
        with transaction.atomic():
            return _ready_locked(player, table_id)
    except (NotEnoughMoney, OpponentShort):
        _end_uncovered_series(table_id)
        raise


def _ready_locked(player: Any, table_id: int) -> Table:
    table = _locked(table_id)
    side = _side(table, player)
    if table.status == Table.Status.CLOSED:
        raise TableClosed
    if table.status == Table.Status.PLAYING:
        return table
    if table.black is None:
        raise NobodyJoined
    now = timezone.now()
    if side == "black" and table.status == Table.Status.OPEN and _creator_away(table, now):
        raise CreatorAway
    _check_money(player, table.hold)
    setattr(table, f"{side}_ready", True)
    setattr(table, f"{side}_seen_at", now)
    if table.white_ready and table.black_ready:
        start_game(table, player.pk)
    else:
        _changed(table)
    return table


def leave_table(player: Any, table_id: int) -> Table:
    """Leave before or between games. The creator's leaving closes an open table, the guest's frees the seat.

    Raises:
        NotFound.
        GameRunning: a game can only be resigned.
        SeriesGoesOn: a points series is played to its end.
    """
    with transaction.atomic():
        table = _locked(table_id)
        side = _side(table, player)
        if table.status == Table.Status.PLAYING:
            raise GameRunning
        if table.target is not None and table.status != Table.Status.CLOSED:
            raise SeriesGoesOn(name=table.belongs_to)
        if table.status == Table.Status.OPEN and side == "black":
            _free_seat(table)
        elif table.status != Table.Status.CLOSED:
            _close(table, "left")
    return table


def touch_presence(player: Any, table_id: int) -> None:
    """Note that this player's page is still open (sent every PING_S). Raises NotFound at a closed or foreign table."""
    now = timezone.now()
    mine = Q(white=player) | Q(black=player)
    touched = Table.objects.filter(mine, pk=table_id).exclude(status=Table.Status.CLOSED)
    changed = touched.update(
        white_seen_at=Case(When(white=player, then=now), default=F("white_seen_at")),
        black_seen_at=Case(When(black=player, then=now), default=F("black_seen_at")),
    )
    if not changed:
        raise NotFound


def sweep_absent(most: int) -> int:
    """Close tables whose people are gone, free seats of absent guests; returns how many tables changed."""
    now = timezone.now()
    gone, gone_between = now - ABSENT, now - ABSENT_BETWEEN
    absent = Table.objects.filter(
        Q(status=Table.Status.OPEN) & (Q(white_seen_at__lt=gone) | Q(black_seen_at__lt=gone, black__isnull=False))
        | Q(status=Table.Status.BETWEEN, target__isnull=True)
        & (Q(white_seen_at__lt=gone_between) | Q(black_seen_at__lt=gone_between))
    )
    with transaction.atomic():
        rows = list(absent.select_for_update(no_key=True, skip_locked=True).order_by("pk")[:most])
        for table in rows:
            if table.status == Table.Status.OPEN and table.white_seen_at >= gone:
                _free_seat(table)
            else:
                _close(table, "absent")
    return len(rows)


def _locked(table_id: int) -> Table:
    tables = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("seeds", "white", "black")
    table = tables.filter(pk=table_id).first()
    if table is None:
        raise NotFound
    return table


def _side(table: Table, player: Any) -> rules.Side:
    side = table.side_of(player.pk)
    if side is None:
        raise NotFound
    return side


def _check_joinable(table: Table, player: Any) -> None:
    if table.white_id == player.pk:
        raise OwnTable
    if table.black_id is not None:
        raise TableTaken
    if table.status != Table.Status.OPEN:
        raise TableClosed
    if _creator_away(table, timezone.now()):
        raise CreatorAway


def _creator_away(table: Table, now: datetime) -> bool:
    return table.white_seen_at < now - ABSENT


def _check_may_play(player: Any, currency: str) -> None:
    if player.namespace == "bot" and currency != money.PLAY_CHIPS:
        raise NoMoneyForBots


def _check_money(player: Any, needed: Money) -> None:
    if not needed.amount:  # a game of a points series: nothing is staked
        return
    wallet = book.wallet(player.pk, str(needed.currency))
    if not wallet.may_stake:
        raise AccountBlocked
    if wallet.available < needed:
        raise NotEnoughMoney(needed=needed, available=wallet.available)


def _end_uncovered_series(table_id: int) -> None:
    """A series ends when a hold can no longer be covered; a table that has not begun just waits for money."""
    with transaction.atomic():
        table = _locked(table_id)
        unsettled = table.games.filter(settlement__in=[Game.Settlement.PENDING, Game.Settlement.PARKED]).exists()
        if table.status == Table.Status.BETWEEN and not unsettled:
            _close(table, "not_covered")


def _free_seat(table: Table) -> None:
    table.black = table.black_seen_at = None
    table.white_ready = table.black_ready = False
    assert table.seeds is not None
    # The next guest must find dice that the last one has not influenced.
    table.seeds.black_seed = ""
    table.seeds.save(update_fields=["black_seed"])
    _changed(table)
    _lobby_changed(table)


def _close(table: Table, reason: str) -> None:
    table.status, table.close_reason, table.seeds = Table.Status.CLOSED, reason, None
    table.white_ready = table.black_ready = False
    _changed(table)
    _lobby_changed(table)


def _lobby_changed(table: Table) -> None:
    live.publish_on_commit("lobby", int(table.changed_at.timestamp() * 1000))


def _changed(table: Table) -> None:
    table.version += 1
    table.save()
    live.publish_on_commit(f"table:{table.pk}", table.version)
