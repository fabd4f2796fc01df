"""simulate and demo_data: through the real services, verified at the end, and safe to run again."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from games import demo_site
from games.models import Game, Table
from ledger import book, money
from ledger.verify import run as verify
from players.models import Player


def output(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out, stderr=out)
    return out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_a_crowd_of_bots_plays_and_settles() -> None:
    shown = output("simulate", "--games", "6", "--seed", "5", "--players", "3", "--threads", "3")
    assert "6 games," in shown and "The ledger holds" in shown
    assert Game.objects.filter(settlement="settled").count() == 6
    assert not Player.objects.exclude(namespace="bot").exists()


@pytest.mark.parametrize("wrong", [["--games", "0"], ["--players", "2"], ["--threads", "0"]])
def test_simulate_refuses_what_makes_no_sense(wrong: list[str]) -> None:
    with pytest.raises(CommandError, match="At least 1 game"):
        call_command("simulate", *wrong)


@pytest.mark.django_db
def test_simulate_says_that_the_database_went_away(monkeypatch: Any) -> None:
    def gone(*_: Any) -> float:
        raise OperationalError("server closed the connection unexpectedly\n\tand more")

    monkeypatch.setattr("games.crowd.Crowd.run", gone)
    with pytest.raises(CommandError, match=r"The database went away .server closed the connection.* Start it"):
        call_command("simulate", "--games", "1")


def test_faults_only_on_the_embedded_services(settings: Any) -> None:
    settings.EMBEDDED = False
    with pytest.raises(CommandError, match="never runs where DATABASE_URL is set"):
        call_command("simulate", "--faults")


@pytest.mark.django_db
def test_demo_data_makes_a_living_site_once(monkeypatch: Any) -> None:
    monkeypatch.setattr(demo_site, "FINISHED", demo_site.FINISHED[5:7])
    shown = output("demo_data")
    assert "olena       nardy-demo" in shown and "transcript iryna-levko.mat" in shown
    assert Game.objects.filter(settlement="settled", table__belongs_to="").count() == 26 + 3  # without tournaments
    waiting = Game.objects.get(status="playing")
    assert (waiting.white.username, waiting.black.username, waiting.clock) == ("olena", "taras", "day")
    assert Table.objects.filter(status="open").count() == 3
    olena = Player.objects.get(username="olena")
    assert olena.check_password(demo_site.PASSWORD)
    assert book.wallet(olena.pk, "UAH").available > money.parse("1000.00 UAH")
    before = (Game.objects.count(), Table.objects.count(), Player.objects.count())
    output("demo_data")
    assert (Game.objects.count(), Table.objects.count(), Player.objects.count()) == before
    assert list(verify()) == []


@pytest.mark.django_db
def test_demo_people_exist_in_a_demo_only(settings: Any) -> None:
    settings.DEMO = False
    with pytest.raises(CommandError, match="known passwords"):
        call_command("demo_data")
    assert not Player.objects.exists()
