"""Sealer, settlement or beat stand still: an error in the log, a finding for operators, and a degraded /healthz."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games import settle
from games.models import Game
from games.play import act
from nardy_platform import health, pulse
from tests.games.helpers import fund, started
from tests.ledger.support import seal_everything
from tests.platform.asgi_client import ask
from watch import stalls
from watch.models import Finding
from watch.tasks import alarm

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def signs_of_life(valkey: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in pulse.PARTS:
        pulse.beat_once(part)
    monkeypatch.setattr(health, "_look", health._Look())
    monkeypatch.setattr(health, "_silent_since", {})


@pytest.fixture
def finished(alice: Any, bob: Any) -> Game:
    fund(alice, "100.00 UAH")
    fund(bob, "100.00 UAH")
    game = started(alice, bob, stake="10.00 UAH", series_length=1)
    return act(alice, game.pk, game.version, "resign").game


def ready() -> dict[str, Any]:
    health._look = health._Look()
    status, body = ask(health.answer, "/healthz/ready")
    assert status == 200
    return json.loads(body)  # type: ignore[no-any-return]


def stalled() -> dict[str, str]:
    return dict(Finding.objects.filter(check_name="stalled").values_list("subject", "message"))


def test_nobody_is_alarmed_by_what_is_young(finished: Game) -> None:
    alarm()
    assert stalled() == {}
    assert ready()["status"] == "ok"


def test_settlement_and_sealer_that_stand_still(finished: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stalls, "STALL_S", -1)
    alarm()
    assert stalled().keys() == {"sealer", "settlement"}
    said = ready()
    assert said["status"] == "degraded"
    assert "a finished game has waited for" in said["checks"]["settlement"]
    assert "has waited for its seal" in said["checks"]["sealer"]
    settle.claim_and_settle()
    seal_everything()
    said = ready()
    assert said["status"] == "ok"
    assert "settlement" not in said["checks"] and "sealer" not in said["checks"]
    assert stalled().keys() == {"sealer", "settlement"}, "operators still see that it was so"


def test_a_pause_by_operators_is_told_and_no_alarm(
    finished: Game, operator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle.pause(operator, "bank holiday")
    seal_everything()
    monkeypatch.setattr(stalls, "STALL_S", -1)
    alarm()
    assert stalled() == {}
    assert ready()["checks"]["settlement"].startswith("settlement is paused by operators")


def test_a_stall_is_known_by_more_than_its_words() -> None:
    """Words may be reworded or translated; whether it is a stall is an answer of its own."""
    found = [stalls.Waiting("sealer", "the sealer has paused", True), stalls.Waiting("settlement", "later", False)]
    assert stalls.alarm(found) == 1
    assert stalled() == {"sealer": "the sealer has paused"}


def test_parked_games_are_told(finished: Game) -> None:
    Game.objects.filter(pk=finished.pk).update(settlement="parked")
    assert ready()["checks"]["parked"] == "1 games could not be settled and wait for an operator"


def test_a_beat_that_is_gone_is_noticed_by_the_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    pulse._valkey().delete(pulse._key("beat"))
    assert ready()["checks"]["beat"] == "no sign of life in the last 20 s"
    assert stalled() == {}, "a site that has just started has no alarm"
    monkeypatch.setattr(health, "ALARM_AFTER_S", -1)
    ready()
    assert stalled() == {"beat": "no sign of life in the last 20 s"}
