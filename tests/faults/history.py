"""A random history of deposits and games, posted through the book and remembered by a model, to fuzz reads against."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction

from ledger import book
from ledger.money import money

OWNERS = (100_001, 100_002, 100_003)  # far above the ids that the tests' users get
CURRENCIES = ("UAH", "JPY")
Movement = tuple[datetime, Decimal]


@dataclass(frozen=True)
class Posted:
    """An entry as it must be found."""

    id: int
    kind: str
    key: str
    reference: str
    owners: tuple[int, ...]
    at: datetime


@dataclass(frozen=True)
class Held:
    """A hold as it must be found."""

    id: int
    key: str
    reference: str
    owner: int
    currency: str
    placed_at: datetime
    state: str
    entry_key: str | None


class History:
    """Random games and deposits; `moves` is what the wallets must show, `holds` the state of each hold by owner.

    `entries` and `placed` are all entries and holds there are, oldest first.
    """

    def __init__(self, luck: random.Random) -> None:
        self.moves: dict[tuple[int, str], list[Movement]] = {}
        self.holds: dict[int, dict[str, str]] = {owner: {} for owner in OWNERS}
        self.house: dict[tuple[str, str], list[Movement]] = {}
        self.entries: list[Posted] = []
        self.placed: list[Held] = []
        for number in range(40):
            currency = luck.choice(CURRENCIES)
            if number < 6 or luck.random() < 0.3:
                self._deposit(number, OWNERS[number % 3], CURRENCIES[number % 2] if number < 6 else currency)
            else:
                self._game(number, *luck.sample(OWNERS, 2), currency, luck.choice(["win", "draw", "run"]))

    def _deposit(self, number: int, owner: int, currency: str) -> None:
        with transaction.atomic():
            entry = book.deposit(f"d:{number}", owner, money(1000, currency), 9, "in")
        self._moved(owner, currency, entry.at, Decimal(1000))
        self.house.setdefault(("cash", currency), []).append((entry.at, Decimal(-1000)))
        self._posted(entry, (owner,))

    def _game(self, number: int, winner: int, loser: int, currency: str, end: str) -> None:
        keys = {owner: f"m:{number}:{owner}" for owner in (winner, loser)}
        held = money(10, currency)
        with transaction.atomic():
            placed = book.place_holds(
                [book.HoldRequest(key, owner, held, f"m:{number}") for owner, key in keys.items()]
            )
            if end == "win":
                (done,) = book.settle([
                    book.Settlement(f"s:{number}", f"m:{number}", keys[winner], keys[loser], money(7, currency),
                                    money(1, currency))
                ])  # fmt: skip
            elif end == "draw":
                (done,) = book.settle([book.Release(f"s:{number}", f"m:{number}", list(keys.values()), "draw")])
        for owner, key in keys.items():
            self.holds[owner][key] = {"win": "captured" if owner == loser else "released"}.get(end, "released")
            if end == "run":
                self.holds[owner][key] = "open"
        for one in placed:
            state, entry_key = self.holds[one.owner_id][one.key], f"s:{number}" if end == "win" else None
            self.placed.append(
                Held(one.id, one.key, one.reference, one.owner_id, currency, one.placed_at, state, entry_key)
            )
        if end == "win":
            assert done.entry_id
            entry = book.entry(done.entry_id)
            assert entry
            self._moved(winner, currency, entry.at, Decimal(6))
            self._moved(loser, currency, entry.at, Decimal(-7))
            self.house.setdefault(("rake", currency), []).append((entry.at, Decimal(1)))
            self._posted(entry, (winner, loser))

    def _posted(self, entry: book.EntryView, owners: tuple[int, ...]) -> None:
        self.entries.append(Posted(entry.id, entry.kind, entry.key, entry.reference, owners, entry.at))

    def _moved(self, owner: int, currency: str, at: datetime, amount: Decimal) -> None:
        self.moves.setdefault((owner, currency), []).append((at, amount))

    def balance(self, owner: int, currency: str, before: datetime | None) -> Decimal:
        return _sum(self.moves.get((owner, currency), []), before)

    def house_balance(self, kind: str, currency: str, before: datetime) -> Decimal:
        return _sum(self.house.get((kind, currency), []), before)


def _sum(moves: list[Movement], before: datetime | None) -> Decimal:
    return sum((amount for at, amount in moves if before is None or at < before), Decimal(0))


def some_moment(luck: random.Random, moments: list[datetime]) -> datetime | None:
    """None, a movement's very moment, a microsecond beside it, or long before and after."""
    shift = luck.choice([timedelta(0), timedelta(microseconds=1), -timedelta(microseconds=1), timedelta(days=9)])
    return luck.choice([None, luck.choice(moments) + shift, moments[0] - shift])
