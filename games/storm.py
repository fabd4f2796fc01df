"""A whole site under faults: a crowd plays over HTTP, tellers move money, guests bring more (a tournament),
all at once, while processes and services are killed (games.faults). At the end everything must be as if nothing had
happened.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from django.db import connection, transaction

from games import aftermath, faults, site
from games.client import Client
from games.crowd import Cast, Crowd, Tally, give
from games.doors import Web
from games.models import Game
from games.simulation import simulated_person
from games.tellers import House, Tellers
from ledger import book, money
from players.models import Player

#: What is played for, with two decimals, three, and none; two currencies of real money under different rakes.
CURRENCIES = ("UAH", "KWD", money.PLAY_CHIPS)
DEBTS = "JPY"
RAKES = {"UAH": ("5.00", None), "KWD": ("2.50", "0.750 KWD"), DEBTS: ("10.00", None)}
CAPITAL = 1000
LANES = 2


@dataclass(frozen=True)
class Stage:
    """What a guest gets: the door and the people, a place to count, and the run's seed."""

    client: Client
    door: Web
    people: Sequence[Player]
    operator: Player
    tally: Tally
    seed: int
    say: Callable[[str], object]


class Guest(Protocol):
    """Something else that goes on during the run, in a thread of its own, until it ends by itself."""

    def __call__(self, stage: Stage) -> None: ...


@dataclass(frozen=True)
class Size:
    games: int
    players: int
    threads: int
    seed: int


@dataclass(frozen=True)
class Done:
    """A run as it ended. `seconds`: in which the games were played."""

    tally: Tally
    seconds: float
    entries: dict[str, int]
    failures: list[str]


def run(size: Size, data: Path, guests: Sequence[Guest], say: Callable[[str], object]) -> Done:
    """One run on services of its own in `data`."""
    tally = Tally()
    site.migrate()
    people = [simulated_person(str(number)) for number in range(1, size.players + 1)]
    first, second, third = (simulated_person(f"operator {number}") for number in range(1, 4))
    before = aftermath.Before()
    _set_rakes(first.pk)
    _pay_in(first.pk)
    with site.serving(data / "log") as running:
        client = Client(running.address, size.seed, tally.add)
        stage = Stage(client, Web(client), people, first, tally, size.seed, say)
        crowd = Crowd(size.games, Cast(people, CURRENCIES, first.pk), size.seed, say, tally, stage.door)
        real = [code for code in CURRENCIES if code != money.PLAY_CHIPS]
        tellers = Tellers(House(people, real, DEBTS, (first, second, third)), client, tally, size.seed)
        with faults.happening(size.seed, running, tally, say, _Missing(people[0].pk, first.pk, tally)):
            seconds = _all_at_once(crowd, size.threads, tellers, guests, stage)
    connection.close()
    failures = [*tally.failures, *aftermath.remainders(before, tally.moved), *aftermath.wrong_anchors()]
    found, stalled = aftermath.findings(before.at)
    for part in stalled:
        tally.add(f"stood still for a while: {part}")
    return Done(tally, seconds, dict(before.entries()), failures + found)


def _all_at_once(crowd: Crowd, threads: int, tellers: Tellers, guests: Sequence[Guest], stage: Stage) -> float:
    """The crowd plays; tellers and guests are there meanwhile, and it waits for them to end."""
    over = threading.Event()
    beside = [threading.Thread(target=tellers.run, args=(lane, over), name=f"teller {lane}") for lane in range(LANES)]
    guests_done = [threading.Thread(target=_guarded, args=(guest, stage)) for guest in guests]
    for thread in [*beside, *guests_done]:
        thread.start()
    try:
        seconds = crowd.run(threads)
        for thread in guests_done:
            thread.join()
    finally:
        over.set()
        for thread in beside:
            thread.join()
    return seconds


def _guarded(guest: Guest, stage: Stage) -> None:
    try:
        guest(stage)
    except Exception as error:
        stage.tally.fail(f"{type(guest).__name__}: {type(error).__name__}: {error}")
    finally:
        connection.close()


def _set_rakes(operator: int) -> None:
    with transaction.atomic():
        for code, (percent, cap) in RAKES.items():
            book.set_rake(code, Decimal(percent), money.parse(cap) if cap else None, operator, "simulated")


def _pay_in(operator: int) -> None:
    """Money of the house's own: without it a gift, or a debt that nobody has paid yet, is cash that is not there, and
    the watch says so (segregation)."""
    with transaction.atomic():
        for code in RAKES:
            amount, key = money.money(CAPITAL, code), f"simulate:{uuid.uuid4()}"
            book.pay_in_capital(key, amount, operator, "simulated")
            book.fund_promotion(f"{key}:fund", money.money(CAPITAL // 10, code), operator, "simulated")


class _Missing:
    """What is still to be done when the faults are over: games to settle, entries to seal, the end to be anchored.

    Before it looks, one last deposit: with it the sealer has something to seal, and to anchor, after the last fault.
    """

    def __init__(self, owner: int, operator: int, tally: Tally) -> None:
        self.owner, self.operator, self.tally = owner, operator, tally
        self.last = f"simulate:{uuid.uuid4()}:last"
        self.posted = False

    def __call__(self) -> str:
        if not self.posted:
            amount = money.parse("1.00 UAH")
            give(self.last, self.owner, amount, self.operator)
            self.tally.move(self.owner, amount)
            self.posted = True
        if number := Game.objects.filter(settlement=Game.Settlement.PENDING).count():
            return f"{number} finished games are not settled"
        if number := aftermath.unsealed():
            return f"{number} entries are not sealed"
        return "; ".join(aftermath.wrong_anchors())
