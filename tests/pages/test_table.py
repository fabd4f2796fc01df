"""Opening a table, sitting down, Ready and leaving, as the pages do it; every refusal in words with nothing changed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import tables
from games.models import Game, Table
from ledger import book
from tests.games.helpers import fund, joined, started, terms

pytestmark = pytest.mark.django_db

FORM = {
    "variant": "short",
    "stake": "10,50",
    "currency": "UAH",
    "cube_limit": "8",
    "endgame": "koks",
    "clock": "normal",
    "first_move": "loser",
    "series_length": "",
    "bear_off_after_hit": "allowed",
    "head_exception": "second_player",
}


@pytest.fixture
def as_alice(client: Client, alice: Any) -> Client:
    fund(alice)
    client.force_login(alice)
    return client


def test_a_comma_amount_opens_a_table_with_all_terms_in_words(as_alice: Client) -> None:
    response = as_alice.post(reverse("new_table"), FORM | {"beaver": "on", "last_roll_draw": "on"}, follow=True)
    table = Table.objects.get()
    page = response.content.decode()
    assert response.redirect_chain[-1][0] == reverse("table", args=[table.pk])
    assert (str(table.stake_money.amount), table.options["cube_limit"]) == ("10.50", 8)
    assert table.options["beaver"] and table.options["last_roll_draw"] and not table.options["jacoby"]
    for words in (
        "₴252.00",
        "up to 8",
        "Beaver",
        "Draw with the last roll",
        "3 minutes per game",
        table.seeds.commitment,
    ):
        assert words in page, words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"stake": "0"}, "above zero"),
        ({"stake": "-5"}, "write a number"),
        ({"stake": "10.505"}, "has 2 decimals"),
        ({"stake": "1,000"}, "has 2 decimals"),
        ({"stake": "abc"}, "write a number"),
        ({"stake": ""}, "Write how much"),
        ({"stake": "99999999"}, "highest stake"),
        ({"currency": "ZZZ"}, "ZZZ"),
        ({"variant": "chess"}, "chess"),
        ({"cube_limit": "3"}, "3"),
        ({"variant": "long", "endgame": "koks"}, "koks"),
        ({"series_length": "0"}, "greater than or equal to 1"),
        ({"stake": "100000"}, "you have ₴100,000.00 available"),
    ],
)
def test_bad_terms_are_refused_in_words(as_alice: Client, change: dict[str, str], words: str) -> None:
    response = as_alice.post(reverse("new_table"), FORM | change)
    assert response.status_code == 200 and words in response.content.decode()
    assert not Table.objects.exists()


def test_options_that_the_game_does_not_offer_are_left_aside(as_alice: Client) -> None:
    as_alice.post(
        reverse("new_table"),
        FORM | {"variant": "long", "endgame": "mars", "cube_limit": "1", "beaver": "on", "mother_draw": "on"},
    )
    options = Table.objects.get().options
    assert options["variant"] == "long" and not options["beaver"] and options["head_exception"] == "second_player"


def test_the_hold_is_worked_out_by_the_server_before_creating(as_alice: Client) -> None:
    data = as_alice.get(reverse("hold_preview"), FORM | {"stake": "10", "cube_limit": "64"}).json()
    assert "₴1,920.00" in data["html"]
    bad = as_alice.get(reverse("hold_preview"), FORM | {"stake": "nothing"})
    assert bad.status_code == 422 and "write a number" in bad.json()["message"]


def test_the_whole_way_to_a_game(as_alice: Client, alice: Any, bob: Any) -> None:
    as_alice.post(reverse("new_table"), FORM)
    table = Table.objects.get()
    guest = Client()
    guest.force_login(bob)
    fund(bob)
    assert "Sit down" in guest.get(reverse("table", args=[table.pk])).content.decode()
    guest.post(reverse("table_action", args=[table.pk, "join"]))
    guest.post(reverse("table_action", args=[table.pk, "ready"]))
    assert not Game.objects.exists() and not book.holds(alice.pk)
    response = as_alice.post(reverse("table_action", args=[table.pk, "ready"]), follow=True)
    game = Game.objects.get()
    assert response.redirect_chain[-1][0] == reverse("game", args=[game.pk])
    assert guest.get(reverse("table_part", args=[table.pk])).json() == {"go": reverse("game", args=[game.pk])}


def test_one_cannot_join_ones_own_table(as_alice: Client, alice: Any) -> None:
    table = tables.create_table(alice, terms())
    response = as_alice.post(reverse("table_action", args=[table.pk, "join"]), follow=True)
    assert "This is your own table" in response.content.decode()


def test_too_little_money_is_said_with_both_sums(client: Client, alice: Any, bob: Any) -> None:
    fund(alice)
    table = tables.create_table(alice, terms("100.00 UAH"))
    fund(bob, "5.00 UAH")
    client.force_login(bob)
    assert (
        "This table blocks ₴300.00; you have ₴5.00 available."
        in client.get(reverse("table", args=[table.pk])).content.decode()
    )
    response = client.post(reverse("table_action", args=[table.pk, "join"]), follow=True)
    assert "you have ₴5.00 available" in response.content.decode()
    table.refresh_from_db()
    assert table.black is None


def test_strangers_do_not_see_a_table_that_is_taken(client: Client, alice: Any, bob: Any, stranger: Any) -> None:
    table = joined(alice, bob)
    client.force_login(stranger)
    for name, post in (("table", False), ("table_part", False), ("table_ping", True), ("table_seed", True)):
        address = reverse(name, args=[table.pk])
        assert (client.post(address) if post else client.get(address)).status_code == 404, name
    for action in ("ready", "leave"):
        assert client.post(reverse("table_action", args=[table.pk, action])).status_code == 404
    assert client.get(reverse("table", args=[999_999])).status_code == 404


def test_a_second_join_is_refused(client: Client, alice: Any, bob: Any, stranger: Any) -> None:
    table = joined(alice, bob)
    fund(stranger)
    client.force_login(stranger)
    client.post(reverse("table_action", args=[table.pk, "join"]))
    table.refresh_from_db()
    assert table.black == bob


def test_anonymous_people_log_in_first(client: Client, alice: Any) -> None:
    fund(alice)
    table = tables.create_table(alice, terms())
    for name in ("table", "new_table"):
        response = client.get(reverse(name, args=[table.pk] if name == "table" else []))
        assert response.status_code == 302 and "/accounts/login/" in response.url
    assert client.post(reverse("table_ping", args=[table.pk])).status_code == 401


def test_leaving_frees_the_seat_or_closes_the_table(client: Client, alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    client.force_login(bob)
    assert client.post(reverse("table_action", args=[table.pk, "leave"])).url == reverse("lobby")
    table.refresh_from_db()
    assert table.black is None and table.status == "open"
    client.force_login(alice)
    client.post(reverse("table_action", args=[table.pk, "leave"]))
    table.refresh_from_db()
    assert table.status == "closed"


def test_a_running_game_cannot_be_left(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    client.force_login(alice)
    response = client.post(reverse("table_action", args=[game.table_id, "leave"]), follow=True)
    assert "resign it, or play on" in response.content.decode()


def test_actions_need_post(client: Client, alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    client.force_login(bob)
    assert client.get(reverse("table_action", args=[table.pk, "leave"])).status_code == 405


def test_ones_own_seed_is_set_and_a_bad_one_refused(as_alice: Client, alice: Any) -> None:
    table = tables.create_table(alice, terms())
    as_alice.post(reverse("table_seed", args=[table.pk]), {"seed": "my own words"})
    table.seeds.refresh_from_db()
    assert table.seeds.white_seed == "my own words"
    response = as_alice.post(reverse("table_seed", args=[table.pk]), {"seed": "  "}, follow=True)
    assert "A dice seed is 1 to 64" in response.content.decode()


def test_the_ping_says_whether_the_other_side_is_there(client: Client, alice: Any, bob: Any) -> None:
    table = joined(alice, bob)
    client.force_login(alice)
    assert client.post(reverse("table_ping", args=[table.pk])).json() == {"away": False}
    Table.objects.filter(pk=table.pk).update(black_seen_at=table.black_seen_at - tables.ABSENT * 2)
    assert client.post(reverse("table_ping", args=[table.pk])).json() == {"away": True}


def test_table_stakes_are_said_in_words_and_money(as_alice: Client, alice: Any, settings: Any) -> None:
    settings.HOLD_POLICY = "table_stakes"
    asked = as_alice.get(reverse("hold_preview"), FORM | {"cube_limit": "64"}).json()["html"]
    assert "10 stakes of ₴10.50" in asked and "₴105.00" in asked
    as_alice.post(reverse("new_table"), FORM | {"cube_limit": "64"})
    table = Table.objects.get()
    settings.HOLD_POLICY = "formula"  # a table keeps the policy that it was opened under
    page = as_alice.get(reverse("table", args=[table.pk])).content.decode()
    assert "Table stakes: a loss is never more than what is blocked" in page and "₴105.00" in page
