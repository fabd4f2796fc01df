"""Calls at the same time, and a model that predicts them: the answers must be those of some order of the calls.

The model is a pure function. For each round of concurrent calls it is run over every order; one of them must give all
the answers that the callers got and what the database says now of balances, withdrawals and freezing. Where several
orders do, all of them are kept, and the next round must follow from one.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
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
ASKS, DECIDES, DECIDES_TOO = 8, 9, 10
ROUNDS = 60
AT_ONCE = 5
GAME_MONEY = 30
OUT = 25


@dataclass(frozen=True)
class Model:
    """Posted by owner; holds by key (owner, amount, state); keys of entries and releases done; withdrawals by key
    (state, who decided); owners whose wallet is frozen."""

    posted: dict[int, int] = field(default_factory=lambda: dict.fromkeys(OWNERS, 0))
    holds: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    done: frozenset[str] = frozenset()
    asked: dict[str, tuple[str, int]] = field(default_factory=dict)
    frozen: frozenset[int] = frozenset()

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
        if frozen := [owner for owner in keys.values() if owner in model.frozen]:
            # Whoever is looked at first: in the order of the seats.
            short = model.posted[white] - model.held(white) < GAME_MONEY and white not in frozen
            return model, "InsufficientFunds" if short else "AccountFrozen"
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
        if over := resolved(model, lost, won):
            return model, over
        posted = model.posted | {loser: model.posted[loser] - loss, winner: model.posted[winner] + loss}
        changed = {lost: (loser, GAME_MONEY, "captured"), won: (winner, GAME_MONEY, "released")}
        return replace(model, posted=posted, holds=model.holds | changed, done=model.done | {key}), "ok"

    request = book.Settlement(key, f"m:{game}", won, lost, money(loss, "UAH"), money(0, "UAH"))
    return Call(lambda: book.settle([request])[0].error, step)


def release(game: int, white: int, black: int) -> Call:
    """A draw: competes with both settlements of the game."""
    key, holds = f"m:{game}:draw", [f"m:{game}:{white}", f"m:{game}:{black}"]

    def step(model: Model) -> tuple[Model, str]:
        if holds[0] not in model.holds:
            return model, "HoldNotFound"
        if key in model.done:
            return model, "ok"
        if over := resolved(model, *holds):
            return model, over
        changed = {hold: (model.holds[hold][0], GAME_MONEY, "released") for hold in holds}
        return replace(model, holds=model.holds | changed, done=model.done | {key}), "ok"

    request = book.Release(key, f"m:{game}", holds, "draw")
    return Call(lambda: book.settle([request])[0].error, step)


def resolved(model: Model, *holds: str) -> str:
    """What is said of the first of these holds that is not open; empty when all are."""
    said = {"captured": "AlreadyCaptured", "released": "AlreadyReleased", "open": ""}
    return next((said[state] for _, _, state in map(model.holds.__getitem__, holds) if state != "open"), "")


def ask_out(key: str, owner: int) -> Call:
    """A withdrawal is asked for: its money is held, frozen or not."""

    def step(model: Model) -> tuple[Model, str]:
        if key in model.asked:
            return model, "ok"
        if model.posted[owner] - model.held(owner) < OUT:
            return model, "InsufficientFunds"
        held = model.holds | {key: (owner, OUT, "open")}
        return replace(model, holds=held, asked=model.asked | {key: ("open", 0)}), "ok"

    return Call(lambda: book.request_withdrawal(key, owner, money(OUT, "UAH"), ASKS, "card"), step)


def decide(key: str, owner: int, state: str, actor: int) -> Call:
    """Approve, reject or cancel; again by the same person it is the same answer, by others too late."""

    def step(model: Model) -> tuple[Model, str]:
        if key not in model.asked:
            return model, "ProposalNotFound"
        if model.asked[key][0] != "open":
            return model, "ok" if model.asked[key] == (state, actor) else "ProposalDecided"
        paid = OUT if state == "approved" else 0
        return replace(
            model, posted=model.posted | {owner: model.posted[owner] - paid},
            holds=model.holds | {key: (owner, OUT, "captured" if paid else "released")},
            asked=model.asked | {key: (state, actor)},
        ), "ok"  # fmt: skip

    def ask() -> Any:
        proposal = proposal_id(key)
        if state == "approved":
            return book.approve(proposal, actor)
        return book.reject(proposal, actor, "no") if state == "rejected" else book.cancel(proposal, actor)

    return Call(ask, step)


def proposal_id(key: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM ledger_proposal WHERE key = %s", [key])
        found = cursor.fetchone()
    return int(found[0]) if found else 0


def freeze(owner: int, frozen: bool) -> Call:
    def step(model: Model) -> tuple[Model, str]:
        changed = (owner in model.frozen) != frozen
        after = model.frozen | {owner} if frozen else model.frozen - {owner}
        return replace(model, frozen=after), "done" if changed else "nothing to do"

    action = book.freeze if frozen else book.unfreeze
    return Call(lambda: "done" if action(owner, "UAH", DECIDES, "x") else "nothing to do", step)


@pytest.mark.parametrize("seed", range(4))
def test_concurrent_answers_are_those_of_some_order(seed: int) -> None:
    luck = random.Random(seed)
    models, told_all = [Model()], Counter[str]()
    for number in range(ROUNDS):
        calls = [some_call(luck, number) for _ in range(AT_ONCE)]
        answers = at_once(calls)
        told_all += Counter(answers)
        now = seen()
        allowed = [
            after
            for model in models
            for after, told in orders(model, calls)
            if told == answers and predicted(after) == now
        ]
        assert allowed, f"round {number}: no order of the calls gives {answers} and {now}; before: {models}"
        models = [after for place, after in enumerate(allowed) if after not in allowed[:place]]
    assert list(verify.run()) == []
    assert {"ok", "InsufficientFunds"} <= told_all.keys(), told_all
    assert told_all["AlreadyCaptured"] + told_all["AlreadyReleased"] + told_all["ProposalDecided"] > 5, told_all


def seen() -> tuple[Any, ...]:
    """What the database says: posted, held and frozen by owner; how each withdrawal stands."""
    wallets = [book.wallet(owner, "UAH") for owner in OWNERS]
    with connection.cursor() as cursor:
        cursor.execute("SELECT key, state, coalesce(decided_by, 0) FROM ledger_proposal")
        asked = {key: (state, actor) for key, state, actor in cursor.fetchall()}
    return {w.owner_id: (int(w.posted.amount), int(w.held.amount), w.status == "frozen") for w in wallets}, asked


def predicted(model: Model) -> tuple[Any, ...]:
    return {owner: (model.posted[owner], model.held(owner), owner in model.frozen) for owner in OWNERS}, model.asked


def some_call(luck: random.Random, number: int) -> Call:
    """Few keys and games, so that calls meet: repeats, rivals, holds that the money does not cover.

    A game and a withdrawal go on for four rounds, first more asked for, then more decided.
    """
    early = ["deposit", "deposit", "hold", "hold", "hold", "ask", "ask", "freeze"]
    late = ["settle", "settle", "settle", "release", "decide", "decide", "decide", "hold", "ask", "freeze", "deposit"]
    kind = luck.choice(early if number % 4 < 2 else late)
    game = number // 4
    white, black = random.Random(game).sample(OWNERS, 2)
    if kind == "deposit":
        owner = luck.choice([white, black])
        return deposit(f"d:{number}:{owner}", owner, 40)
    if kind == "hold":
        return hold(game, white, black)
    if kind == "release":
        return release(game, white, black)
    if kind == "ask":
        return ask_out(f"w:{game}", white)
    if kind == "decide":
        state, actor = luck.choice(
            [("approved", DECIDES), ("approved", DECIDES_TOO), ("rejected", DECIDES_TOO), ("cancelled", ASKS)]
        )
        return decide(f"w:{game}", white, state, actor)
    if kind == "freeze":
        return freeze(white, luck.random() < 0.3)
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
            if isinstance(told, errors.LedgerError):
                answers[place] = type(told).__name__
            else:
                answers[place] = told if isinstance(told, str) else "ok"
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
