"""What the tests of the shell share: tournaments made and played through the real services."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games import alive, tables
from games.models import Table
from games.play import act
from ledger import book, money
from ledger.verify import run
from players.models import Player
from tests.games.helpers import fund
from tournaments import advance, life, registration
from tournaments.models import Entrant, Pairing, Tournament
from tournaments.state import State, load

_keys = itertools.count(1)
TERMS: dict[str, Any] = {
    "title": "Friday cup", "format": "swiss", "variant": "short", "options": {"endgame": "oin"}, "count_by": "games",
    "target": 1, "entry": "10.00", "entry_currency": "UAH", "fee": "1.00", "max_field": 256,
}  # fmt: skip


def make(**given: Any) -> Tournament:
    """A draft that would start a minute ago; its steps are taken by hand unless `automatic`."""
    values = {**TERMS, "starts_at": timezone.now() - timedelta(minutes=1), "automatic": False, **given}
    return Tournament.objects.create(**values)


def opened(**given: Any) -> Tournament:
    tournament = make(**given)
    life.announce(tournament.pk)
    return life.open_registration(tournament.pk)


def promote(amount: str = "1000.00 UAH") -> None:
    """The house pays in so much of its own and sets it aside for tournaments."""
    value, key = money.parse(amount), f"test-promotion:{next(_keys)}"
    with transaction.atomic():
        if value.currency.code != money.PLAY_CHIPS:
            book.pay_in_capital(f"{key}:capital", value, None, "test")
        book.fund_promotion(key, value, None, "test")


def people(number: int, amount: str = "100.00 UAH") -> list[Player]:
    """Players named p1, p2, …, each with money."""
    found = []
    for n in range(1, number + 1):
        player, _ = Player.objects.get_or_create(username=f"p{n}")
        fund(player, amount)
        found.append(player)
    return found


def started(number: int, **given: Any) -> Tournament:
    """A running tournament: p1 has seed 1, and so on. The field enters in this order."""
    alive.tick()
    tournament = opened(**given)
    for player in people(number):
        registration.register(player, tournament.pk)
    life.close_registration(tournament.pk)
    return life.start(tournament.pk)


def state(tournament: Tournament) -> State:
    tournament.refresh_from_db()
    return load(tournament)


def seed(entrant: Entrant) -> int:
    return entrant.seed or 0


def play(pairing: Pairing, winner: Entrant) -> None:
    """Play a series: both say Ready, and the loser resigns each game."""
    loser = pairing.second if winner.pk == pairing.first_id else pairing.first
    assert pairing.table is not None and loser is not None
    for entrant in (winner, loser):
        tables.say_ready(entrant.player, pairing.table.pk)
    while game := pairing.table.games.filter(status="playing").first():
        act(loser.player, game.pk, game.version, "resign")
        if Table.objects.get(pk=pairing.table.pk).status == Table.Status.BETWEEN:
            for entrant in (winner, loser):
                tables.say_ready(entrant.player, pairing.table.pk)


def stronger(pairing: Pairing) -> Entrant:
    """The better seed wins."""
    assert pairing.second is not None
    return min((pairing.first, pairing.second), key=seed)


def by_chance(number: int) -> Callable[[Pairing], Entrant]:
    chance = random.Random(number)
    return lambda pairing: chance.choice([pairing.first, pairing.second])  # type: ignore[return-value]


def play_round(tournament: Tournament, choose: Callable[[Pairing], Entrant] = stronger) -> None:
    """Play every open series of the present round, then let the tournament move on."""
    for pairing in state(tournament).open_pairings:
        play(pairing, choose(pairing))
    advance.advance(tournament.pk)


def play_out(tournament: Tournament, choose: Callable[[Pairing], Entrant] = stronger) -> State:
    """Play until no round is left."""
    while (now := state(tournament)).tournament.status == "running":
        assert now.open_pairings, now.tournament.note
        play_round(tournament, choose)
    return now


def pass_deadlines(tournament: Tournament) -> None:
    """The time to say Ready is over in every open series."""
    Pairing.objects.filter(tournament=tournament, outcome="").update(deadline=timezone.now() - timedelta(seconds=1))


def places(now: State) -> list[list[str]]:
    """Names by place, best first."""
    return [[str(now.entrants[pk]) for pk in group] for group in now.groups]


def by_name(now: State, name: str) -> Entrant:
    return next(entrant for entrant in now.entrants.values() if str(entrant) == name)


def violations(checks: Sequence[str] = ()) -> list[str]:
    """What verify_ledger finds, but for seals, which beat writes."""
    return [str(found) for found in run() if "seal" not in found.check and (not checks or found.check in checks)]
