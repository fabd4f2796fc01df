"""Many threads over few accounts: totals are exact, nothing is done twice, nothing deadlocks."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from ledger import book, errors, verify
from ledger.money import parse
from tests.ledger.support import OPERATOR, fund, settlement, start_game, withdraw

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = (1, 2, 3, 4, 5)


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
    """Everything that moves money, in random order, on five wallets by eight threads, each with a partner elsewhere."""
    for player in PLAYERS:
        fund(player, "100.00 UAH")
    totals: list[Counter[str]] = []

    def worker(seed: int) -> Callable[[], None]:
        dice = random.Random(seed)

        def work() -> None:
            moved: Counter[str] = Counter()
            for step in range(15):
                moved += random_step(dice, seed * 1000 + step)
            totals.append(moved)

        return work

    in_threads(*(worker(seed) for seed in range(1, 9)))
    moved = sum(totals, Counter[str]())
    house = {account.kind: account.total for account in book.house_balances() if account.currency == "UAH"}
    one = parse("1.00 UAH")
    assert -house["cash"] == one * (500 + moved["in"] - moved["out"])
    assert -house.get("adjustments", one * 0) == one * moved["given"]
    wallets = [book.wallet(player, "UAH") for player in PLAYERS]
    assert sum((wallet.posted for wallet in wallets), one * 0) + sum(house.values(), one * 0) == one * 0
    assert house["rake"] == parse("0.77 UAH") * moved["games"]
    assert all(not wallet.held for wallet in wallets)
    assert min(moved[what] for what in ("in", "out", "given", "games", "draws", "frozen")) > 0
    assert list(verify.run()) == []


def random_step(dice: random.Random, number: int) -> Counter[str]:
    """One random action; answers what it did: hryvnias that came in, went out or were given, games, draws."""
    players = dice.sample(PLAYERS, 4)
    step = dice.choice([deposit, take_out, give_and_undo, freeze_and_thaw, play_two, play_two, play_two])
    try:
        return step(number, players)
    except (errors.InsufficientFunds, errors.AccountFrozen):
        return Counter()


def deposit(number: int, players: list[int]) -> Counter[str]:
    with transaction.atomic():
        book.deposit(f"in:{number}", players[0], parse("30.00 UAH"), OPERATOR, "test")
    return Counter({"in": 30})


def take_out(number: int, players: list[int]) -> Counter[str]:
    withdraw(f"out:{number}", players[0], parse("30.00 UAH"), OPERATOR, "test")
    return Counter({"out": 30})


def give_and_undo(number: int, players: list[int]) -> Counter[str]:
    """An adjustment stays; a deposit that is taken back at once leaves nothing, not even a debt."""
    with transaction.atomic():
        made = book.propose_adjustment(f"give:{number}", players[0], parse("2.00 UAH"), OPERATOR, "test")
    with transaction.atomic():
        book.approve(made.id, OPERATOR + 1)
    with transaction.atomic():
        entry = book.deposit(f"wrong:{number}", OPERATOR + 2, parse("5.00 UAH"), OPERATOR, "test")
        made = book.propose_reversal(f"undo:{number}", entry.id, OPERATOR, "test")
        book.approve(made.id, OPERATOR + 1)
    return Counter({"given": 2})


def freeze_and_thaw(number: int, players: list[int]) -> Counter[str]:
    with transaction.atomic():
        book.freeze(players[0], "UAH", OPERATOR, "test")
    with transaction.atomic():
        book.unfreeze(players[0], "UAH", OPERATOR, "test")
    return Counter({"frozen": 1})


def play_two(number: int, players: list[int]) -> Counter[str]:
    """Two games whose holds are placed one after the other and settled in one batch: one is won, the other drawn."""
    first, second, third, fourth = players
    won = start_game(2 * number, first, second, "40.00 UAH")
    try:
        drawn = start_game(2 * number + 1, third, fourth, "10.00 UAH")
    except (errors.InsufficientFunds, errors.AccountFrozen):
        drawn = ""
    requests: list[book.Settlement | book.Release] = [settlement(won, second, first, "7.77 UAH", "0.77 UAH")]
    if drawn:
        keys = [f"{drawn}:hold:{player}" for player in (third, fourth)]
        requests.insert(0, book.Release(f"{drawn}:release", drawn, keys, "draw"))
    with transaction.atomic():
        outcomes = book.settle(requests)
    assert [outcome.error for outcome in outcomes] == [None] * len(requests)
    return Counter({"games": 1, "draws": len(requests) - 1})


def test_locks_are_taken_in_the_order_that_everybody_keeps() -> None:
    """Keys, what is known of them, balances, holds (ledger.locking). In another order it may go well for long."""
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    with CaptureQueriesContext(connection) as placing:
        game = start_game(1, 1, 2, "10.00 UAH")
    with CaptureQueriesContext(connection) as settling, transaction.atomic():
        book.settle([settlement(game, 1, 2, "5.00 UAH")])
    assert in_order(placing, "ledger_lock_keys", "WHERE h.key = ANY", "ledger_lock_balances", "INSERT INTO ledger_hold")
    assert in_order(
        settling, "ledger_lock_keys", "FROM ledger_entry e WHERE e.key = ANY", "ledger_lock_balances",
        "ORDER BY id FOR NO KEY UPDATE", "INSERT INTO ledger_entry", "UPDATE ledger_hold", "INSERT INTO ledger_line",
    )  # fmt: skip


def in_order(captured: CaptureQueriesContext, *parts: str) -> bool:
    """Whether the statements with these parts came one after the other, each once."""
    places = [[n for n, query in enumerate(captured) if part in query["sql"]] for part in parts]
    assert all(len(found) == 1 for found in places), (places, [query["sql"] for query in captured])
    return places == sorted(places)


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
