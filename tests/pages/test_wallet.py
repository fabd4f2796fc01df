"""The player's own money: balances, holds, statement, one entry."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import settle
from ledger import book
from tests.games.helpers import fund, play_on, started

pytestmark = pytest.mark.django_db


def test_balances_and_what_is_blocked_for_which_game(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob, stake="10.00 UAH")
    client.force_login(alice)
    page = client.get(reverse("wallet")).content.decode()
    for text in ("₴600.00", "₴30.00", "₴570.00", reverse("game", args=[game.pk])):
        assert text in page, text


def test_an_empty_wallet_says_how_to_deposit(client: Client, alice: Any) -> None:
    client.force_login(alice)
    page = client.get(reverse("wallet")).content.decode()
    assert "Your wallet is empty" in page and "How to deposit" in page


@pytest.mark.parametrize("money", [None, "75.00 UAH"])
def test_who_never_had_play_chips_gets_them_once(client: Client, alice: Any, settings: Any, money: str | None) -> None:
    if money:
        fund(alice, money)
    client.force_login(alice)
    assert book.wallets(alice.pk) == [book.wallet(alice.pk, "UAH")] * bool(money)
    assert client.get(reverse("wallet")).content.decode().count(f'action="{reverse("top_up")}"') == 1
    for _ in range(2):
        assert client.post(reverse("top_up")).status_code == 302
    assert book.wallet(alice.pk, "XPC").posted.amount == settings.PLAY_CHIPS_TOP_UP
    page = client.get(reverse("wallet")).content.decode()
    assert "1,000 chips" in page and reverse("top_up") not in page and "no play chips yet" not in page


def test_nobody_sees_a_wallet_without_log_in(client: Client) -> None:
    for address in (reverse("wallet"), reverse("statement", args=["UAH"]), reverse("entry", args=[1])):
        assert client.get(address).status_code == 302


def test_the_statement_adds_up(client: Client, alice: Any, bob: Any) -> None:
    game = started(alice, bob, stake="10.00 UAH")
    play_on(game)
    settle.claim_and_settle()
    client.force_login(alice)
    page = client.get(reverse("statement", args=["UAH"])).content.decode()
    closing = f"₴{book.wallet(alice.pk, 'UAH').posted.amount:,.2f}"
    for text in ("Opening balance", "Closing balance", "Deposit", f"Game {game.pk}: ", "+₴600.00", closing):
        assert text in page, text


def test_a_period_has_its_own_opening_balance(client: Client, alice: Any) -> None:
    fund(alice, "75.00 UAH")
    client.force_login(alice)
    tomorrow = (timezone.now() + timedelta(days=1)).date().isoformat()
    page = client.get(reverse("statement", args=["UAH"]), {"from": tomorrow}).content.decode()
    assert page.count("₴75.00") >= 2 and "No activity in this period." in page
    for query in (
        "period=week",
        "period=month",
        "period=last_month",
        "from=nonsense",
        "from=0001-01-01",
        "after=x",
        "after=" + "9" * 30,
    ):
        assert client.get(f"{reverse('statement', args=['UAH'])}?{query}").status_code == 200, query


def test_a_long_statement_has_pages(client: Client, alice: Any) -> None:
    for _ in range(55):
        fund(alice, "1.00 UAH")
    client.force_login(alice)
    first = client.get(reverse("statement", args=["UAH"])).content.decode()
    assert "after=50" in first and "Closing balance" not in first
    last = client.get(reverse("statement", args=["UAH"]), {"after": 50}).content.decode()
    assert "Closing balance" in last and "Opening balance" not in last and last.count("+₴1.00") == 5


def test_an_entry_shows_its_owner_their_own_line_only(client: Client, alice: Any, bob: Any, stranger: Any) -> None:
    game = started(alice, bob, stake="10.00 UAH")
    play_on(game)
    settle.claim_and_settle()
    game.refresh_from_db()
    address = reverse("entry", args=[game.entry_id])
    winner, loser = (alice, bob) if game.winner == "white" else (bob, alice)
    client.force_login(winner)
    page = client.get(address).content.decode()
    assert f"Game {game.pk}: won" in page and "−₴" not in page
    client.force_login(loser)
    page = client.get(address).content.decode()
    assert f"Game {game.pk}: lost" in page and "+₴" not in page
    client.force_login(stranger)
    assert client.get(address).status_code == 404


def test_an_unknown_currency_is_not_there(client: Client, alice: Any) -> None:
    client.force_login(alice)
    assert client.get(reverse("statement", args=["ZZZ"])).status_code == 404


def test_money_in_ukrainian(client: Client, alice: Any) -> None:
    fund(alice, "1234.50 UAH")
    fund(alice, "21 XPC")
    client.force_login(alice)
    client.cookies["django_language"] = "uk"
    page = client.get(reverse("wallet")).content.decode()
    assert "1\u00a0234,50\u00a0₴" in page and "21 фішка" in page


def test_the_number_of_statements_does_not_grow(client: Client, alice: Any) -> None:
    client.force_login(alice)
    counts = []
    for rounds in (1, 30):
        for _ in range(rounds):
            fund(alice, "1.00 UAH")
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("statement", args=["UAH"]))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 9


def test_the_balance_at_a_past_moment(client: Client, alice: Any) -> None:
    fund(alice, "75.00 UAH")
    client.force_login(alice)
    address = reverse("statement", args=["UAH"])
    for at, said in ((timezone.now() - timedelta(days=1), "₴0.00"), (timezone.now() + timedelta(days=1), "₴75.00")):
        page = client.get(address, {"at": f"{at:%Y-%m-%dT%H:%M}"}).content.decode()
        assert f'for="at"><b>{said}</b>' in page
    assert "<output" not in client.get(address, {"at": "nonsense"}).content.decode()
