"""Guards around the pages: content security policy, the admin's second factor and idle time-out, lock-out, headers."""

from __future__ import annotations

import re
import time

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from nardy_platform import mfa
from nardy_platform.middleware import StaffGuard

pytestmark = pytest.mark.django_db

ADMIN = "/admin/"


def policy(response) -> dict[str, set[str]]:
    parts = (part.split() for part in response["Content-Security-Policy"].split(";") if part.strip())
    return {name: set(sources) for name, *sources in parts}


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/accounts/signup/", "/no-such-page/", "/api/v1/schema/"])
def test_all_pages_have_the_strict_policy(client, path):
    rules = policy(client.get(path))
    assert rules["default-src"] == {"'none'"}
    assert rules["script-src"] == rules["style-src"] == {"'self'"}
    assert rules["frame-ancestors"] == rules["base-uri"] == {"'none'"}


def test_static_files_have_it_too(settings):
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    response = Client().get("/static/css/site.css")
    assert (response.status_code, response["Content-Type"]) == (200, 'text/css; charset="utf-8"')
    assert policy(response)["default-src"] == {"'none'"}


def test_the_admin_alone_gets_what_its_theme_needs(client, operator):
    client.force_login(operator)
    response = client.get(ADMIN)
    assert response.status_code == 200
    rules = policy(response)
    assert rules["script-src"] == {"'self'", "'unsafe-eval'"}
    assert rules["style-src"] == {"'self'", "'unsafe-inline'"}
    assert rules["default-src"] == {"'none'"}


def test_the_admin_asks_for_the_sites_own_log_in(client):
    response = client.get(ADMIN, follow=True)
    assert response.redirect_chain[-1][0].startswith("/accounts/login/?next=")


def test_the_admin_is_not_there_for_players(client, alice):
    client.force_login(alice)
    assert client.get(ADMIN, follow=True).status_code == 403


# --- Second factor ----------------------------------------------------------------------------------------------------


@pytest.fixture
def real(settings):
    """As in production: what only a demo may do is off."""
    settings.DEMO = False


def log_in(client: Client, **data: str):
    return client.post("/accounts/login/", {"login": "operator", "password": "password", **data})


def test_staff_without_a_second_factor_is_sent_to_set_it_up(client, operator, real):
    log_in(client)
    assert client.get(ADMIN).url == "/accounts/2fa/"


def test_staff_gets_in_with_the_second_factor_of_this_session(client, operator, real):
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(operator, secret)
    response = log_in(client)
    assert response.url.startswith("/accounts/2fa/authenticate/")
    code = totp.format_hotp_value(totp.hotp_value(secret, next(iter(totp.yield_hotp_counters_from_time()))))
    client.post("/accounts/2fa/authenticate/", {"code": code})
    assert client.get(ADMIN).status_code == 200


def test_the_secret_of_a_second_factor_is_encrypted_at_rest(operator):
    secret = totp.generate_totp_secret()
    stored = totp.TOTP.activate(operator, secret).instance.data["secret"]
    assert secret not in stored
    assert mfa.Adapter().decrypt(stored) == secret


def test_a_session_that_went_round_the_second_factor_does_not_get_in(client, operator, real):
    totp.TOTP.activate(operator, totp.generate_totp_secret())
    client.force_login(operator)  # as any way to log in that asks for no factor
    assert client.get(ADMIN).url.startswith("/accounts/login/")
    assert "_auth_user_id" not in client.session


def test_a_demo_needs_no_second_factor(client, operator):
    log_in(client)
    assert client.get(ADMIN).status_code == 200


# --- Idle time-out and lock-out ---------------------------------------------------------------------------------------


def test_an_idle_admin_session_ends(client, operator):
    client.force_login(operator)
    assert client.get(ADMIN).status_code == 200
    session = client.session
    session[StaffGuard.KEY] = int(time.time()) - StaffGuard.IDLE_S - 5
    session.save()
    assert client.get(ADMIN).url.startswith("/accounts/login/")
    assert "_auth_user_id" not in client.session


def test_a_used_admin_session_goes_on(client, operator):
    client.force_login(operator)
    client.get(ADMIN)
    session = client.session
    session[StaffGuard.KEY] = before = int(time.time()) - StaffGuard.IDLE_S + 60
    session.save()
    assert client.get(ADMIN).status_code == 200
    assert client.session[StaffGuard.KEY] > before


RIGHT = {"login": "alice", "password": "password"}


def guess(client: Client, address: str, name: str = "alice"):
    return client.post("/accounts/login/", {"login": name, "password": "wrong"}, REMOTE_ADDR=address)


@pytest.fixture(autouse=True)
def forgotten():
    """Limits count in the cache, which outlives a test."""
    cache.clear()


def test_guessing_locks_the_name_for_that_address_only(client, alice):
    statuses = [guess(client, "192.0.2.1").status_code for _ in range(settings.AXES_FAILURE_LIMIT)]
    assert statuses == [200] * (settings.AXES_FAILURE_LIMIT - 1) + [429]
    locked = client.post("/accounts/login/", RIGHT, REMOTE_ADDR="192.0.2.1")
    assert locked.status_code == 429 and "Too many failed log-ins" in locked.content.decode()
    assert client.post("/accounts/login/", RIGHT, REMOTE_ADDR="192.0.2.2").status_code == 302


def test_other_spellings_of_a_name_are_the_same_lock(client, alice):
    for name in ("alice", "ALICE", "Alice", "aLICE", " alice ") * 2:
        guess(client, "192.0.2.1", name)
    assert client.post("/accounts/login/", RIGHT, REMOTE_ADDR="192.0.2.1").status_code == 429


def test_others_at_the_same_address_get_in(client, alice, bob):
    for _ in range(settings.AXES_FAILURE_LIMIT + 5):
        guess(client, "192.0.2.1")
    assert client.post("/accounts/login/", RIGHT | {"login": "bob"}, REMOTE_ADDR="192.0.2.1").status_code == 302


def test_guessing_from_many_addresses_locks_nobody_out(client, alice):
    for n in range(30):
        guess(client, f"198.51.100.{n}")
    assert client.post("/accounts/login/", RIGHT, REMOTE_ADDR="192.0.2.1").status_code == 302


def test_a_flood_from_one_address_gets_a_page_that_explains_it(client, alice, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login": "2/m/ip"}
    answers = [guess(client, "192.0.2.9") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    page = answers[-1].content.decode()
    assert "Too many requests" in page and "css/site.css" in page


# --- Headers and cookies ----------------------------------------------------------------------------------------------


def test_usual_headers(client):
    response = client.get("/")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"


def test_the_session_cookie_is_out_of_reach_of_scripts(client, alice):
    client.post("/accounts/login/", {"login": "alice", "password": "password"})
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_pages_have_no_inline_scripts_or_styles(client, alice):
    """They would not run under the policy; better found here than in a browser's console."""
    client.force_login(alice)
    for path in ("/", "/wallet/", "/profile/", "/rules/", "/accounts/2fa/", "/accounts/password/change/"):
        text = client.get(path, follow=True).content.decode()
        inline = re.findall(
            r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/json\")[^>]*>|<style|\sstyle=\"|\son\w+=\"", text
        )
        assert inline == [], path
