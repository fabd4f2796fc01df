"""Finished games whose settlement is pending, in any number, and a real Celery worker that settles them.

One game is played through the services; the others are copies of its row with other players and a result of 2 points at
10.00 UAH and 5 % rake, so that a row is as wide as a real one.
"""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import lru_cache

from django.db import connection, transaction

from bench._settlement_floor import Pending
from games import settle, simulation
from games.models import Game, Table
from games.tasks import settle_pending
from games.terms import make_terms
from ledger import accounts, chart
from ledger.money import parse
from ledger.posting import Draft, Part, post
from players.models import Player

PLAYERS = 12_000
STAKE, HOLD, LOSS, RAKE = parse("10.00 UAH"), parse("40.00 UAH"), parse("20.00 UAH"), parse("1.00 UAH")
FUNDS = parse("1000000.00 UAH")
PATIENCE_S = 120


def people() -> None:
    """The database's first players, with ids from 1 to PLAYERS, each with money."""
    Player.objects.bulk_create(
        [Player(username=f"p{number}", display_name=f"p{number}") for number in range(1, PLAYERS + 1)]
    )
    for first in range(1, PLAYERS + 1, 500):
        with transaction.atomic():
            _fund(range(first, first + 500))


def _fund(players: range) -> None:
    """Deposits, as book.deposit makes them one at a time."""
    cash = accounts.house(chart.CASH, FUNDS.currency.code)
    ids = accounts.open_ids([cash, *(accounts.wallet(player, FUNDS.currency.code) for player in players)])
    drafts = []
    for player in players:
        wallet = ids[accounts.wallet(player, FUNDS.currency.code)]
        parts = tuple(
            Part(account, "UAH", amount) for account, amount in ((wallet, FUNDS.amount), (ids[cash], -FUNDS.amount))
        )
        drafts.append(Draft(f"fund:{player}", chart.DEPOSIT, parts=parts, reason="bench"))
    post(drafts)


def begin(white: int, black: int) -> Game:
    """A game at stake that has begun, through the services."""
    options = {"cube_limit": 2, "endgame": "mars"}  # 10 × 2 × 2 are held
    terms = make_terms(variant="short", stake=STAKE, options=options, series_length=1)
    table = simulation.seat(Player.objects.get(pk=white), Player.objects.get(pk=black), terms)
    return simulation.begin(table)


@lru_cache(maxsize=1)
def template() -> int:
    """The id of the game that all others are copied from; settled like any other, so that nothing pending is left."""
    game = begin(1, 2)
    Table.objects.filter(pk=game.table_id).update(rake_percent=5)
    Game.objects.filter(pk=game.pk).update(rake_percent=5)
    simulation.play(Game.objects.get(pk=game.pk))
    settle_all(1)
    return game.pk


COPIES = """
    INSERT INTO games_game ({columns})
    SELECT {values} FROM games_game template,
           unnest(%(white)s::int[], %(black)s::int[]) WITH ORDINALITY AS drawn (white, black, number)
     WHERE template.id = %(template)s
    RETURNING id, white_id, black_id
"""
OWN = {
    "white_id": "drawn.white", "black_id": "drawn.black", "number": "%(above)s + drawn.number", "status": "'finished'",
    "winner": "'white'", "factor": "1", "cube": "2", "points": "2", "kind": "'oin'", "reason": "'bear_off'",
    "settlement": "'parked'", "settled_at": "NULL", "entry_id": "NULL", "seeds_id": "NULL",
    "finished_at": "clock_timestamp()",
}  # fmt: skip


def pairs(seed: str, count: int) -> list[tuple[int, int]]:
    """(winner, loser) of so many games, all of different people: nobody plays two games at a time."""
    players = random.Random(seed).sample(range(1, PLAYERS + 1), 2 * count)
    return list(zip(players[::2], players[1::2], strict=True))


def finished(seed: str, count: int) -> list[Pending]:
    """So many games that are over, parked so that no worker takes them yet, and without their holds."""
    drawn = pairs(seed, count)
    columns = [str(field.column) for field in Game._meta.local_concrete_fields if not field.primary_key]
    values = [OWN.get(column, f"template.{column}") for column in columns]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            COPIES.format(columns=", ".join(columns), values=", ".join(values)),
            {
                "template": template(), "above": Game.objects.filter(table__games=template()).count(),
                "white": [white for white, _ in drawn], "black": [black for _, black in drawn],
            },
        )  # fmt: skip
        return [(f"game:{game}", white, black) for game, white, black in cursor.fetchall()]


@contextlib.contextmanager
def worker(processes: int) -> Iterator[None]:
    """A Celery worker with so many processes, each of which has settled something already."""
    command = [
        sys.executable, "-m", "celery", "-A", "nardy_platform", "worker", "-c", str(processes), "--without-gossip",
        "--without-mingle", "-n", f"bench{processes}@here", "-l", "WARNING",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        settle_all(processes)
        yield
    finally:
        process.terminate()
        process.wait()


def settle_all(tasks: int) -> float:
    """What is parked is pending again, and the worker is woken by so many tasks; seconds until nothing is pending."""
    settle.retry_parked()
    started = time.perf_counter()
    for _ in range(tasks):
        settle_pending.apply_async()
    while Game.objects.filter(settlement=Game.Settlement.PENDING).exists():
        if time.perf_counter() - started > PATIENCE_S:
            raise TimeoutError("the worker does not settle")
        time.sleep(0.003)
    return time.perf_counter() - started
