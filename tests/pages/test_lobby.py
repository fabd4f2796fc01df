"""The lobby: what is open, one's own tables, finished games, filters."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import settle, tables
from tests.games.helpers import fund, joined, play_on, started, terms

pytestmark = pytest.mark.django_db


def open_table(player: Any, **given: Any) -> Any:
    agreed = terms(**given)
    fund(player)
    fund(player, "10000 XPC")
    return tables.create_table(player, agreed)


def test_everybody_sees_open_tables_with_stake_and_hold(client: Client, alice: Any) -> None:
    table = open_table(alice, stake="10.00 UAH", cube_limit=64)
    page = client.get(reverse("lobby")).content.decode()
    assert reverse("table", args=[table.pk]) in page
    assert "₴10.00" in page and "blocks ₴1,920.00" in page


def test_a_joined_table_is_no_longer_offered(client: Client, alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    assert reverse("table", args=[table.pk]) not in client.get(reverse("lobby")).content.decode()


def test_filters_by_game_and_currency(client: Client, alice: Any, bob: Any) -> None:
    long, short = open_table(alice, variant="long"), open_table(bob, stake="5 XPC")
    for query, seen, hidden in (
        ("variant=long", long, short),
        ("currency=XPC", short, long),
        ("variant=short&currency=XPC", short, long),
    ):
        page = client.get(f"{reverse('lobby_list')}?{query}").content.decode()
        assert reverse("table", args=[seen.pk]) in page and reverse("table", args=[hidden.pk]) not in page
    assert "No open table is like this." in client.get(f"{reverse('lobby')}?variant=tapa").content.decode()


def test_a_made_up_filter_is_ignored(client: Client, alice: Any) -> None:
    table = open_table(alice)
    page = client.get(f"{reverse('lobby')}?variant='--&currency=ZZZ").content.decode()
    assert reverse("table", args=[table.pk]) in page


def test_ones_own_running_game_is_one_press_away(client: Client, alice: Any, bob: Any, stranger: Any) -> None:
    game = started(alice, bob)
    client.force_login(alice)
    assert reverse("game", args=[game.pk]) in client.get(reverse("lobby")).content.decode()
    client.force_login(stranger)
    assert reverse("game", args=[game.pk]) not in client.get(reverse("lobby")).content.decode()


def test_finished_games_show_what_they_brought(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    play_on(game)
    settle.claim_and_settle()
    client.force_login(bob)
    for name in ("lobby", "my_games"):
        page = client.get(reverse(name)).content.decode()
        assert reverse("game", args=[game.pk]) in page
        assert ('class="money plus">+₴' in page) == (game.winner == "black")
        assert ('class="money minus">−₴' in page) == (game.winner == "white")


def test_my_games_are_paged(client: Client, alice: Any) -> None:
    client.force_login(alice)
    page = client.get(f"{reverse('my_games')}?before=5").content.decode()
    assert "You have not finished a game yet." in page


def test_an_empty_lobby_offers_one_action(client: Client, alice: Any) -> None:
    client.force_login(alice)
    page = client.get(reverse("lobby")).content.decode()
    assert "Nobody is waiting at a table right now." in page


def test_ukrainian_lobby(client: Client, alice: Any) -> None:
    open_table(alice, stake="10.50 UAH")
    client.cookies["django_language"] = "uk"
    page = client.get(reverse("lobby")).content.decode()
    assert "10,50\u00a0₴" in page and "Короткі нарди" in page
    assert "Open tables" not in page


def test_a_page_can_be_asked_for_its_head_alone(client: Client) -> None:
    assert client.head(reverse("lobby")).status_code == 200


def test_pages_travel_compressed(client: Client) -> None:
    reply = client.get(reverse("lobby"), headers={"accept-encoding": "gzip"})
    assert reply.headers["Content-Encoding"] == "gzip"
