"""How many SQL statements the hot paths take, held so that nobody makes them slower unnoticed."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import alive, queries, rules, settle, tables
from games.models import Game
from games.play import act
from tests.games.helpers import fund, joined, play_on, started, state_of, terms, to_act
from tests.games.test_killed_worker import many_finished_games

pytestmark = pytest.mark.django_db


def statements(captured: CaptureQueriesContext) -> int:
    """Statements that the application sent; savepoints of tests inside a transaction do not count."""
    return sum("SAVEPOINT" not in query["sql"] for query in captured.captured_queries)


def test_opening_a_game(alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    tables.say_ready(alice, table.pk)
    with CaptureQueriesContext(connection) as captured:
        tables.say_ready(bob, table.pk)
    assert statements(captured) <= 20


def test_the_lobby_whatever_its_length(make_user: Any, stranger: Any) -> None:
    for number in range(3):
        creator = make_user(f"creator{number}")
        fund(creator)
        tables.create_table(creator, terms())
    with CaptureQueriesContext(connection) as captured:
        assert len(queries.tables_json(queries.open_tables(), stranger)) == 3
    assert statements(captured) == 1


def test_ones_own_tables_however_many(alice: Any, bob: Any) -> None:
    games = [started(alice, bob) for _ in range(3)]
    tables.create_table(alice, terms())
    with CaptureQueriesContext(connection) as captured:
        rows = queries.tables_json(queries.my_tables(alice), alice)
    assert [row["game"] for row in rows] == [None, *(game.pk for game in reversed(games))]
    assert statements(captured) == 2


@pytest.fixture
def game(alice: Any, bob: Any) -> Game:
    alive.tick()
    game = started(alice, bob)
    play_on(game, most=1)
    return game


def test_a_roll(game: Game) -> None:
    player = to_act(game)
    with CaptureQueriesContext(connection) as captured:
        act(player, game.pk, game.version, "roll", key="k")
    assert statements(captured) == 3


def test_a_play_and_the_view_after_it(game: Game) -> None:
    act(to_act(game), game.pk, game.version, "roll")
    player, turn = to_act(game), rules.Play(state_of(game).turns()[0].play)
    with CaptureQueriesContext(connection) as captured:
        assert act(player, game.pk, game.version, turn, key="k").json["phase"] == "roll"
    assert statements(captured) == 4


def test_the_last_act(game: Game) -> None:
    with CaptureQueriesContext(connection) as captured:
        act(game.white, game.pk, game.version, "resign")
    assert statements(captured) <= 8


@pytest.mark.parametrize("number", [1, 10, 100])
def test_settling_a_batch(alice: Any, bob: Any, number: int) -> None:
    games = many_finished_games(alice, bob, number)
    with CaptureQueriesContext(connection) as captured:
        settle.settle_now(games)
    assert statements(captured) <= 14
    assert Game.objects.filter(settlement="settled").count() == number
