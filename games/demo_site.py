"""The demo site: people with log-ins, money, finished games, open tables and a game that waits for its players.

Every part can be made again without changing what is there, so a run that was interrupted is completed by the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from games import settle, simulation, tables
from games.importing import import_file
from games.models import Game, Table
from games.terms import Terms, make_terms
from ledger import book, money
from players import roles
from players.models import Player

PASSWORD = "nardy-demo"
#: username -> (name shown, role)
PEOPLE = {
    "olena": ("Олена", "player"),
    "taras": ("Тарас", "player"),
    "petro": ("Петро", "player"),
    "sofiia": ("Софія", "player"),
    "operator": ("Operator", "operator"),
    "supervisor": ("Supervisor", "operator"),  # what one proposes, another has to approve
    "accountant": ("Accountant", "accountant"),
}
MONEY = ("25000.00 UAH", "800.00 USD", "5000 XPC")
TRANSCRIPTS = Path(__file__).parent / "demo"
RAKE_PERCENT = {"UAH": "5.00", "USD": "5.00"}


@dataclass(frozen=True)
class Played:
    """A series of `games` finished games between two people on these terms."""

    white: str
    black: str
    variant: str
    stake: str
    games: int = 1
    options: dict[str, Any] = field(default_factory=dict)

    def terms(self) -> Terms:
        return make_terms(
            variant=self.variant, stake=money.parse(self.stake), options=self.options, series_length=self.games
        )


FINISHED = (
    Played("olena", "taras", "short", "10.00 UAH", 3, {"cube_limit": 8}),
    Played("petro", "olena", "long", "20.00 UAH", 2),
    Played("taras", "petro", "caucasian", "15.50 UAH", 1, {"cube_limit": 4, "endgame": "mars"}),
    Played("sofiia", "taras", "tapa", "5.00 USD", 1),
    Played("olena", "sofiia", "nackgammon", "2.00 USD", 1, {"cube_limit": 16, "jacoby": True}),
    Played("petro", "sofiia", "hypergammon", "50 XPC", 2, {"cube_limit": 2}),
    Played("taras", "olena", "first_hit", "100 XPC", 1),
    Played("sofiia", "petro", "randgammon1", "30.00 UAH", 1),
    Played("olena", "petro", "shootout", "10.00 UAH", 1),
)
#: (creator, variant, stake, options): tables that wait for somebody to join
OPEN: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("petro", "short", "25.00 UAH", {"cube_limit": 64}),
    ("sofiia", "long", "100 XPC", {}),
    ("taras", "caucasian", "3.00 USD", {"cube_limit": 8, "endgame": "mars"}),
)
WAITING = ("olena", "taras", "short", "50.00 UAH", {"cube_limit": 16})


def make(say: Callable[[str], object]) -> None:
    """Make what is missing of the demo site; `say` is told each step."""
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = off")  # a demo may lose its last moment in a crash; it is made again
    say("people and their money")
    people = {username: _person(username) for username in PEOPLE}
    _rake(people["operator"])
    for username, (_, role) in PEOPLE.items():
        if role == "player":
            _fund(people[username], people["operator"])
    for path in sorted(TRANSCRIPTS.glob("*.mat")):
        say(f"transcript {path.name}")
        import_file(path, make_terms(variant="short", stake=money.parse("10.00 UAH"), options={"cube_limit": 64}))
    for played in FINISHED:
        say(f"{played.games} × {played.variant}: {played.white} – {played.black}, {played.stake}")
        _play(played, people)
    say("open tables, and a game that waits")
    for creator, variant, stake, options in OPEN:
        _open(people[creator], variant, stake, options)
    _wait(people)
    settle.claim_and_settle()


def log_ins() -> Iterator[str]:
    """The lines that tell people how to log in."""
    for username, (_, role) in PEOPLE.items():
        yield f"{username:<12}{PASSWORD:<14}{role}"


def _person(username: str) -> Player:
    name, role = PEOPLE[username]
    person, made = Player.objects.get_or_create(username=username, defaults={"display_name": name})
    if made:
        person.set_password(PASSWORD)
        person.save()
    if role != "player":
        roles.give(person, f"{role}s")
    return person


@transaction.atomic
def _rake(operator: Player) -> None:
    for currency, percent in RAKE_PERCENT.items():
        if book.current_rake(currency).starts_at is None:
            book.set_rake(currency, Decimal(percent), None, operator.pk, "demo site")


@transaction.atomic
def _fund(player: Player, operator: Player) -> None:
    for text in MONEY:
        amount = money.parse(text)
        code = amount.currency.code
        give = book.grant_play_chips if code == money.PLAY_CHIPS else book.deposit
        give(f"demo:{player.username}:{code}", player.pk, amount, operator.pk, "demo money")


def _play(played: Played, people: dict[str, Player]) -> None:
    white, black, terms = people[played.white], people[played.black], played.terms()
    table = Table.objects.filter(white=white, black=black, variant=played.variant, series_length=played.games).first()
    table = table or simulation.seat(white, black, terms)
    while table.status != Table.Status.CLOSED:
        running = table.games.select_related("white", "black").filter(status=Game.Status.PLAYING).first()
        simulation.play(running or simulation.begin(table))
        table.refresh_from_db()


def _open(creator: Player, variant: str, stake: str, options: dict[str, Any]) -> None:
    """A table that looks as if its creator's page were open, until somebody opens that page and leaves it again."""
    if Table.objects.filter(white=creator, variant=variant, series_length=None).exists():
        return
    table = tables.create_table(creator, make_terms(variant=variant, stake=money.parse(stake), options=options))
    Table.objects.filter(pk=table.pk).update(white_seen_at=timezone.now() + timedelta(days=365))


def _wait(people: dict[str, Player]) -> None:
    """A game in its middle, on a clock of a day, so that it is still there for whoever logs in."""
    white, black, variant, stake, options = WAITING
    if Table.objects.filter(white=people[white], variant=variant, clock="day").exists():
        return
    terms = make_terms(variant=variant, stake=money.parse(stake), options=options, clock="day")
    game = simulation.begin(simulation.seat(people[white], people[black], terms))
    simulation.play(game, simulation.plain, most=13)
