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
CURRENCIES = ("JPY", "KWD")  # few places, so that calls meet
SMALLEST = {"JPY": Decimal(1), "KWD": Decimal("0.001")}

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
        self.debts: dict[tuple[int, str], Decimal] = {}
        self.frozen: set[tuple[int, str]] = set()
        self.reversible: dict[int, tuple[int, Money, str]] = {}  # entry: whose wallet got what, against which account
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

    def refusal(self, owner: int, amount: Money, staked: bool) -> type[errors.LedgerError] | None:
        """Why this much cannot be set aside, if it cannot: the first reason that is looked at."""
        place = (owner, amount.currency.code)
        if staked and place in self.frozen:
            return errors.AccountFrozen
        if self.debts.get(place):
            return errors.AccountOwes
        return errors.InsufficientFunds if amount.amount > self.available(*place) else None

    def key(self) -> str:
        self.number += 1
        return f"key:{self.number}"

    # --- Calls --------------------------------------------------------------------------------------------------------

    @rule(owner=players, currency=currencies, count=units)
    def deposit(self, owner: int, currency: str, count: int) -> None:
        call = (book.deposit, (self.key(), owner, money(count, currency), 9, "in"))
        with transaction.atomic():
            entry = call[0](*call[1])
        self.reversible[entry.id] = (owner, money(count, currency), "cash")
        self.move(owner, "cash", money(count, currency))
        self.done[call[1][0]] = call

    @rule(owner=players, currency=currencies, count=units)
    def withdraw(self, owner: int, currency: str, count: int) -> None:
        amount = money(count, currency)
        arguments = (self.key(), owner, amount, 9, "out")
        if wrong := self.refusal(owner, amount, staked=False):
            with pytest.raises(wrong) as refused, transaction.atomic():
                withdraw(*arguments)
            if wrong is errors.InsufficientFunds:
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
        if wrong := next(filter(None, (self.refusal(p, amount, staked=True) for p in sides)), None):
            with pytest.raises(wrong), transaction.atomic():
                book.place_holds(requests)
            return
        with transaction.atomic():
            book.place_holds(requests)
        self.holds |= {r.key: ModelHold(r.owner_id, amount) for r in requests}
        if len(sides) == 2:
            self.games[game] = (white, black, amount)

    @rule(owner=players, currency=currencies, count=st.integers(-3000, 3000).filter(bool))
    def adjust(self, owner: int, currency: str, count: int) -> None:
        """Given, or taken from what is available, blocked or not."""
        amount, key = money(count, currency), self.key()

        def ask() -> book.ProposalView:
            made = book.propose_adjustment(key, owner, amount, 8, "a mistake")
            return book.approve(made.id, 9)

        if -amount.amount > self.available(owner, currency):
            with pytest.raises(errors.InsufficientFunds), transaction.atomic():
                ask()
            return
        with transaction.atomic():
            self.reversible[ask().entry_id or 0] = (owner, amount, "adjustments")
        self.move(owner, "adjustments", amount)

    @precondition(lambda self: self.reversible)
    @rule(pick=st.integers(0, 99), spent=st.booleans(), again=st.booleans())
    def reverse(self, pick: int, spent: bool, again: bool) -> None:
        """What the wallet has not is owed; a second reversal of the same entry is refused."""
        entry = list(self.reversible)[pick % len(self.reversible)]
        owner, amount, house = self.reversible.pop(entry)
        code, key = amount.currency.code, self.key()
        if spent and self.available(owner, code) and not self.debts.get((owner, code)):
            self.withdraw_all(owner, code)
        with transaction.atomic():
            made = book.propose_reversal(key, entry, 8, "never came")
            book.approve(made.id, 9)
        lacking = max(Decimal(0), amount.amount - self.available(owner, code))
        self.move(owner, house, -amount)
        self.wallets[owner, code] += lacking
        self.debts.setdefault((owner, code), Decimal(0))
        self.debts[owner, code] += lacking
        if again:
            with pytest.raises(errors.NotReversible), transaction.atomic():
                book.propose_reversal(f"{key} again", entry, 8, "never came")

    def withdraw_all(self, owner: int, code: str) -> None:
        everything = Money(self.available(owner, code), code)
        with transaction.atomic():
            withdraw(self.key(), owner, everything)
        self.move(owner, "cash", -everything)

    @precondition(lambda self: any(self.debts.values()))
    @rule(pick=st.integers(0, 99), count=units, own=st.booleans())
    def repay(self, pick: int, count: int, own: bool) -> None:
        """With new money or from the wallet; never more than is owed or there."""
        owing = [place for place, debt in self.debts.items() if debt]
        owner, code = owing[pick % len(owing)]
        amount, key = money(count, code), self.key()
        wrong: type[errors.LedgerError] | None = None
        if amount.amount > self.debts[owner, code]:
            wrong = errors.OwesLess
        elif own and amount.amount > self.available(owner, code):
            wrong = errors.InsufficientFunds
        if wrong:
            with pytest.raises(wrong), transaction.atomic():
                book.repay(key, owner, amount, 8, "paid", from_wallet=own)
            return
        with transaction.atomic():
            book.repay(key, owner, amount, 8, "paid", from_wallet=own)
        self.debts[owner, code] -= amount.amount
        if own:
            self.wallets[owner, code] -= amount.amount
        else:
            self.house["cash", code] = self.house.get(("cash", code), Decimal(0)) - amount.amount

    @rule(owner=players, currency=currencies, freeze=st.sampled_from([True, True, False]))
    def freeze(self, owner: int, currency: str, freeze: bool) -> None:
        place = (owner, currency)
        with transaction.atomic():
            changed = (book.freeze if freeze else book.unfreeze)(owner, currency, 8, "a question")
        assert changed == ((place in self.frozen) != freeze)
        self.wallets.setdefault(place, Decimal(0))
        self.frozen = self.frozen | {place} if freeze else self.frozen - {place}

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
            """SELECT a.owner_id, a.currency, b.posted, b.held, a.owes, a.status = 'frozen' FROM ledger_account a
                 JOIN ledger_balance b ON b.account_id = a.id WHERE a.kind = 'wallet'"""
        ) == {(*place, *sums, self.debts.get(place, 0) > 0, place in self.frozen) for place, sums in expected.items()}
        assert rows(
            """SELECT a.owner_id, a.currency, -b.posted FROM ledger_account a
                 JOIN ledger_balance b ON b.account_id = a.id WHERE a.kind = 'receivable'"""
        ) == {(*place, debt) for place, debt in self.debts.items()}
        assert rows(
            """SELECT a.kind, a.currency, sum(l.amount) FROM ledger_account a JOIN ledger_line l ON l.account_id = a.id
                WHERE a.owner_id IS NULL GROUP BY 1, 2"""
        ) == {(*account, total) for account, total in self.house.items() if total or account[0] != "rake"}
        withdrawn = "key NOT LIKE 'withdrawal:%%'"  # a withdrawal's hold is placed and captured in one call here
        assert rows(f"SELECT key, coalesce(resolution, 'open') FROM ledger_hold WHERE {withdrawn}") == {
            (key, hold.state) for key, hold in self.holds.items()
        }

    @invariant()
    def nothing_negative_and_nothing_from_nowhere(self) -> None:
        assert rows("SELECT currency, sum(amount) FROM ledger_line GROUP BY 1 HAVING sum(amount) <> 0") == set()
        wrong = "CASE WHEN debit THEN held <> 0 OR posted > 0 ELSE held < 0 OR posted < held END"
        assert rows(f"SELECT account_id FROM ledger_balance WHERE {wrong}") == set()

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
