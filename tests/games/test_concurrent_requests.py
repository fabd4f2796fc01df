"""The same request from two browsers at once: one acts, the other is told; nothing happens twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from games import settle, tables
from games.errors import StaleVersion, TableTaken
from games.models import Game, Table
from games.play import act
from ledger import book
from tests.games.helpers import fund, joined, play_on, started, terms, to_act

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """All calls in threads of their own, started together; results or errors in the order of the calls."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return call()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_two_rolls_at_once(alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    play_on(game, most=1)
    player, version = to_act(game), game.version
    first, second = at_once(*[lambda: act(player, game.pk, version, "roll")] * 2)
    assert sorted(type(answer).__name__ for answer in (first, second)) == ["GameView", "StaleVersion"]
    assert game.events.filter(event__type="roll").count() == 1


def test_the_same_request_twice_at_once_is_answered_twice(alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    play_on(game, most=1)
    player, version = to_act(game), game.version
    answers = at_once(*[lambda: act(player, game.pk, version, "roll", key="double-click")] * 4)
    assert {answer.applied for answer in answers} == {version + 1}
    assert len({tuple(answer.json["dice"] or []) for answer in answers}) == 1
    assert game.events.filter(event__type="roll").count() == 1


def test_both_resign_at_once(alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    answers = at_once(*[lambda player=player: act(player, game.pk, game.version, "resign") for player in (alice, bob)])
    assert sum(isinstance(answer, StaleVersion) for answer in answers) == 1
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED


def test_two_people_join_at_once(alice: Any, bob: Any, stranger: Any) -> None:
    for player in (alice, bob, stranger):
        fund(player)
    table = tables.create_table(alice, terms())
    answers = at_once(*[lambda player=player: tables.join_table(player, table.pk) for player in (bob, stranger)])
    assert sorted(type(answer).__name__ for answer in answers) == ["Table", TableTaken.__name__]


def test_both_say_ready_at_once(alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    at_once(*[lambda player=player: tables.say_ready(player, table.pk) for player in (alice, bob)] * 2)
    assert Table.objects.get(pk=table.pk).status == Table.Status.PLAYING
    assert table.games.count() == 1
    assert len(book.holds(alice.pk)) == len(book.holds(bob.pk)) == 1


def test_a_table_opened_twice_at_once(alice: Any) -> None:
    fund(alice)
    at_once(*[lambda: tables.create_table(alice, terms())] * 3)
    assert Table.objects.count() == 1


def test_settled_once_by_many(alice: Any, bob: Any) -> None:
    games = []
    for _ in range(3):
        game = started(alice, bob)
        act(alice, game.pk, game.version, "resign")
        tables.leave_table(alice, game.table_id)
        games.append(game)
    answers = at_once(*[settle.claim_and_settle] * 4)
    assert sum(answer.settled for answer in answers) == 3
    assert [len(book.entries_for(f"game:{game.pk}")) for game in games] == [1, 1, 1]
