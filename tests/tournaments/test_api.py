"""The API of tournaments: read everything, register, withdraw; strangers and drafts."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ledger import book, money
from tests.games.helpers import fund
from tests.tournaments.playing import make, opened, play_round, promote, started, state
from tournaments import registration

pytestmark = pytest.mark.django_db

READS = ["api-tournament", "api-tournament-entrants", "api-tournament-standings"]


def read(client: Client, name: str, *args: Any) -> Any:
    response = client.get(reverse(name, args=args))
    assert response.status_code == 200, (name, response.content)
    return response.json()


def test_everything_can_be_read(client: Client, stranger: Any) -> None:
    tournament = started(5)
    play_round(tournament)
    client.force_login(stranger)
    assert [row["title"] for row in read(client, "api-tournaments")] == ["Friday cup"]
    found = read(client, "api-tournament", tournament.pk)
    assert (found["status"], found["rounds_planned"], found["rounds_paired"], found["you"]) == ("running", 3, 2, None)
    assert found["entry"] == {"amount": "10.00", "currency": "UAH"}
    assert [prize["amount"]["amount"] for prize in found["prizes"]] == ["35.00", "15.00"]
    assert len(read(client, "api-tournament-entrants", tournament.pk)) == 5
    first = read(client, "api-tournament-standings", tournament.pk)[0]
    points = next(number for number in first["numbers"] if number["key"] == "points")
    assert (first["place"], points["value"]) == (1, "1") and points["formula"].endswith("1 = 1")
    pairings = read(client, "api-tournament-round", tournament.pk, 1)
    assert sorted(pairing["outcome"] for pairing in pairings) == ["bye", "played", "played"]


def test_the_pool_is_shown_alike_everywhere_with_a_guarantee_and_a_late_entry(client: Client, alice: Any) -> None:
    promote("100.00 UAH")
    tournament = started(6, guarantee="100.00")
    fund(alice, "20.00 UAH")
    registration.register(alice, tournament.pk)
    # The site added 40.00 at the start, when it had 60.00; the late one's 10.00 come on top.
    expected = money.parse("110.00 UAH")
    assert book.pool(tournament.pk, "UAH") == expected
    client.force_login(alice)
    (row,) = read(client, "api-tournaments")
    detail = read(client, "api-tournament", tournament.pk)
    assert row["pool"] == detail["pool"] == {"amount": "110.00", "currency": "UAH"}
    assert sum(Decimal(prize["amount"]["amount"]) for prize in detail["prizes"]) == 110
    (listed,) = client.get(reverse("tournaments")).context["current"]
    assert listed["pool"] == client.get(reverse("tournament", args=[tournament.pk])).context["pool"] == expected


def test_before_the_start_the_pool_is_that_of_the_smallest_field(client: Client, stranger: Any) -> None:
    opened(min_field=4)
    client.force_login(stranger)
    assert read(client, "api-tournaments")[0]["pool"]["amount"] == "40.00"


def test_registering_and_withdrawing(client: Client, alice: Any) -> None:
    tournament = opened()
    fund(alice, "20.00 UAH")
    client.force_login(alice)
    for _ in range(2):
        answer = client.post(reverse("api-tournament-register", args=[tournament.pk])).json()
        assert answer["you"]["status"] == "registered"
    assert str(book.wallet(alice.pk, "UAH").held.amount) == "11.00"
    for _ in range(2):
        answer = client.post(reverse("api-tournament-withdraw", args=[tournament.pk])).json()
        assert answer["you"] is None
    assert not book.holds(alice.pk)


def test_refusals_have_a_code_and_words(client: Client, alice: Any, bob: Any) -> None:
    tournament = opened(max_field=2, min_field=2)
    client.force_login(alice)
    answer = client.post(reverse("api-tournament-register", args=[tournament.pk]))
    assert (answer.status_code, answer.json()["code"]) == (409, "insufficient_funds")
    answer = client.post(reverse("api-tournament-withdraw", args=[tournament.pk]))
    assert (answer.status_code, answer.json()["code"]) == (409, "not_entered")
    running = started(4)
    fund(alice)
    answer = client.post(reverse("api-tournament-register", args=[running.pk]))
    assert answer.status_code == 200  # late entry: one of two rounds has been paired
    play_round(running)
    client.force_login(bob)
    fund(bob)
    answer = client.post(reverse("api-tournament-register", args=[running.pk]))
    assert (answer.status_code, answer.json()["code"]) == (409, "tournament_not_now")


def test_drafts_are_not_there_and_nobody_gets_in_without_a_log_in(client: Client, stranger: Any) -> None:
    draft, tournament = make(), started(4)
    for name in READS:
        assert client.get(reverse(name, args=[tournament.pk])).status_code in (401, 403)
    client.force_login(stranger)
    for name in READS:
        assert client.get(reverse(name, args=[draft.pk])).status_code == 404, name
    for name in ("api-tournament-register", "api-tournament-withdraw"):
        assert client.post(reverse(name, args=[draft.pk])).status_code == 404, name
    assert client.get(reverse("api-tournament-round", args=[tournament.pk, 9])).status_code == 404
    topic = {"topic": f"tournament:{draft.pk}"}
    assert client.get(reverse("api-live"), topic).status_code == 404
    topic = {"topic": f"tournament:{tournament.pk}"}
    versions = client.get(reverse("api-live"), topic).json()["versions"]
    assert versions == {topic["topic"]: state(tournament).tournament.version}
