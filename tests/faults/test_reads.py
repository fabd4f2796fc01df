"""Reads fuzzed against a model: statements in any period and page size, balances at any moment, holds by state."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from ledger import book
from tests.faults.history import CURRENCIES, OWNERS, History, some_moment
from tests.ledger.support import fund, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

QUESTIONS = 250


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


def check_balance(history: History, owner: int, currency: str, at: datetime | None) -> None:
    if at is not None:
        assert book.balance_at(owner, currency, at).amount == history.balance(owner, currency, at)
        for kind in ("cash", "rake"):
            assert book.house_balance_at(kind, currency, at).amount == history.house_balance(kind, currency, at)


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


def test_a_statement_is_of_one_moment(transactional_db: None) -> None:
    """Money that comes in while it is read is in opening, rows and closing, or in none of them."""
    fund(1, "1.00 UAH", key="first")

    def post(number: int) -> None:
        try:
            fund(1, "1.00 UAH", key=f"meanwhile:{number}")
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as elsewhere:
        number = 0

        def meanwhile(execute: Any, *given: Any) -> Any:
            """Another connection posts before and after each statement of the reading."""
            nonlocal number
            number += 1
            elsewhere.submit(post, number).result()
            answer = execute(*given)
            elsewhere.submit(post, -number).result()
            return answer

        for _ in range(5):
            with connection.execute_wrapper(meanwhile):
                page = book.statement(1, "UAH")
            moved = sum(row.amount.amount for row in page.rows)
            assert page.next is None
            assert page.closing.amount == page.opening.amount + moved == page.rows[-1].balance.amount
    assert number >= 5
