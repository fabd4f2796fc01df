"""simulate --tournament ends with verify_ledger; the demo site has one tournament of each kind, made once."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import alive
from ledger import book
from tests.games.helpers import fund
from tests.tournaments.playing import violations
from tournaments import demo_site
from tournaments.models import Pairing, Tournament


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("format", ["knockout", "swiss"])
def test_a_simulated_tournament_ends_with_an_empty_pool(format: str) -> None:
    out = io.StringIO()
    call_command("simulate", tournament=5, seed=4, format=format, stdout=out)
    text = out.getvalue()
    assert "500 paid, pool 0 XPC" in text and "no violation" in text
    assert Tournament.objects.get().status == "paid"


@pytest.mark.django_db
def test_a_tournament_of_one_cannot_be_simulated() -> None:
    with pytest.raises(CommandError):
        call_command("simulate", tournament=1)


@pytest.mark.django_db
def test_the_demo_site_has_one_of_each_and_making_it_again_changes_nothing(make_user: Any, operator: Any) -> None:
    alive.tick()
    for username in demo_site.PEOPLE:
        person = make_user(username)
        fund(person, "1000.00 UAH")
        fund(person, "1000 XPC")
    demo_site.make()
    demo_site.make()
    found = {tournament.title: tournament for tournament in Tournament.objects.all()}
    assert [found[terms["title"]].status for terms in (demo_site.FINISHED, demo_site.RUNNING, demo_site.OPEN)] == [
        "paid", "running", "registration",
    ]  # fmt: skip
    assert len(found) == 3 and Pairing.objects.filter(outcome="").exists()
    assert book.pool(found[demo_site.FINISHED["title"]].pk, "UAH").amount == 0 and not violations()
    assert [cover for cover in book.covers() if cover.own.amount < 0] == [], "what the demo promises is covered"
