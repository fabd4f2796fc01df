"""Names: nobody can look like somebody else, and nobody is meant by guess."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse

from players import names
from players.models import Name, Player
from players.skeleton import skeleton

pytestmark = pytest.mark.django_db


def sign_up(client: Client, name: str) -> Any:
    form = {"username": name, "password1": "long-enough-9", "password2": "long-enough-9", "terms": "on"}
    return client.post(reverse("account_signup"), form)


def rename(client: Client, player: Player, name: str) -> str:
    client.force_login(player)
    page = client.post(reverse("profile"), {"display_name": name, "language": "en", "theme": ""}).content.decode()
    player.refresh_from_db()
    return page


@pytest.fixture
def olena(make_user: Any) -> Player:
    return make_user("olena", display_name="Олена")


LOOK_ALIKES = ["Олена", "ОЛЕНА", "олена", "0лена", "Oлeнa", "olena", "OLENA", "оlеnа", "ol\u200bena", "Olena.",
               "_olena_", "o1ena", "ｏｌｅｎａ", "Оле\u0301на", "\u202eолена"]  # fmt: skip


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_no_newcomer_looks_like_somebody_else(client: Client, olena: Player, name: str) -> None:
    assert sign_up(client, name).status_code == 200
    assert Player.objects.count() == 1


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_no_display_name_looks_like_somebody_else(client: Client, olena: Player, alice: Player, name: str) -> None:
    assert 'role="alert"' in rename(client, alice, name) or alice.display_name == ""
    assert alice.display_name == ""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("\u3164\u3164", "cannot contain"),
        ("ab\u200bcd", "cannot contain “U+200B”"),
        ("\u202edcba", "cannot contain"),
        ("Z\u0335a\u0335lgo", "cannot contain"),
        ("ab\U000e0041cd", "cannot contain"),
        ("<b>fat</b>", "cannot contain “&lt;”"),
        ("Оlga", "one alphabet"),
        ("12345", "at least one letter"),
        ("Admin", "kept for the people who run the site"),
        ("nardy support", "kept for the people who run the site"),
        ("Operator1", "kept for the people who run the site"),
        ("operat0r", "kept for the people who run the site"),
        ("АДМІН", "kept for the people who run the site"),
        ("модератор", "kept for the people who run the site"),
        ("A-d-m-i-n", "kept for the people who run the site"),
    ],
)
def test_what_is_no_name_is_said(client: Client, alice: Player, name: str, why: str) -> None:
    assert why in rename(client, alice, name)
    assert alice.display_name == ""


@pytest.mark.parametrize("name", ["Аліса З.", "Мар'яна", "Jean-Luc", "გიორგი", "Łukasz_99", "Ελένη", "ümit@home"])
def test_usual_names_are_fine(client: Client, alice: Player, name: str) -> None:
    rename(client, alice, name)
    assert alice.display_name == name


def test_a_person_may_write_the_own_name_in_another_way(client: Client, olena: Player) -> None:
    rename(client, olena, "OLENA")
    assert olena.display_name == "OLENA"
    rename(client, olena, "")
    assert list(olena.names.values_list("skeleton", flat=True)) == [skeleton("olena")]


def test_a_name_given_up_is_free_again(client: Client, olena: Player, alice: Player) -> None:
    rename(client, olena, "Леся")
    rename(client, alice, "Олена")
    assert alice.display_name == "Олена"


def test_the_database_decides_a_race(olena: Player, alice: Player, monkeypatch: Any, client: Client) -> None:
    alice.display_name = "ОЛЕНА"
    with pytest.raises(IntegrityError):
        alice.save()
    monkeypatch.setattr(names, "checked", lambda name, owner_id=None: name)  # both looked before either had saved
    assert sign_up(client, "Олена").status_code == 409
    assert "Another player already uses this name" in rename(client, alice, "Олена")
    assert (alice.display_name, Player.objects.count()) == ("", 2)


def test_imported_people_and_bots_take_no_names_from_people(olena: Player) -> None:
    Player.objects.create(username="import:Олена", namespace="import", display_name="Олена")
    assert Name.objects.get(skeleton=skeleton("Олена")).player == olena


def test_an_operator_finds_by_log_in_and_display_name_and_never_by_guess(olena: Player, alice: Player) -> None:
    assert names.find("olena") == names.find("Олена") == names.find("ОЛЕНА") == olena.pk
    assert names.find("nobody") is None and names.find("") is None
    imported = Player.objects.create(username="import:Олена", namespace="import", display_name="Олена")
    assert names.find("Олена") is None  # two people: no guess
    assert names.find("import:Олена") == imported.pk
    assert names.labels([olena.pk, alice.pk]) == {olena.pk: "Олена · olena", alice.pk: "alice"}


def test_names_from_before_are_sorted_out_by_age(transactional_db: None, make_user: Any, database: Any) -> None:
    """The migration: the older account keeps the look; the younger's log-in name is marked, its display name goes."""
    older = make_user("olena", display_name="Олена")
    Player.objects.bulk_create(
        [Player(username="Олена", display_name="OLENA"), Player(username="ben", display_name="x")]
    )
    fill = MigrationExecutor(connection).loader.get_migration("players", "0002_names").operations[-1].code
    Name.objects.all().delete()
    from django.apps import apps

    fill(apps, None)
    younger = Player.objects.get(username="Олена")
    assert set(older.names.values_list("skeleton", flat=True)) == {skeleton("olena"), skeleton("Олена")}
    assert younger.display_name == "" and [n.skeleton for n in younger.names.all()] == [
        f"{skeleton('Олена')}#{younger.pk}"
    ]
    younger.save()  # stays as it is
    assert younger.names.count() == 1
