"""Registration, log-in and what follows a person: language, theme, name."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.translation import override
from django.views.defaults import server_error

from ledger import book, money
from players.adapter import WELCOME_CHIPS
from players.models import Player

pytestmark = pytest.mark.django_db

GOOD = {"username": "newcomer", "password1": "long-enough-9", "password2": "long-enough-9", "terms": "on"}


def test_a_name_a_password_and_consent_are_enough(client: Client) -> None:
    response = client.post(reverse("account_signup"), GOOD)
    assert response.status_code == 302 and response.url == reverse("lobby")
    player = Player.objects.get(username="newcomer")
    assert client.get(reverse("wallet")).status_code == 200
    assert book.wallet(player.pk, money.PLAY_CHIPS).posted == WELCOME_CHIPS


def test_without_consent_there_is_no_account(client: Client) -> None:
    response = client.post(reverse("account_signup"), {name: value for name, value in GOOD.items() if name != "terms"})
    assert "Only people of 18 and over" in response.content.decode()
    assert not Player.objects.filter(username="newcomer").exists()


def test_a_wrong_password_says_so_and_logs_nobody_in(client: Client, alice: Player) -> None:
    response = client.post(reverse("account_login"), {"login": "alice", "password": "wrong"})
    assert response.status_code == 200 and 'role="alert"' in response.content.decode()
    assert client.get(reverse("wallet")).status_code == 302


def test_language_and_theme_follow_a_person_to_a_new_device(client: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(language="uk", theme="dark")
    client.post(reverse("account_login"), {"login": "alice", "password": "password"})
    page = client.get(reverse("lobby")).content.decode()
    assert '<html lang="uk" data-theme="dark">' in page


def test_the_menu_changes_language_and_theme_for_anybody(client: Client) -> None:
    response = client.post(reverse("preferences"), {"language": "uk", "theme": "dark", "next": "/rules/"})
    assert response.url == "/rules/"
    assert '<html lang="uk" data-theme="dark">' in client.get("/rules/").content.decode()
    client.post(reverse("preferences"), {"theme": "system"})
    assert "data-theme" not in client.get("/rules/").content.decode()


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_preferences_never_lead_away_from_the_site(client: Client, target: str) -> None:
    assert client.post(reverse("preferences"), {"language": "uk", "next": target}).url == "/"


def test_unknown_preferences_change_nothing(client: Client, alice: Player) -> None:
    client.force_login(alice)
    client.post(reverse("preferences"), {"language": "xx", "theme": "pink"})
    alice.refresh_from_db()
    assert (alice.language, alice.theme) == ("", "")


def test_profile_is_saved_and_answers_in_the_new_language(client: Client, alice: Player) -> None:
    client.force_login(alice)
    response = client.post(
        reverse("profile"), {"display_name": "  Аліса   З. ", "language": "uk", "theme": "light"}, follow=True
    )
    alice.refresh_from_db()
    assert (alice.display_name, alice.language, alice.theme) == ("Аліса З.", "uk", "light")
    assert '<html lang="uk" data-theme="light">' in response.content.decode()


@pytest.mark.parametrize("name", ["bob", "BOB", "Robert"])
def test_nobody_takes_another_players_name(client: Client, alice: Player, bob: Player, name: str) -> None:
    bob.display_name = "Robert"
    bob.save()
    client.force_login(alice)
    response = client.post(reverse("profile"), {"display_name": name, "language": "en", "theme": ""})
    assert "Another player already uses this name" in response.content.decode()
    alice.refresh_from_db()
    assert alice.display_name == ""


def test_names_are_shown_as_text(client: Client, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(display_name="<b>alice</b>")
    client.force_login(alice)
    page = client.get(reverse("lobby")).content.decode()
    assert "&lt;b&gt;alice" in page and "<b>alice" not in page


ACCOUNT_PAGES = ["account_change_password", "account_logout", "mfa_index", "profile", "account_email"]
ENTRANCE_PAGES = ["account_login", "account_signup", "account_reset_password"]


@pytest.mark.parametrize("language", ["en", "uk"])
@pytest.mark.parametrize("name", ACCOUNT_PAGES + ENTRANCE_PAGES)
def test_account_pages_wear_the_sites_clothes(client: Client, alice: Player, name: str, language: str) -> None:
    if name in ACCOUNT_PAGES:
        client.force_login(alice)
    client.cookies["django_language"] = language
    response = client.get(reverse(name), follow=True)
    page = response.content.decode()
    assert response.status_code == 200 and f'<html lang="{language}"' in page
    assert "css/site.css" in page and "style=" not in page and "<script>" not in page


def test_csrf_failure_is_explained(alice: Player) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    response = strict.post(reverse("preferences"), {"theme": "dark"})
    assert response.status_code == 403 and "The form was out of date" in response.content.decode()


def test_a_missing_page_is_said_kindly(client: Client) -> None:
    response = client.get("/nothing-here/")
    assert response.status_code == 404 and "There is nothing here" in response.content.decode()


def test_log_in_closes_after_too_many_failures_and_says_so(client: Client, alice: Player) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        response = client.post(reverse("account_login"), {"login": "alice", "password": "wrong"})
    assert "Too many failed" in response.content.decode()
    client.post(reverse("account_login"), {"login": "alice", "password": "password"})
    assert client.get(reverse("wallet")).status_code == 302


@pytest.mark.parametrize("template", ["400", "403", "404", "405", "429", "500", "403_csrf", "lockout"])
def test_error_pages_say_what_happened_and_offer_one_action(rf: RequestFactory, template: str) -> None:
    request = rf.get("/")
    request.user = AnonymousUser()
    for language in ("en", "uk", "ru"):
        with override(language):
            page = render_to_string(f"{template}.html", request=request)
        assert page.count('class="btn go"') == 1 and "<h1>" in page and "style=" not in page


def test_the_page_of_a_broken_server_needs_nothing(rf: RequestFactory) -> None:
    assert "Something broke on our side" in server_error(rf.get("/")).content.decode()
