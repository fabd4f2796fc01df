"""Tables: who may open, join, say Ready and leave, and what a refusal leaves as it was."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import queries, tables
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
    TableClosed,
    TableTaken,
)
from games.models import Game, Table
from ledger import book, money
from tests.games.helpers import fund, joined, next_game, started, terms
from tests.ledger.support import withdraw

pytestmark = pytest.mark.django_db


def away(table: Table, side: str, how_long: timedelta = tables.ABSENT) -> None:
    Table.objects.filter(pk=table.pk).update(**{f"{side}_seen_at": timezone.now() - how_long - timedelta(seconds=1)})


def test_a_creator_needs_the_hold(alice: Any) -> None:
    fund(alice, "29.99 UAH")
    with pytest.raises(NotEnoughMoney) as refused:
        tables.create_table(alice, terms("10.00 UAH"))
    assert refused.value.params == {"needed": money.parse("30.00 UAH"), "available": money.parse("29.99 UAH")}
    assert str(refused.value) == "This table blocks 30.00 UAH; you have 29.99 UAH available. Nothing was blocked."
    assert not Table.objects.exists()


def test_a_blocked_account_opens_and_joins_nothing(alice: Any, bob: Any) -> None:
    fund(alice)
    fund(bob)
    table = tables.create_table(alice, terms())
    book.freeze(bob.pk, "UAH", 900, "a complaint")
    for attempt in (lambda: tables.join_table(bob, table.pk), lambda: tables.create_table(bob, terms())):
        with pytest.raises(AccountBlocked):
            attempt()
    book.unfreeze(bob.pk, "UAH", 900, "answered")
    tables.say_ready(alice, tables.join_table(bob, table.pk).pk)
    book.freeze(alice.pk, "UAH", 900, "a complaint")
    with pytest.raises(AccountBlocked), transaction.atomic():
        tables.say_ready(bob, table.pk)
    assert not Game.objects.exists()


def test_one_open_table_per_creator(alice: Any) -> None:
    fund(alice)
    first = tables.create_table(alice, terms())
    with pytest.raises(AlreadyHasTable) as refused:
        tables.create_table(alice, terms())
    assert refused.value.params == {"table": first.pk}
    assert Table.objects.count() == 1


def test_nobody_joins_their_own_table(alice: Any) -> None:
    fund(alice)
    table = tables.create_table(alice, terms())
    with pytest.raises(OwnTable):
        tables.join_table(alice, table.pk)


def test_the_database_refuses_self_play_too(alice: Any) -> None:
    fund(alice)
    table = tables.create_table(alice, terms())
    with pytest.raises(IntegrityError, match="table_no_self_play"), transaction.atomic():
        Table.objects.filter(pk=table.pk).update(black=alice)


def test_a_second_join_is_refused(alice: Any, bob: Any, stranger: Any) -> None:
    table = joined(alice, bob)
    fund(stranger)
    with pytest.raises(TableTaken):
        tables.join_table(stranger, table.pk)
    with pytest.raises(TableTaken):
        tables.join_table(bob, table.pk)
    table.refresh_from_db()
    assert table.black_id == bob.pk


def test_a_guest_needs_the_hold(alice: Any, bob: Any) -> None:
    fund(alice)
    table = tables.create_table(alice, terms("10.00 UAH"))
    with pytest.raises(NotEnoughMoney):
        tables.join_table(bob, table.pk)
    table.refresh_from_db()
    assert table.black_id is None


def test_a_guest_waits_at_one_table_only(alice: Any, bob: Any, stranger: Any) -> None:
    table = joined(alice, bob)
    fund(stranger)
    other = tables.create_table(stranger, terms())
    with pytest.raises(AlreadyWaiting) as refused:
        tables.join_table(bob, other.pk)
    assert refused.value.params == {"table": table.pk}


def test_bots_play_for_chips_only(alice: Any, make_user: Any) -> None:
    bot = make_user("bot:1", namespace="bot")
    fund(bot)
    fund(bot, "1000 XPC")
    with pytest.raises(NoMoneyForBots):
        tables.create_table(bot, terms("1.00 UAH"))
    assert tables.create_table(bot, terms("1 XPC")).white == bot
    fund(alice)
    with pytest.raises(NoMoneyForBots):
        tables.join_table(bot, tables.create_table(alice, terms("1.00 UAH")).pk)


def test_ready_needs_an_opponent(alice: Any) -> None:
    fund(alice)
    with pytest.raises(NobodyJoined):
        tables.say_ready(alice, tables.create_table(alice, terms()).pk)


def test_strangers_learn_nothing(alice: Any, bob: Any, stranger: Any) -> None:
    table = joined(alice, bob)
    for action in (tables.say_ready, tables.leave_table, tables.touch_presence):
        with pytest.raises(NotFound):
            action(stranger, table.pk)
        with pytest.raises(NotFound):
            action(stranger, table.pk + 1000)
    with pytest.raises(NotFound):
        tables.set_seed(stranger, table.pk, "mine")
    with pytest.raises(NotFound):
        queries.table_for(stranger, table.pk)


def test_money_gone_before_the_start_starts_nothing(alice: Any, bob: Any) -> None:
    table = joined(alice, bob, stake="10.00 UAH")
    tables.say_ready(bob, table.pk)
    _spend_all(bob)
    with pytest.raises(OpponentShort) as refused:
        tables.say_ready(alice, table.pk)
    assert refused.value.params == {"needed": money.parse("30.00 UAH")}
    table.refresh_from_db()
    assert (table.status, table.white_ready, table.black_ready) == ("open", False, True)
    assert not Game.objects.exists() and not book.holds(alice.pk) and not book.holds(bob.pk)


def test_ones_own_missing_money_is_named(alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    tables.say_ready(bob, table.pk)
    _spend_all(alice)
    with pytest.raises(NotEnoughMoney) as refused:
        tables.say_ready(alice, table.pk)
    assert refused.value.params["available"] == money.money(0, "UAH")
    assert not book.holds(bob.pk)


def test_ready_twice_changes_nothing(alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    game = next_game(table)
    assert tables.say_ready(alice, table.pk).status == "playing"
    assert list(table.games.all()) == [game]


def test_an_absent_creator_closes_the_table(alice: Any, bob: Any) -> None:
    fund(alice)
    fund(bob)
    table = tables.create_table(alice, terms())
    away(table, "white")
    assert not queries.open_tables().exists()
    with pytest.raises(CreatorAway):
        tables.join_table(bob, table.pk)
    assert tables.sweep_absent(10) == 1
    table.refresh_from_db()
    assert (table.status, table.close_reason) == ("closed", "absent")
    with pytest.raises(TableClosed):
        tables.join_table(bob, table.pk)


def test_a_sign_of_life_keeps_the_table_open(alice: Any) -> None:
    fund(alice)
    table = tables.create_table(alice, terms())
    away(table, "white")
    tables.touch_presence(alice, table.pk)
    assert tables.sweep_absent(10) == 0
    assert list(queries.open_tables()) == [table]


def test_an_absent_guest_loses_the_seat_and_both_their_ready(alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    tables.set_seed(bob, table.pk, "bob's luck")
    tables.say_ready(bob, table.pk)
    away(table, "black")
    assert tables.sweep_absent(10) == 1
    table.refresh_from_db()
    assert (table.status, table.black_id, table.black_ready) == ("open", None, False)
    assert table.seeds is not None and table.seeds.black_seed == ""


def test_leaving_before_the_start(alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    assert tables.leave_table(bob, table.pk).black_id is None
    assert tables.leave_table(alice, table.pk).status == "closed"
    assert tables.leave_table(alice, table.pk).status == "closed"


def test_a_running_game_can_only_be_resigned(alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    with pytest.raises(GameRunning):
        tables.leave_table(alice, game.table_id)


def _spend_all(player: Any) -> None:
    with transaction.atomic():
        withdraw(f"spend:{player.pk}", player.pk, book.wallet(player.pk, "UAH").available, None, "test")
