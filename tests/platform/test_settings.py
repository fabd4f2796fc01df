"""What must not start, and what a real site's settings are."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from nardy_platform import checks, safety
from nardy_platform.environment import BASE_DIR

SAFE = {
    "secret_key": "k" * 20 + "0123456789abcdefghijklmnopqrstuvwxyz",
    "seed_key": base64.urlsafe_b64encode(bytes(range(32))).decode(),
    "hosts": ["nardy.example.org"],
    "database_url": "postgresql://app@db/nardy",
    "valkey_url": "redis://valkey/0",
}


def test_safe_settings_pass():
    safety.refuse_insecure(**SAFE)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("secret_key", "", "SECRET_KEY is missing"),
        ("secret_key", "short", "shorter than 50"),
        ("secret_key", "django-insecure-" + "x" * 60, "an example"),
        ("seed_key", "", "SEED_KEY is missing"),
        ("seed_key", "not base64!", "SEED_KEY"),
        ("seed_key", base64.urlsafe_b64encode(bytes(32)).decode(), "SEED_KEY"),
        ("hosts", [], "ALLOWED_HOSTS"),
        ("hosts", ["*"], "not be '*'"),
        ("database_url", "", "DATABASE_URL is not set"),
        ("valkey_url", "", "VALKEY_URL is not set"),
    ],
)
def test_each_unsafe_setting_is_refused_with_its_reason(name, value, reason):
    with pytest.raises(ImproperlyConfigured) as refused:
        safety.refuse_insecure(**SAFE | {name: value})
    assert reason in str(refused.value)


def test_all_reasons_come_at_once():
    with pytest.raises(ImproperlyConfigured) as refused:
        safety.refuse_insecure("", "", [], "", "")
    for name in ("SECRET_KEY", "SEED_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "VALKEY_URL"):
        assert name in str(refused.value)


SITE = {
    "PATH": os.environ["PATH"],
    "SECRET_KEY": SAFE["secret_key"],
    "SEED_KEY": SAFE["seed_key"],
    "ALLOWED_HOSTS": "nardy.example.org",
    "DATABASE_URL": SAFE["database_url"],
    "VALKEY_URL": SAFE["valkey_url"],
}


def production(**changes: str) -> subprocess.CompletedProcess[str]:
    """Reads the settings in a process of its own, with a real site's environment."""
    shown = ["DEBUG", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"]
    shown += ["ALLOWED_HOSTS", "DATABASE_APP_ROLE"]
    program = (
        f"import json; from nardy_platform import settings as s; print(json.dumps([getattr(s, n) for n in {shown}]))"
    )
    return subprocess.run([sys.executable, "-c", program], env=SITE | changes, capture_output=True, text=True)


def test_a_real_site_is_https_only_and_never_in_debug():
    assert json.loads(production().stdout) == [False, True, 365 * 86400, True, True, ["nardy.example.org"], "app"]


def test_a_demo_is_reachable_on_this_machine_alone():
    shown = json.loads(production(DEMO="1", ALLOWED_HOSTS="nardy.example.org").stdout)
    assert shown[5] == ["127.0.0.1", "localhost", "[::1]"]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "http", "PORT=http is not a port: give a number from 1 to 65535"),
        ("PORT", "70000", "PORT=70000 is not a port"),
        ("PLAY_CHIPS_TOP_UP", "many", '"PLAY_CHIPS_TOP_UP" invalid: Not a valid integer'),
        ("PLAY_CHIPS_TOP_UP", "-1", '"PLAY_CHIPS_TOP_UP" invalid'),
        ("ACCOUNTING_ZONE", "Mars/Base", "“Mars/Base” is not a time zone. Write one like Europe/Kyiv."),
        ("LOG_LEVEL", "LOUD", '"LOG_LEVEL" invalid'),
        ("EMAIL_PORT", "0", '"EMAIL_PORT" invalid'),
        ("DEMO", "perhaps", '"DEMO" invalid'),
        ("DATABASE_URL", "postgresql://u:hunter2@h:port/d", "DATABASE_URL is no address of PostgreSQL"),
        ("DATABASE_URL", "mysql://u:hunter2@h/d", "DATABASE_URL is no address of PostgreSQL"),
        ("VALKEY_URL", "valkey", '"VALKEY_URL" invalid'),
        ("SECRET_KEY", "short", "SECRET_KEY is missing, shorter than 50 characters"),
    ],
)
def test_nonsense_in_a_variable_is_one_line_and_status_2(name, value, said):
    web, manage = ["-m", "nardy_platform.web"], ["manage.py", "check"]
    for program in [web] if name == "PORT" else [web, manage]:
        done = subprocess.run(
            [sys.executable, *program],
            env=SITE | {name: value},
            capture_output=True,
            text=True,
            cwd=BASE_DIR,
            timeout=60,
        )
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert said in done.stderr and "hunter2" not in done.stderr


def test_migrations_need_the_owner():
    assert "Set DATABASE_OWNER_URL" in production(DATABASE_AS_OWNER="1").stderr


def test_one_role_for_both_is_an_error(settings):
    assert checks.roles_differ() == []
    settings.DATABASE_OWNER_ROLE = settings.DATABASE_APP_ROLE
    (error,) = checks.roles_differ()
    assert error.id == "nardy.E001"
