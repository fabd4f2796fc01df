"""The ledger against a model of plain dicts: random calls, good and bad, and after each of them every invariant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from moneyed import Money

from ledger import book, errors, verify
from tests.ledger.support import withdraw

PLAYERS = (1, 2, 3)
CURRENCIES = ("UAH", "JPY", "KWD")
SMALLEST = {"UAH": Decimal("0.01"), "JPY": Decimal(1), "KWD": Decimal("0.001")}

players = st.sampled_from(PLAYERS)
currencies = st.sampled_from(CURRENCIES)
units = st.integers(1, 5000)


def money(count: int, currency: str) -> Money:
    return Money(count * SMALLEST[currency], currency)


@dataclass(frozen=True)
class ModelHold:
    owner: int
    amount: Money
    state: str = "open"


class LedgerMachine(RuleBasedStateMachine):
    """`wallets` and `house` are sums per account; `done` has each accepted call by its key, to repeat it."""

    empty: Any  # set by the test: empties the database

    def __init__(self) -> None:
        super().__init__()
        self.empty()
        self.wallets: dict[tuple[int, str], Decimal] = {}
        self.house: dict[tuple[str, str], Decimal] = {}
        self.holds: dict[str, ModelHold] = {}
        self.games: dict[int, tuple[int, int, Money]] = {}
        self.done: dict[str, tuple[Any, tuple[Any, ...]]] = {}
        self.number = 0

    # --- The model's own arithmetic -----------------------------------------------------------------------------------

    def posted(self, owner: int, currency: str) -> Decimal:
        return self.wallets.get((owner, currency), Decimal(0))

    def held(self, owner: int, currency: str) -> Decimal:
        mine = [h for h in self.holds.values() if h.owner == owner and h.state == "open"]
        return sum((h.amount.amount for h in mine if h.amount.currency.code == currency), Decimal(0))

    def available(self, owner: int, currency: str) -> Decimal:
        return self.posted(owner, currency) - self.held(owner, currency)

    def move(self, owner: int, house: str, amount: Money) -> None:
        code = amount.currency.code
        self.wallets[owner, code] = self.posted(owner, code) + amount.amount
        self.house[house, code] = self.house.get((house, code), Decimal(0)) - amount.amount

    def key(self) -> str:
        self.number += 1
        return f"key:{self.number}"

    # --- Calls --------------------------------------------------------------------------------------------------------

    @rule(owner=players, currency=currencies, count=units)
    def deposit(self, owner: int, currency: str, count: int) -> None:
        call = (book.deposit, (self.key(), owner, money(count, currency), 9, "in"))
        with transaction.atomic():
            call[0](*call[1])
        self.move(owner, "cash", money(count, currency))
        self.done[call[1][0]] = call

    @rule(owner=players, currency=currencies, count=units)
    def withdraw(self, owner: int, currency: str, count: int) -> None:
        amount = money(count, currency)
        arguments = (self.key(), owner, amount, 9, "out")
        if amount.amount > self.available(owner, currency):
            with pytest.raises(errors.InsufficientFunds) as refused, transaction.atomic():
                withdraw(*arguments)
            assert refused.value.params["available"] == Money(self.available(owner, currency), currency)
            return
        with transaction.atomic():
            withdraw(*arguments)
        self.move(owner, "cash", -amount)
        self.done[arguments[0]] = (withdraw, arguments)

    @rule(white=players, black=players, currency=currencies, count=units)
    def start_game(self, white: int, black: int, currency: str, count: int) -> None:
        self.number += 1
        game, amount = self.number, money(count, currency)
        sides = [white, black] if white != black else [white]
        requests = [book.HoldRequest(f"match:{game}:hold:{p}", p, amount, f"match:{game}") for p in sides]
        if any(amount.amount > self.available(p, currency) for p in sides):
            with pytest.raises(errors.InsufficientFunds), transaction.atomic():
                book.place_holds(requests)
            return
        with transaction.atomic():
            book.place_holds(requests)
        self.holds |= {r.key: ModelHold(r.owner_id, amount) for r in requests}
        if len(sides) == 2:
            self.games[game] = (white, black, amount)

    @precondition(lambda self: self.games)
    @rule(
        picks=st.lists(st.integers(0, 99), min_size=1, max_size=4, unique=True),
        share=st.integers(1, 130),
        data=st.data(),
    )
    def settle_batch(self, picks: list[int], share: int, data: st.DataObject) -> None:
        """Some games at once, won, drawn, settled before or asking too much: each is answered on its own."""
        chosen = sorted({pick % len(self.games) for pick in picks})
        requests = [self.request(list(self.games)[place], share, data.draw(st.booleans())) for place in chosen]
        expected = [self.expect(request) for request in requests]
        with transaction.atomic():
            outcomes = book.settle(requests)
        assert [type(outcome.error) for outcome in outcomes] == expected

    def request(self, game: int, share: int, drawn: bool) -> book.Settlement | book.Release:
        white, black, amount = self.games[game]
        reference = f"match:{game}"
        holds = [f"{reference}:hold:{white}", f"{reference}:hold:{black}"]
        if drawn:
            return book.Release(f"{self.key()}:release", reference, holds, "draw")
        unit = SMALLEST[amount.currency.code]
        loss = max(unit, (amount.amount * share / 100).quantize(unit))
        rake = (loss / 10).quantize(unit, rounding="ROUND_DOWN")
        currency = amount.currency
        return book.Settlement(f"{self.key()}:settle", reference, *holds, Money(loss, currency), Money(rake, currency))

    def expect(self, request: book.Settlement | book.Release) -> type:
        """What the answer must be; moves the model on."""
        keys = request.hold_keys if isinstance(request, book.Release) else (request.loser_hold, request.winner_hold)
        for key in keys:
            if self.holds[key].state != "open":
                captured = self.holds[key].state == "captured"
                return errors.AlreadyCaptured if captured else errors.AlreadyReleased
        if isinstance(request, book.Settlement):
            loser, winner = self.holds[request.loser_hold], self.holds[request.winner_hold]
            if request.loss > loser.amount:
                return errors.CaptureTooMuch
            code = request.loss.currency.code
            self.wallets[loser.owner, code] -= request.loss.amount
            self.wallets[winner.owner, code] += request.loss.amount - request.rake.amount
            self.house["rake", code] = self.house.get(("rake", code), Decimal(0)) + request.rake.amount
            self.holds[request.loser_hold] = replace(loser, state="captured")
            self.holds[request.winner_hold] = replace(winner, state="released")
        else:
            self.holds |= {key: replace(self.holds[key], state="released") for key in keys}
        self.done[request.key] = (lambda r: book.settle([r]), (request,))
        return type(None)

    @precondition(lambda self: self.done)
    @rule(pick=st.integers(0, 99))
    def repeat(self, pick: int) -> None:
        """The same call again is answered and changes nothing."""
        action, arguments = list(self.done.values())[pick % len(self.done)]
        with transaction.atomic():
            answer = action(*arguments)
        assert isinstance(answer, book.EntryView) or answer[0].error is None

    @precondition(lambda self: any(action is book.deposit for action, _ in self.done.values()))
    @rule(pick=st.integers(0, 99))
    def same_key_other_amount(self, pick: int) -> None:
        deposits = [arguments for action, arguments in self.done.values() if action is book.deposit]
        key, owner, amount, *rest = deposits[pick % len(deposits)]
        with pytest.raises(errors.KeyConflict) as refused, transaction.atomic():
            book.deposit(key, owner, amount * 2, *rest)
        assert refused.value.params["field"] == "amount"

    # --- What holds after every step ----------------------------------------------------------------------------------

    @invariant()
    def database_and_model_agree(self) -> None:
        expected = {(owner, code): (self.posted(owner, code), self.held(owner, code)) for owner, code in self.wallets}
        assert rows(
            """SELECT a.owner_id, a.currency, b.posted, b.held FROM ledger_account a
                 JOIN ledger_balance b ON b.account_id = a.id WHERE a.owner_id IS NOT NULL"""
        ) == {(owner, code, *amounts) for (owner, code), amounts in expected.items()}
        assert rows(
            """SELECT a.kind, a.currency, sum(l.amount) FROM ledger_account a JOIN ledger_line l ON l.account_id = a.id
                WHERE a.owner_id IS NULL GROUP BY 1, 2"""
        ) == {(*account, total) for account, total in self.house.items() if total or account[0] == "cash"}
        withdrawn = "key NOT LIKE 'withdrawal:%%'"  # a withdrawal's hold is placed and captured in one call here
        assert rows(f"SELECT key, coalesce(resolution, 'open') FROM ledger_hold WHERE {withdrawn}") == {
            (key, hold.state) for key, hold in self.holds.items()
        }

    @invariant()
    def nothing_negative_and_nothing_from_nowhere(self) -> None:
        assert rows("SELECT currency, sum(amount) FROM ledger_line GROUP BY 1 HAVING sum(amount) <> 0") == set()
        assert rows("SELECT account_id FROM ledger_balance WHERE held < 0 OR posted < held") == set()

    def teardown(self) -> None:
        assert list(verify.run()) == []


def rows(query: str) -> set[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return set(cursor.fetchall())


@pytest.mark.django_db(transaction=True)
def test_ledger_does_what_the_model_does(database: Any) -> None:
    LedgerMachine.empty = staticmethod(database.empty)
    run_state_machine_as_test(
        LedgerMachine,
        settings=settings(
            max_examples=20, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
