"""Tournaments of the demo site: one finished, one running, one open; making them again changes nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.utils import timezone

from games import simulation
from games.models import Game, Table
from games.simulation import bot_player
from ledger import book, money
from players.models import Player
from tournaments import advance, life, registration
from tournaments.models import Pairing, Tournament
from tournaments.state import load

PEOPLE = ("olena", "taras", "petro", "sofiia")
BOTS = 9
CHIPS = 2000

#: What the house puts in, and what of it is set aside for the tournaments below.
CAPITAL = "5000.00 UAH"
FUND = ("1000.00 UAH", "2000 XPC")

FINISHED: dict[str, Any] = {
    "title": "Кубок осені", "format": "round_robin", "variant": "hypergammon", "count_by": "games", "target": 1,
    "entry": "50.00 UAH", "fee": "5", "added": "50", "options": {"endgame": "oin"},
    "description": "Четверо друзів, кожен із кожним.",
}  # fmt: skip
RUNNING: dict[str, Any] = {
    "title": "Вечірній кубок", "format": "knockout", "variant": "hypergammon", "count_by": "games", "target": 1,
    "entry": "100 XPC", "fee": "10", "guarantee": "1500", "no_show_minutes": 7 * 24 * 60, "clock": "day",
    "options": {"endgame": "oin"}, "description": "Тринадцятеро гравців; найсильніші починають із другого туру.",
}  # fmt: skip
OPEN: dict[str, Any] = {
    "title": "Швейцарка вихідного дня", "format": "swiss", "variant": "short", "count_by": "points", "target": 3,
    "entry": "100.00 UAH", "fee": "10", "guarantee": "1000", "options": {"cube_limit": 8}, "seeding": "lot",
    "min_field": 4, "max_field": 32,
    "description": "Стільки турів, скільки потрібно учасникам; запізнитися можна до половини турів.",
}  # fmt: skip


def make() -> None:
    """Make what is missing."""
    people = [Player.objects.get(username=username) for username in PEOPLE]
    views = Permission.objects.filter(content_type__app_label="tournaments", codename__startswith="view_")
    Group.objects.get_or_create(name="accountants")[0].permissions.add(*views)
    _fund_promotion(Player.objects.get(username="operator"))
    if not _there(FINISHED):
        _play_finished(people)
    if not _there(RUNNING):
        _play_running(people)
    if not _there(OPEN):
        tournament = _opened(OPEN, timezone.now() + timedelta(days=3), automatic=True)
        for player in people[1:]:
            registration.register(player, tournament.pk)


@transaction.atomic
def _fund_promotion(operator: Player) -> None:
    book.pay_in_capital("demo:capital", money.parse(CAPITAL), operator.pk, "demo capital")
    for text in FUND:
        amount = money.parse(text)
        book.fund_promotion(f"demo:promotion:{amount.currency.code}", amount, operator.pk, "demo tournaments")


def _there(terms: dict[str, Any]) -> bool:
    return Tournament.objects.filter(title=terms["title"]).exists()


@transaction.atomic
def _opened(terms: dict[str, Any], starts_at: Any, automatic: bool = False) -> Tournament:
    values = {**terms, "entry": money.parse(terms["entry"])}
    operator = Player.objects.get(username="operator")
    tournament = Tournament.objects.create(
        **values, starts_at=starts_at, automatic=automatic, created_by=operator, time_zone="Europe/Kyiv"
    )
    life.announce(tournament.pk, operator)
    return life.open_registration(tournament.pk, operator)


@transaction.atomic
def _play_finished(people: list[Player]) -> None:
    tournament = _opened(FINISHED, timezone.now() - timedelta(days=1))
    _start(tournament, people)
    while _play_round(tournament):
        pass
    life.pay(tournament.pk)


@transaction.atomic
def _play_running(people: list[Player]) -> None:
    """The first round is over, the second has begun, and the people have their series still before them."""
    tournament = _opened(RUNNING, timezone.now() - timedelta(hours=1))
    bots = [bot_player(number) for number in range(1, BOTS + 1)]
    for one in bots:
        chips = money.money(CHIPS, money.PLAY_CHIPS)
        book.grant_play_chips(f"demo:tournament:{one.pk}", one.pk, chips, None, "demo chips")
    _start(tournament, people + bots)
    _play_round(tournament)
    for pairing in load(tournament).open_pairings[-1:]:
        _play(pairing)
    advance.advance(tournament.pk)


def _start(tournament: Tournament, players: list[Player]) -> None:
    for player in players:
        registration.register(player, tournament.pk)
    life.close_registration(tournament.pk)
    life.start(tournament.pk)


def _play_round(tournament: Tournament) -> bool:
    tournament.refresh_from_db()
    if tournament.status != Tournament.Status.RUNNING:
        return False
    for pairing in load(tournament).open_pairings:
        _play(pairing)
    advance.advance(tournament.pk)
    return True


def _play(pairing: Pairing) -> None:
    assert pairing.table_id is not None
    table = Table.objects.select_related("white", "black").get(pk=pairing.table_id)
    while table.status != Table.Status.CLOSED:
        running = table.games.select_related("white", "black").filter(status=Game.Status.PLAYING).first()
        simulation.play(running or simulation.begin(table))
        table.refresh_from_db()
