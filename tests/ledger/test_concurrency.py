"""Many threads over few accounts: totals are exact, nothing is done twice, nothing deadlocks."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from ledger import book, errors, verify
from ledger.money import parse
from tests.ledger.support import OPERATOR, fund, settlement, start_game, withdraw

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = (1, 2, 3, 4)


def in_threads(*work: Callable[[], None]) -> None:
    """Run all at once, each on a connection of its own; an error in any fails the test."""
    failures: list[BaseException] = []
    start = threading.Barrier(len(work))

    def run(action: Callable[[], None]) -> None:
        try:
            start.wait(30)
            action()
        except BaseException as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(action,)) for action in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not [thread for thread in threads if thread.is_alive()], "deadlock or worse"
    if failures:
        raise failures[0]


def test_jackhammer() -> None:
    """Deposits, withdrawals, games and settlements in random order on four wallets by eight threads."""
    for player in PLAYERS:
        fund(player, "100.00 UAH")
    totals: list[int] = []

    def worker(seed: int) -> Callable[[], None]:
        dice = random.Random(seed)

        def work() -> None:
            moved = 0
            for step in range(12):
                moved += random_step(dice, seed * 1000 + step)
            totals.append(moved)

        return work

    in_threads(*(worker(seed) for seed in range(1, 9)))
    outside = -next(account.total for account in book.house_balances() if account.kind == "cash")
    assert outside == parse("1.00 UAH") * (400 + sum(totals))
    wallets = [book.wallet(player, "UAH") for player in PLAYERS]
    rake = [account.total for account in book.house_balances() if account.kind == "rake"]
    assert sum((wallet.posted for wallet in wallets), sum(rake, outside * 0)) == outside
    assert all(not wallet.held for wallet in wallets)
    assert list(verify.run()) == []


def random_step(dice: random.Random, number: int) -> int:
    """One random action; answers by how many hryvnias the cash grew."""
    one, other = dice.sample(PLAYERS, 2)
    choice = dice.randrange(4)
    try:
        if choice == 0:
            with transaction.atomic():
                book.deposit(f"in:{number}", one, parse("3.00 UAH"), OPERATOR, "test")
            return 3
        if choice == 1:
            withdraw(f"out:{number}", one, parse("30.00 UAH"), OPERATOR, "test")
            return -30
        reference = start_game(number, one, other, "40.00 UAH")
    except errors.InsufficientFunds:
        return 0
    with transaction.atomic():
        (outcome,) = book.settle([settlement(reference, other, one, "7.77 UAH", "0.77 UAH")])
    assert outcome.error is None
    return 0


def test_two_holds_race_for_the_same_money() -> None:
    fund(1, "100.00 UAH")
    refused: list[str] = []

    def place(number: int) -> Callable[[], None]:
        def work() -> None:
            try:
                with transaction.atomic():
                    book.place_holds([book.HoldRequest(f"hold:{number}", 1, parse("60.00 UAH"))])
            except errors.InsufficientFunds as error:
                refused.append(str(error.params["available"].amount))

        return work

    in_threads(*(place(number) for number in range(6)))
    assert refused == ["40.00"] * 5
    assert book.wallet(1, "UAH").held == parse("60.00 UAH")


def test_duplicate_storm() -> None:
    """Every settlement asked by four threads at once, in batches of different order: one entry each."""
    fund(1, "1000.00 UAH")
    fund(2, "1000.00 UAH")
    games = [start_game(number, 1, 2, "10.00 UAH") for number in range(12)]
    requests = [settlement(game, 1, 2, "5.00 UAH", "0.25 UAH") for game in games]
    answers: list[dict[str, Any]] = []

    def settle(seed: int) -> Callable[[], None]:
        def work() -> None:
            shuffled = random.Random(seed).sample(requests, len(requests))
            for half in (shuffled[:6], shuffled[6:]):
                with transaction.atomic():
                    answers.append({outcome.key: (outcome.entry_id, outcome.error) for outcome in book.settle(half)})

        return work

    in_threads(*(settle(seed) for seed in range(4)))
    seen: dict[str, set[Any]] = {}
    for answer in answers:
        for key, outcome in answer.items():
            seen.setdefault(key, set()).add(outcome)
    assert all(len(outcomes) == 1 and next(iter(outcomes))[1] is None for outcomes in seen.values())
    assert book.wallet(1, "UAH").posted == parse("1057.00 UAH")
    assert list(verify.run()) == []


def test_one_key_deposited_by_many() -> None:
    def deposit() -> None:
        with transaction.atomic():
            book.deposit("once", 1, parse("10.00 UAH"), OPERATOR, "double click")

    in_threads(*[deposit] * 6)
    assert book.wallet(1, "UAH").posted == parse("10.00 UAH")


def test_a_frozen_account_is_seen_after_the_wait(database: Any) -> None:
    """The status is read after the lock: a hold that waited while the account was frozen is refused."""
    import psycopg

    fund(1, "100.00 UAH")
    caught: list[type] = []

    def place() -> None:
        try:
            with transaction.atomic():
                book.place_holds([book.HoldRequest("late", 1, parse("10.00 UAH"))])
        except errors.AccountFrozen as error:
            caught.append(type(error))

    with psycopg.connect(database.app_url) as operator:
        account = operator.execute("SELECT id FROM ledger_account WHERE owner_id = 1").fetchone()
        assert account is not None
        operator.execute("SELECT * FROM ledger_lock_balances(%s)", [[account[0]]])
        operator.execute(
            "INSERT INTO ledger_accountevent (account_id, event, actor_id, reason) VALUES (%s, 'frozen', 9, 'x')",
            [account[0]],
        )
        thread = threading.Thread(target=lambda: (place(), connection.close()))
        thread.start()
        wait_for_a_lock(operator)
        operator.commit()
        thread.join(30)
    assert caught == [errors.AccountFrozen]


def wait_for_a_lock(watcher: Any) -> None:
    """Until somebody waits for a row lock of ours."""
    for _ in range(3000):
        waiting = watcher.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
        ).fetchone()
        if waiting != (0,):
            return
        threading.Event().wait(0.01)
    raise AssertionError("nobody waited")
