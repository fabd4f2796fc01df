"""A real Celery worker, killed in the middle of settling hundreds of games and started again: each is settled once."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

from games import settle
from games.models import Game, Table
from games.play import act
from games.start import hold_key, reference
from games.tasks import settle_pending
from ledger import book, money
from ledger.verify import run
from tests.games.helpers import fund, started
from tests.support.processes import wait_until

#: One whole batch, and a second one to be killed in.
GAMES = settle.BATCH + 100


@pytest.mark.django_db(transaction=True)
def test_kill_9_in_the_middle_settles_each_game_exactly_once(
    alice: Any, bob: Any, start_worker: Callable[..., Any], owner_connection: psycopg.Connection
) -> None:
    games = many_finished_games(alice, bob)
    before = book.wallet(alice.pk, "UAH").posted
    with in_the_way(owner_connection, games[settle.BATCH + 50]), start_worker() as worker:
        for _ in range(3):  # a task delivered more than once must not matter either
            settle_pending.delay()
        in_the_middle = lambda: settled() == settle.BATCH and somebody_waits(owner_connection)  # noqa: E731
        wait_until(in_the_middle, what="the second batch's middle")
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    assert settled() == settle.BATCH
    with start_worker():
        settle_pending.delay()
        settle_pending.delay()
        wait_until(lambda: settled() == len(games), what="the rest")
    assert Game.objects.filter(pk__in=games).values("entry_id").distinct().count() == len(games)
    assert before - book.wallet(alice.pk, "UAH").posted == money.parse("30.00 UAH") * len(games)
    assert not book.holds(alice.pk) and not book.holds(bob.pk)
    assert list(run()) == []


@pytest.mark.django_db(transaction=True)
def test_every_settlement_asked_by_many_at_once_is_one_entry_each(
    alice: Any, bob: Any, start_worker: Callable[..., Any]
) -> None:
    """Two workers with tasks enough for both, and two threads that do not skip what they hold but wait for it."""
    games = many_finished_games(alice, bob, 200)
    tables = list(Table.objects.filter(games__in=games).values_list("pk", flat=True))
    before = book.wallet(alice.pk, "UAH").posted

    def settle_all(seed: int) -> None:
        for table_id in random.Random(seed).sample(tables, len(tables)):
            settle.settle_table(table_id)
        connection.close()

    with start_worker(), start_worker(), ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(settle_all, seed) for seed in range(2)]
        for _ in range(12):
            settle_pending.delay()
        for one in waiting:
            one.result(120)
        wait_until(lambda: settled() == len(games), what="all of them")
    assert before - book.wallet(alice.pk, "UAH").posted == money.parse("30.00 UAH") * len(games)
    assert [len(book.entries_for(reference(game_id))) for game_id in games] == [1] * len(games)
    assert not Game.objects.filter(settlement="parked").exists()
    assert not book.holds(alice.pk) and not book.holds(bob.pk)
    assert list(run()) == []


@contextmanager
def in_the_way(owner: psycopg.Connection, game_id: int) -> Iterator[None]:
    """Keep one game's hold locked, so that its batch stops in the middle of its transaction."""
    with owner.transaction():
        owner.execute("SELECT FROM ledger_hold WHERE reference = %s FOR UPDATE", [reference(game_id)])
        yield


def somebody_waits(owner: psycopg.Connection) -> bool:
    return owner.execute("SELECT FROM pg_locks WHERE NOT granted").rowcount > 0


def settled() -> int:
    return Game.objects.filter(settlement="settled").count()


def many_finished_games(alice: Any, bob: Any, number: int = GAMES) -> list[int]:
    """Ids of games that alice resigned and that await settlement, with their holds placed."""
    fund(alice, "1000000.00 UAH")
    fund(bob, "1000000.00 UAH")
    game = started(alice, bob, stake="10.00 UAH", series_length=1)
    act(alice, game.pk, game.version, "resign")
    game = Game.objects.select_related("table").get(pk=game.pk)
    places = Table.objects.bulk_create(copies(game.table, number - 1, seeds=None))
    more = copies(game, number - 1, seeds=None)
    for place, copy in zip(places, more, strict=True):
        copy.table = place
    ids = [copy.pk for copy in Game.objects.bulk_create(more)]
    place_holds(ids, alice, bob)
    return [game.pk, *ids]


def copies(row: Any, number: int, **changed: Any) -> list[Any]:
    """New rows like this one, not saved yet."""
    values = {
        field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key
    }
    values |= {row._meta.get_field(name).attname: value for name, value in changed.items()}
    return [type(row)(**values) for _ in range(number)]


def place_holds(games: list[int], alice: Any, bob: Any) -> None:
    amount = money.parse("30.00 UAH")
    with transaction.atomic():
        book.place_holds(
            [
                book.HoldRequest(hold_key(game_id, player.pk), player.pk, amount, reference(game_id))
                for game_id in games
                for player in (alice, bob)
            ]
        )
