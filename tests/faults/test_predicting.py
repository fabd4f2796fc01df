"""Calls at the same time, and a model that predicts them: the answers must be those of some order of the calls.

The model is a pure function. For each round of concurrent calls it is run over every order; one of them must give all
the answers that the callers got and the balances that the database has now.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any

import pytest
from django.db import connection, transaction

from ledger import book, errors, verify
from ledger.money import money

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("owners_are_ids")]

OWNERS = (1, 2, 3)
ROUNDS = 25
AT_ONCE = 4
GAME_MONEY = 30


@dataclass(frozen=True)
class Model:
    """Posted and held by owner; holds by key (owner, amount, state); keys of deposits and settlements done."""

    posted: dict[int, int] = field(default_factory=lambda: dict.fromkeys(OWNERS, 0))
    holds: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    done: frozenset[str] = frozenset()

    def held(self, owner: int) -> int:
        return sum(amount for who, amount, state in self.holds.values() if who == owner and state == "open")


Step = Callable[[Model], tuple[Model, str]]


@dataclass(frozen=True)
class Call:
    """A request, and what the model says of it: the model after it and the answer ("ok" or the error's name)."""

    ask: Callable[[], Any]
    step: Step


def deposit(key: str, owner: int, amount: int) -> Call:
    def step(model: Model) -> tuple[Model, str]:
        if key in model.done:
            return model, "ok"
        return replace(
            model, posted=model.posted | {owner: model.posted[owner] + amount}, done=model.done | {key}
        ), "ok"

    return Call(lambda: book.deposit(key, owner, money(amount, "UAH"), 9, "in"), step)


def hold(game: int, white: int, black: int) -> Call:
    keys = {f"m:{game}:{owner}": owner for owner in (white, black)}

    def step(model: Model) -> tuple[Model, str]:
        if keys.keys() <= model.holds.keys():
            return model, "ok"
        if any(model.posted[owner] - model.held(owner) < GAME_MONEY for owner in keys.values()):
            return model, "InsufficientFunds"
        return replace(model, holds=model.holds | {k: (o, GAME_MONEY, "open") for k, o in keys.items()}), "ok"

    requests = [book.HoldRequest(key, owner, money(GAME_MONEY, "UAH"), f"m:{game}") for key, owner in keys.items()]
    return Call(lambda: book.place_holds(requests), step)


def settle(game: int, winner: int, loser: int, loss: int) -> Call:
    """Keys differ by winner and loss, so two settlements of one game compete, and one asked twice is a repeat."""
    key, won, lost = f"m:{game}:{winner}:{loss}", f"m:{game}:{winner}", f"m:{game}:{loser}"

    def step(model: Model) -> tuple[Model, str]:
        if key in model.done:
            return model, "ok"
        if won not in model.holds:
            return model, "HoldNotFound"
        states = [model.holds[lost][2], model.holds[won][2]]
        if states != ["open", "open"]:
            return model, "AlreadyCaptured/AlreadyReleased"
        posted = model.posted | {loser: model.posted[loser] - loss, winner: model.posted[winner] + loss}
        changed = {lost: (loser, GAME_MONEY, "captured"), won: (winner, GAME_MONEY, "released")}
        return replace(model, posted=posted, holds=model.holds | changed, done=model.done | {key}), "ok"

    request = book.Settlement(key, f"m:{game}", won, lost, money(loss, "UAH"), money(0, "UAH"))
    return Call(lambda: book.settle([request])[0].error, step)


def test_concurrent_answers_are_those_of_some_order() -> None:
    luck = random.Random(4)
    model = Model()
    for number in range(ROUNDS):
        calls = [some_call(luck, number) for _ in range(AT_ONCE)]
        answers = at_once(calls)
        seen = {
            owner: (int(w.posted.amount), int(w.held.amount)) for owner in OWNERS for w in [book.wallet(owner, "UAH")]
        }
        allowed = [after for after, told in orders(model, calls) if agree(told, answers) and balances(after) == seen]
        assert allowed, f"round {number}: no order of the calls gives {answers} and {seen}"
        model = allowed[0]
    assert list(verify.run()) == []


def some_call(luck: random.Random, number: int) -> Call:
    """Few keys and games, so that calls meet: repeats, rivals, holds that the money does not cover."""
    kind = luck.choice(["deposit", "hold", "hold", "settle", "settle"])
    game = luck.randrange(max(0, number - 2), number + 1)
    white, black = random.Random(game).sample(OWNERS, 2)
    if kind == "deposit":
        return deposit(f"d:{number}:{luck.randrange(2)}", number % 3 + 1, 40)
    if kind == "hold":
        return hold(game, white, black)
    winner, loser = luck.choice([(white, black), (black, white)])
    return settle(game, winner, loser, 10)


def at_once(calls: list[Call]) -> list[str]:
    answers = [""] * len(calls)
    start = threading.Barrier(len(calls))

    def run(place: int) -> None:
        try:
            start.wait(30)
            with transaction.atomic():
                told = calls[place].ask()
            answers[place] = type(told).__name__ if isinstance(told, errors.LedgerError) else "ok"
        except errors.LedgerError as error:
            answers[place] = type(error).__name__
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


def orders(model: Model, calls: list[Call]) -> list[tuple[Model, list[str]]]:
    """For each order of the calls: the model after all of them, and the answers by call."""
    found = []
    for order in permutations(range(len(calls))):
        after, told = model, [""] * len(calls)
        for place in order:
            after, told[place] = calls[place].step(after)
        found.append((after, told))
    return found


def agree(told: list[str], answers: list[str]) -> bool:
    return all(answer in allowed.split("/") for allowed, answer in zip(told, answers, strict=True))


def balances(model: Model) -> dict[int, tuple[int, int]]:
    return {owner: (model.posted[owner], model.held(owner)) for owner in OWNERS}
