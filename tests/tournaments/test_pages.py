"""The pages of a tournament for everybody: a stranger sees what is public and can do nothing, drafts are hidden."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ledger import book
from tests.games.helpers import fund
from tests.tournaments.playing import make, opened, people, play_out, play_round, started, state
from tournaments import export, life, registration

pytestmark = pytest.mark.django_db

SECTIONS = ["tournament", "tournament_standings", "tournament_entrants", "tournament_rounds", "tournament_money"]


def text(client: Client, name: str, *args: Any, **get: Any) -> str:
    response = client.get(reverse(name, args=args), get)
    assert response.status_code == 200, (name, response.status_code)
    return response.content.decode()


@pytest.mark.parametrize("format", ["swiss", "round_robin", "knockout", "double_round_robin"])
def test_every_section_shows_at_every_stage(client: Client, format: str) -> None:
    before = opened(format=format)
    running = started(5, format=format, title="Running cup")
    play_round(running)
    over = started(4, format=format, title="Finished cup")
    play_out(over)
    life.pay(over.pk)
    for tournament in (before, running, over):
        for name in SECTIONS:
            assert tournament.title in text(client, name, tournament.pk)
            assert "<html" not in text(client, name, tournament.pk, part=1)
    for entrant in state(over).entrants.values():
        assert str(entrant) in text(client, "tournament_entrant", over.pk, entrant.pk)
    assert "Finished cup" in text(client, "tournament_print", over.pk)
    extra = {"knockout": "tournament_bracket"}.get(format, "tournament_table" if "robin" in format else None)
    if extra:
        assert "p1" in text(client, extra, running.pk)
    assert "Running cup" in text(client, "tournaments") and "Finished cup" in text(client, "tournaments")


def test_a_draft_is_hidden_from_all_but_directors(client: Client, stranger: Any, operator: Any) -> None:
    draft = make(title="Secret plan")
    for person in (None, stranger):
        if person:
            client.force_login(person)
        for name in [*SECTIONS, "tournament_csv", "tournament_print"]:
            assert client.get(reverse(name, args=[draft.pk])).status_code == 404
        assert "Secret plan" not in text(client, "tournaments")
    for name in ("tournament_register", "tournament_leave", "tournament_seed"):
        assert client.post(reverse(name, args=[draft.pk])).status_code in (302, 404)
    client.force_login(operator)
    assert "Secret plan" in text(client, "tournament", draft.pk)


def test_pages_that_are_not_there(client: Client) -> None:
    tournament = started(4)
    for name, args in [
        ("tournament_round", [tournament.pk, 9]), ("tournament_bracket", [tournament.pk]),
        ("tournament_table", [tournament.pk]), ("tournament_entrant", [tournament.pk, 999_999]),
        ("tournament", [999_999]),
    ]:  # fmt: skip
        assert client.get(reverse(name, args=args)).status_code == 404, name


def test_registration_says_the_sum_first(client: Client, alice: Any) -> None:
    tournament = opened()
    fund(alice, "30.00 UAH")
    client.force_login(alice)
    page = text(client, "tournament_register", tournament.pk)
    for words in ("₴11.00 are blocked now", "₴10.00 go into the pool", "₴1.00 are the fee", "₴30.00", "₴19.00"):
        assert words in page, words
    assert not book.holds(alice.pk)
    response = client.post(reverse("tournament_register", args=[tournament.pk]), follow=True)
    assert "You are registered for Friday cup." in response.content.decode()
    assert str(book.wallet(alice.pk, "UAH").held.amount) == "11.00"
    assert tournament.title in client.get(reverse("wallet")).content.decode()
    response = client.post(reverse("tournament_leave", args=[tournament.pk]), follow=True)
    assert "what was blocked is free again" in response.content.decode()
    assert not book.holds(alice.pk)


def test_who_is_poor_is_told_both_sums(client: Client, alice: Any) -> None:
    tournament = opened()
    fund(alice, "5.00 UAH")
    client.force_login(alice)
    assert "Registration blocks ₴11.00; you have ₴5.00 available." in text(client, "tournament_register", tournament.pk)
    response = client.post(reverse("tournament_register", args=[tournament.pk]), follow=True)
    assert "Nothing was blocked." in response.content.decode()


def test_a_player_sees_their_series_and_its_deadline(client: Client) -> None:
    tournament = started(4)
    player = state(tournament).entrants[min(state(tournament).entrants)].player
    client.force_login(player)
    page = text(client, "tournament", tournament.pk)
    assert "Your series now" in page and "Say Ready by" in page
    pairing = next(p for p in state(tournament).open_pairings if player.pk in (p.first.player_id, p.second.player_id))
    assert reverse("table", args=[pairing.table_id]) in page
    assert "Friday cup" in text(client, "table", pairing.table_id)
    assert "Friday cup" in text(client, "lobby")


def test_a_stranger_cannot_open_the_table_of_a_series(client: Client, stranger: Any) -> None:
    tournament = started(4)
    client.force_login(stranger)
    pairing = state(tournament).open_pairings[0]
    assert client.get(reverse("table", args=[pairing.table_id])).status_code == 404
    assert client.post(reverse("tournament_leave", args=[tournament.pk]), follow=True).status_code == 200
    assert client.get(reverse("tournament", args=[tournament.pk])).status_code == 200


def test_money_shows_ones_own_entries_and_all_to_operators(client: Client, stranger: Any, operator: Any) -> None:
    tournament = started(4, format="knockout")
    play_out(tournament)
    life.pay(tournament.pk)
    entries = [entry.id for entry in book.entries_for(f"tournament:{tournament.pk}")]
    one = people(1)[0]
    for person, seen in ((stranger, 0), (one, 2), (operator, len(entries))):
        client.force_login(person)
        page = text(client, "tournament_money", tournament.pk)
        assert sum(f'/{entry}/">{entry}</a>' in page or f">{entry}</a>" in page for entry in entries) == seen
        assert "₴40.00" in page and "₴4.00" in page


def test_names_cannot_inject(client: Client, make_user: Any) -> None:
    tournament = opened(title="<b>Cup</b>", format="knockout")
    for name in ("eve", "mallory"):
        person = make_user(name, display_name=f"<script>{name}</script>")
        fund(person)
        registration.register(person, tournament.pk)
    life.close_registration(tournament.pk)
    life.start(tournament.pk)
    for name in [*SECTIONS, "tournament_bracket", "tournament_print"]:
        page = text(client, name, tournament.pk)
        assert "<script>eve" not in page and "<b>Cup</b>" not in page, name


def test_the_csv_is_the_same_in_every_language_and_no_formula(client: Client, make_user: Any) -> None:
    tournament = started(3)
    play_out(tournament)
    first = client.get(reverse("tournament_csv", args=[tournament.pk])).content
    second = client.get(reverse("tournament_csv", args=[tournament.pk]), headers={"accept-language": "uk"}).content
    assert first == second and b"\r\nplace,last_place,player" in first
    person = make_user("formula", display_name="=cmd()")
    fund(person)
    other = opened()
    registration.register(person, other.pk)
    registration.register(people(1)[0], other.pk)
    life.close_registration(other.pk)
    assert b"'=cmd()" in client.get(reverse("tournament_csv", args=[other.pk])).content


def test_numbers_of_the_csv_stay_numbers_below_zero_too() -> None:
    assert export._safe([Decimal("-4"), -4, "-4 points", "plain"]) == [Decimal("-4"), -4, "'-4 points", "plain"]


@pytest.mark.parametrize("name", SECTIONS)
def test_the_pages_of_a_large_field_stay_light(
    client: Client, alice: Any, name: str, django_assert_max_num_queries: Any
) -> None:
    tournament = started(32)
    play_round(tournament)
    client.force_login(alice)
    client.get(reverse(name, args=[tournament.pk]))
    with django_assert_max_num_queries(14):
        client.get(reverse(name, args=[tournament.pk]))
