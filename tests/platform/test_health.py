"""/healthz/live and /healthz/ready: what is missing, with the reason, and never a probe that hangs."""

from __future__ import annotations

import json
import socket
import time
from typing import Any

import pytest
from django.db import connection

from nardy_platform import health, pulse
from tests.platform.asgi_client import ask

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fresh_look(monkeypatch):
    monkeypatch.setattr(health, "_look", health._Look())


@pytest.fixture
def signs_of_life(valkey):
    for part in pulse.PARTS:
        pulse.beat_once(part)


def ready() -> tuple[int, dict[str, Any]]:
    status, body = ask(health.answer, "/healthz/ready")
    return status, json.loads(body)


def test_live_only_says_that_the_process_runs():
    assert ask(health.answer, "/healthz/live") == (200, b'{"status": "ok"}')


def test_all_is_well(signs_of_life):
    checks = dict.fromkeys(["database", "migrations", "valkey", "worker", "beat"], "ok")
    assert ready() == (200, {"status": "ok", "checks": checks})


def test_a_missing_worker_or_beat_only_degrades(signs_of_life):
    pulse._valkey().delete(pulse._key("worker"))
    status, said = ready()
    assert (status, said["status"]) == (200, "degraded")
    assert said["checks"]["worker"] == "no sign of life in the last 20 s"
    assert said["checks"]["beat"] == "ok"


def test_a_database_that_cannot_be_reached_is_503_and_only_the_log_says_why(signs_of_life, monkeypatch, caplog):
    monkeypatch.setitem(connection.settings_dict, "NAME", "no_such_database")
    status, said = ready()
    assert (status, said["status"]) == (503, "unavailable")
    assert said["checks"]["database"] == "no answer; the log has the reason"
    assert 'database "no_such_database" does not exist' in caplog.text


def test_a_migration_that_is_not_applied_is_503(signs_of_life, owner_connection, caplog):
    latest = owner_connection.execute("SELECT max(name) FROM django_migrations WHERE app = 'ledger'").fetchone()[0]
    owner_connection.execute("DELETE FROM django_migrations WHERE app = 'ledger' AND name = %s", [latest])
    try:
        status, said = ready()
    finally:
        owner_connection.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('ledger', %s, now())", [latest]
        )
    assert status == 503
    assert said["checks"]["migrations"] == "1 not applied; run manage.py migrate"
    assert f"ledger.{latest}" in caplog.text


def test_an_application_role_that_owns_tables_is_503(signs_of_life, monkeypatch, caplog):
    monkeypatch.setitem(connection.settings_dict, "USER", "nardy_owner")
    status, said = ready()
    assert status == 503
    assert said["checks"]["database"] == "set up wrongly; the log has the reason"
    assert "must not" in caplog.text


def test_a_valkey_that_does_not_answer_is_503(monkeypatch, settings, caplog):
    settings.VALKEY_URL = "unix:///nowhere/valkey.sock"
    pulse._valkey.cache_clear()
    try:
        status, said = ready()
    finally:
        pulse._valkey.cache_clear()
    assert status == 503
    assert said["checks"]["valkey"] == "no answer; the log has the reason"
    assert "/nowhere" not in json.dumps(said) and "/nowhere" in caplog.text


def test_services_that_accept_and_never_answer_do_not_hang_the_probe(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
        monkeypatch.setitem(connection.settings_dict, "PORT", silent.getsockname()[1])
        began = time.monotonic()
        status, said = ready()
    assert status == 503
    assert said["status"] == "unavailable"
    assert time.monotonic() - began < 10  # it would hang for good: no measure of speed


def test_another_address_says_where_to_ask():
    assert ask(health.answer, "/healthz/")[0] == 404
