"""Withdrawals on the wallet page and by the API: asked once, taken back, never somebody else's; play chips; fees."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from ledger import book
from ledger.models import Proposal
from ledger.money import parse
from tests.games.helpers import fund
from tests.ledger.support import OPERATOR

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client: Client, alice: Any) -> Client:
    fund(alice, "100.00 UAH")
    client.force_login(alice)
    return client


def form(client: Client, **changes: str) -> dict[str, str]:
    shown = client.get(reverse("wallet")).content.decode()
    key = re.search(r'name="key" value="([0-9a-f-]+)"', shown)
    assert key
    return {"amount": "40,00", "currency": "UAH", "reason": "card 1234", "key": key[1]} | changes


def test_asked_twice_by_a_double_click_it_is_one_request(page: Client, alice: Any) -> None:
    data = form(page)
    for _ in range(2):
        assert page.post(reverse("withdraw"), data).headers["Location"] == reverse("wallet")
    assert book.wallet(alice.pk, "UAH").held == parse("40.00 UAH")
    shown = page.get(reverse("wallet")).content.decode()
    for text in ("card 1234", "waits for a decision", "Take back", "₴60.00"):
        assert text in shown, text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"amount": "100,01"}, "Not enough money"),
        ({"amount": "much"}, "write a number"),
        ({"amount": "0"}, "above zero"),
        ({"currency": "XXX"}, "unknown"),
        ({"currency": "XPC"}, "unknown"),
        ({"reason": " "}, "Say where the money is to go"),
        ({"key": "guess"}, "out of date"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_blocked(
    page: Client, alice: Any, changes: dict[str, str], said: str
) -> None:
    answer = page.post(reverse("withdraw"), form(page, **changes))
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Proposal.objects.exists() and not book.holds(alice.pk)


def test_a_form_sent_before_with_another_amount_is_shown_anew(page: Client, alice: Any) -> None:
    data = form(page)
    page.post(reverse("withdraw"), data)
    again = page.post(reverse("withdraw"), data | {"amount": "5"}).content.decode()
    assert "out of date" in again and data["key"] not in again
    assert book.wallet(alice.pk, "UAH").held == parse("40.00 UAH")


def test_taken_back(page: Client, alice: Any) -> None:
    page.post(reverse("withdraw"), form(page))
    address = reverse("cancel_withdrawal", args=[Proposal.objects.get().pk])
    for _ in range(2):
        assert page.post(address).status_code == 302
    assert book.wallet(alice.pk, "UAH").available == parse("100.00 UAH")
    assert "cancelled" in page.get(reverse("wallet")).content.decode()


def test_strangers_take_nothing_back(page: Client, stranger: Any) -> None:
    page.post(reverse("withdraw"), form(page))
    number = Proposal.objects.get().pk
    other = Client()
    assert other.post(reverse("cancel_withdrawal", args=[number])).status_code == 302  # to the log-in
    other.force_login(stranger)
    assert other.post(reverse("cancel_withdrawal", args=[number])).status_code == 404
    assert other.post(reverse("api-withdrawal-cancel", args=[number])).status_code == 404
    assert "card 1234" not in other.get(reverse("wallet")).content.decode()
    assert other.get(reverse("api-withdrawals")).json() == []
    assert Proposal.objects.get().state == "open"


def test_a_rejection_says_why(page: Client) -> None:
    page.post(reverse("withdraw"), form(page))
    book.reject(Proposal.objects.get().pk, OPERATOR, "the card is not yours")
    assert "the card is not yours" in page.get(reverse("wallet")).content.decode()


def test_the_api_asks_shows_and_takes_back(page: Client) -> None:
    body = {"amount": {"amount": "40.00", "currency": "UAH"}, "to": "card 1234"}
    send = {"content_type": "application/json", "headers": {"Idempotency-Key": "one"}}
    made = [page.post(reverse("api-withdrawals"), body, **send) for _ in range(2)]
    assert [answer.status_code for answer in made] == [201, 201]
    assert made[0].json() == made[1].json()
    (shown,) = page.get(reverse("api-withdrawals")).json()
    assert (shown["state"], shown["to"], shown["amount"]) == ("open", "card 1234", body["amount"])
    back = page.post(reverse("api-withdrawal-cancel", args=[shown["id"]]))
    assert (back.status_code, back.json()["state"]) == (200, "cancelled")
    other = page.post(reverse("api-withdrawals"), body | {"to": "another"}, **send)
    assert (other.status_code, other.json()["code"]) == (409, "key_conflict")
    without = page.post(reverse("api-withdrawals"), body, content_type="application/json")
    assert without.status_code == 400


def test_a_frozen_wallet_says_so_and_can_be_withdrawn_from(page: Client, alice: Any) -> None:
    book.freeze(alice.pk, "UAH", OPERATOR, "a complaint")
    assert "This wallet is frozen" in page.get(reverse("wallet")).content.decode()
    assert page.post(reverse("withdraw"), form(page)).status_code == 302


def test_play_chips_are_filled_up_once_a_day(page: Client, alice: Any) -> None:
    fund(alice, "300 XPC")
    assert "Fill up to 1,000 chips" in page.get(reverse("wallet")).content.decode()
    for _ in range(2):
        page.post(reverse("top_up"))
    assert book.wallet(alice.pk, "XPC").posted == parse("1000 XPC")
    assert "Fill up to" not in page.get(reverse("wallet")).content.decode()
    with transaction.atomic():
        book.place_holds([book.HoldRequest("h", alice.pk, parse("1000 XPC"))])
    page.post(reverse("top_up"))
    assert book.wallet(alice.pk, "XPC").posted == parse("1000 XPC")


def test_who_has_enough_chips_gets_none(page: Client, alice: Any) -> None:
    fund(alice, "1000 XPC")
    said = page.post(reverse("top_up"), follow=True).content.decode()
    assert "You have enough play chips" in said
    assert book.wallet(alice.pk, "XPC").posted == parse("1000 XPC")


def test_the_fees_are_shown_to_everybody(client: Client) -> None:
    address = reverse("rules_page", args=["money"])
    assert "there is no fee in any currency" in client.get(address).content.decode()
    book.set_rake("UAH", Decimal("2.50"), parse("20.00 UAH"), OPERATOR, "tariff")
    book.set_rake("EUR", Decimal(5), None, OPERATOR, "tariff")
    shown = client.get(address).content.decode()
    for text in ("2.5 %", "₴20.00", "5 %", "1,000 chips"):
        assert text in shown, text
