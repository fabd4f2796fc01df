"""Waking the worker never keeps a player waiting, whatever the broker does; the message itself may be lost."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction

from games import settle, wake
from games.courier import MAX_WAITING, Courier
from games.models import Game
from games.play import act
from tests.games.helpers import started


@pytest.fixture
def deaf_port() -> Iterator[int]:
    """A port that accepts connections and never answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(50)
        yield listener.getsockname()[1]


ASK = """
import os, time
import django
django.setup()
from django.db import transaction
from games import wake, live
took = 0
for _round in range(2):
    begun = time.monotonic()
    for _ in range(10):
        wake.settlement()
        live.courier.send("game:1 1")
    took += time.monotonic() - begun
    time.sleep(1.5)
print(took)
"""


@pytest.mark.parametrize("broker", ["deaf", "closed", "unresolvable"])
def test_a_wake_up_does_not_wait_for_the_broker(deaf_port: int, broker: str) -> None:
    addresses = {"deaf": f"127.0.0.1:{deaf_port}", "closed": "127.0.0.1:1", "unresolvable": "broker.invalid:6379"}
    url = f"redis://{addresses[broker]}/0"
    environment = {
        "DJANGO_SETTINGS_MODULE": "nardy_platform.settings", "SECRET_KEY": "x" * 50, "SEED_KEY": settings.SEED_KEY,
        "DEMO": "1", "DATABASE_URL": "postgresql:///none", "VALKEY_URL": url, "PATH": "/usr/bin:/bin",
    }  # fmt: skip
    command = [sys.executable, "-c", ASK]
    here = settings.BASE_DIR
    done = subprocess.run(command, env=environment, cwd=here, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (
        float(done.stdout) < 5
    )  # waiting out the half second of each of forty calls would take 20: no measure of speed


@pytest.mark.django_db(transaction=True)
def test_a_finished_game_wakes_the_worker_once_it_is_committed(alice: Any, bob: Any, monkeypatch: Any) -> None:
    woken: list[str] = []
    monkeypatch.setattr(wake.courier, "send", woken.append)
    game = started(alice, bob)
    with transaction.atomic():
        act(alice, game.pk, game.version, "resign")
        assert woken == []
    assert woken == ["settle"]


@pytest.mark.django_db(transaction=True)
def test_a_lost_wake_up_is_made_good_by_the_sweep(alice: Any, bob: Any, monkeypatch: Any) -> None:
    def broken(_message: str) -> None:
        raise ConnectionError("no broker")

    monkeypatch.setattr(wake.courier, "send", broken)
    game = started(alice, bob)
    act(alice, game.pk, game.version, "resign")
    assert Game.objects.get(pk=game.pk).settlement == "pending"
    assert settle.claim_and_settle() == settle.Settled(1, 0)


def test_a_courier_delivers_in_order_and_outlives_failures() -> None:
    delivered: list[str] = []
    done = threading.Event()

    def deliver(message: str) -> None:
        if message == "bad":
            raise ConnectionError("lost")
        delivered.append(message)
        if message == "last":
            done.set()

    courier = Courier("test", deliver)
    for message in ("one", "bad", "two", "last"):
        courier.send(message)
    assert done.wait(10)
    assert delivered == ["one", "two", "last"]


def test_a_courier_drops_what_is_too_much_and_never_waits(caplog: Any) -> None:
    stuck = threading.Event()
    courier = Courier("stuck", lambda message: stuck.wait(30))
    for _ in range(MAX_WAITING + 500):
        courier.send("message")  # would block here if it waited
    stuck.set()
    assert "too many messages wait" in caplog.text
