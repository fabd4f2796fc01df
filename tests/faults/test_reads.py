"""Reads fuzzed against a model: statements in any period and page size, balances at any moment, holds by state."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.db import transaction

from ledger import book
from ledger.money import money
from tests.ledger.support import seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

OWNERS = (1, 2, 3)
CURRENCIES = ("UAH", "JPY")
QUESTIONS = 250

Movement = tuple[datetime, Decimal]


class History:
    """Random games and deposits; `moves` is what the wallets must show, `holds` the state of each hold by owner."""

    def __init__(self, luck: random.Random) -> None:
        self.moves: dict[tuple[int, str], list[Movement]] = {}
        self.holds: dict[int, dict[str, str]] = {owner: {} for owner in OWNERS}
        for number in range(40):
            currency = luck.choice(CURRENCIES)
            if number < 6 or luck.random() < 0.3:
                self._deposit(number, number % 3 + 1, CURRENCIES[number % 2] if number < 6 else currency)
            else:
                self._game(number, *luck.sample(OWNERS, 2), currency, luck.choice(["win", "draw", "run"]))

    def _deposit(self, number: int, owner: int, currency: str) -> None:
        with transaction.atomic():
            entry = book.deposit(f"d:{number}", owner, money(1000, currency), 9, "in")
        self._moved(owner, currency, entry.at, Decimal(1000))

    def _game(self, number: int, winner: int, loser: int, currency: str, end: str) -> None:
        keys = {owner: f"m:{number}:{owner}" for owner in (winner, loser)}
        held = money(10, currency)
        with transaction.atomic():
            book.place_holds([book.HoldRequest(key, owner, held, f"m:{number}") for owner, key in keys.items()])
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
        if end == "win":
            assert done.entry_id
            entry = book.entry(done.entry_id)
            assert entry
            self._moved(winner, currency, entry.at, Decimal(6))
            self._moved(loser, currency, entry.at, Decimal(-7))

    def _moved(self, owner: int, currency: str, at: datetime, amount: Decimal) -> None:
        self.moves.setdefault((owner, currency), []).append((at, amount))

    def balance(self, owner: int, currency: str, before: datetime | None) -> Decimal:
        moves = self.moves.get((owner, currency), [])
        return sum((amount for at, amount in moves if before is None or at < before), Decimal(0))


@pytest.mark.parametrize("seed", [1, 2])
def test_reads_show_what_the_model_says(seed: int) -> None:
    luck = random.Random(seed)
    history = History(luck)
    if seed == 2:
        seal_everything()
    moments = sorted(at for moves in history.moves.values() for at, _ in moves)
    for _ in range(QUESTIONS):
        owner, currency = luck.choice(OWNERS), luck.choice(CURRENCIES)
        start, end = some_moment(luck, moments), some_moment(luck, moments)
        check_balance(history, owner, currency, start)
        check_statement(history, owner, currency, start, end, luck.choice([1, 2, 3, 50]))
    for owner in OWNERS:
        check_holds(history, owner)


def some_moment(luck: random.Random, moments: list[datetime]) -> datetime | None:
    """None, a movement's very moment, a microsecond beside it, or long before and after."""
    shift = luck.choice([timedelta(0), timedelta(microseconds=1), -timedelta(microseconds=1), timedelta(days=9)])
    return luck.choice([None, luck.choice(moments) + shift, moments[0] - shift])


def check_balance(history: History, owner: int, currency: str, at: datetime | None) -> None:
    if at is not None:
        assert book.balance_at(owner, currency, at).amount == history.balance(owner, currency, at)


def check_statement(
    history: History, owner: int, currency: str, start: datetime | None, end: datetime | None, limit: int
) -> None:
    """All pages joined: the movements of the period, each with its running balance, between opening and closing."""
    moves = [
        m for m in history.moves.get((owner, currency), []) if (not start or m[0] >= start) and (not end or m[0] < end)
    ]
    opening = history.balance(owner, currency, start) if start else Decimal(0)
    rows: list[tuple[datetime, Decimal, Decimal]] = []
    after: int | None = None
    while True:
        page = book.statement(owner, currency, start, end, after=after, limit=limit)
        assert page.opening.amount == opening
        if not (start and end and start > end):
            assert page.closing.amount == opening + sum(amount for _, amount in moves)
        assert len(page.rows) <= limit
        rows += [(row.at, row.amount.amount, row.balance.amount) for row in page.rows]
        after = page.next
        if after is None:
            break
    expected, running = [], opening
    for at, amount in moves:
        running += amount
        expected.append((at, amount, running))
    assert rows == expected


def check_holds(history: History, owner: int) -> None:
    mine = history.holds[owner]
    assert {hold.key for hold in book.holds(owner)} == {key for key, state in mine.items() if state == "open"}
    assert {hold.key: hold.state for hold in book.holds(owner, open_only=False)} == mine
    assert sum(wallet.held.amount for wallet in book.wallets(owner)) == 10 * list(mine.values()).count("open")
