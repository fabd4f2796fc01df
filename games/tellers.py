"""Money that moves while others play: people at the counter and operators who decide, by errands drawn from a seed.

Each errand is a short story with an end that is known: what its people were told is compared with what the ledger says,
and noted in the tally, so that at the end every wallet can be reckoned up without the ledger (games.aftermath).
"""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from celery import current_app
from django.db import connection, transaction
from moneyed import Money

from games import settle
from games.client import Answer, Client, patient
from games.crowd import Tally
from games.queries import money_json
from ledger import book, money
from ledger.errors import KeyConflict, LedgerError, ProposalDecided, SecondPersonNeeded
from players.models import Player

PAUSE_S = (0.05, 0.6)
FROZEN_S = (0.1, 1.0)
MOST = Decimal(20)
KINDS = (
    "deposit asked twice at once",
    "withdrawal approved",
    "withdrawal rejected",
    "withdrawal cancelled by its player",
    "withdrawal approved and cancelled at once",
    "adjustment",
    "adjustment rejected",
    "deposit reversed",
    "spent deposit reversed and repaid",
    "wallet frozen for a while",
    "play chips topped up",
    "rake changed",
    "capital paid in and taken out",
    "settlement paused for a while",
    "wrong requests",
    "reconciliation",
)


@dataclass(frozen=True)
class Errand:
    """After `pause_s`, `kind` is done for person number `who` in a currency; `luck` decides whatever else is open."""

    pause_s: float
    kind: str
    who: int
    currency: str
    luck: int


def errands(seed: object, people: int, currencies: Sequence[str]) -> Iterator[Errand]:
    """The errands of a run, without end; the same for the same numbers. Each kind comes once before any comes again."""
    dealer = random.Random(f"errands {seed}")
    while True:
        for kind in dealer.sample(KINDS, len(KINDS)):
            yield Errand(
                dealer.uniform(*PAUSE_S), kind, dealer.randrange(people), dealer.choice(currencies),
                dealer.getrandbits(32),
            )  # fmt: skip


@dataclass(frozen=True)
class House:
    """Whose money moves, and in which currencies; `debts` is one that nobody plays for. Three operators decide."""

    people: list[Player]
    currencies: Sequence[str]
    debts: str
    operators: tuple[Player, Player, Player]


class Tellers:
    """Do errands in so many threads until told to stop, and each kind at least once."""

    def __init__(self, house: House, client: Client, tally: Tally, seed: int) -> None:
        self.house = house
        self.client = client
        self.tally = tally
        self.seed = seed
        self.run_id = uuid.uuid4().hex[:12]
        self.counters = {person.pk: threading.Lock() for person in house.people}
        self.acts: dict[str, Callable[[_Errand], None]] = dict(
            zip(
                KINDS,
                (
                    _Errand.deposit, _Errand.approved, _Errand.rejected, _Errand.cancelled, _Errand.contested,
                    _Errand.adjusted, _Errand.not_adjusted, _Errand.reversed, _Errand.owed, _Errand.frozen,
                    _Errand.topped_up, _Errand.rake, _Errand.capital, _Errand.paused, _Errand.wrong, _Errand.reconciled,
                ),
                strict=True,
            )
        )  # fmt: skip

    def run(self, lane: int, over: threading.Event) -> None:
        """One thread's errands; the first lane sees to it that every kind has been there."""
        drawn = errands(f"{self.seed} {lane}", len(self.house.people), self.house.currencies)
        for number, errand in enumerate(drawn):
            if over.is_set() and (lane or number >= len(KINDS)):
                break
            over.wait(errand.pause_s)
            try:
                self.acts[errand.kind](_Errand(self, errand, f"{self.run_id}:{lane}:{number}"))
                self.tally.add(f"errand {errand.kind}")
            except Exception as error:  # whatever it is: the run goes on and ends as failed
                self.tally.fail(f"errand {number} of lane {lane}, {errand.kind}: {type(error).__name__}: {error}")
        connection.close()


class _Errand:
    """One errand under way. `name` is its own in all runs; keys are made of it."""

    def __init__(self, tellers: Tellers, errand: Errand, name: str) -> None:
        self.client = tellers.client
        self.tally = tellers.tally
        self.counters = tellers.counters
        self.house = tellers.house
        self.name = name
        self.luck = random.Random(errand.luck)
        self.drawn = f"{errand.luck:x}"  # names requests, whose fate the seed decides
        self.who = tellers.house.people[errand.who]
        self.currency = errand.currency
        self.asks, self.decides, self.third = (one.pk for one in tellers.house.operators)

    # --- Words --------------------------------------------------------------------------------------------------------

    def amount(self, code: str | None = None, most: Decimal = MOST) -> Money:
        """From the currency's smallest unit up."""
        code = code or self.currency
        unit = money.unit(code)
        return money.quantize(Money(unit * self.luck.randint(1, int(most / unit)), code))

    def put_in(self, amount: Money, part: str = "in") -> book.EntryView:
        entry = done(lambda: book.deposit(f"{self.name}:{part}", self.who.pk, amount, self.asks, "simulated"))
        self.tally.move(self.who.pk, amount)
        return entry

    def ask(self, amount: Money, part: str = "out") -> int:
        """The player asks for a withdrawal over HTTP; its id. Whatever is repeated, it is asked once."""
        body = {"amount": money_json(amount), "to": "a card"}
        told = self.client.ask(
            f"{self.drawn} {part} withdraw", self.who, "withdrawals/", body, key=f"{self.name}:{part}", rare=True
        )
        made = {one.body.get("id") if one.done else one.code for one in told}
        check(len(made) == 1 and told[0].done, f"one withdrawal was answered {made}")
        return int(told[0].body["id"])

    def decide(self, action: Callable[..., book.ProposalView], proposal_id: int, actor: int, *reason: str) -> str:
        """ "" when it is decided so, or else the refusal."""
        try:
            done(lambda: action(proposal_id, actor, *reason))
        except ProposalDecided as error:
            return error.code
        return ""

    def cancel(self, proposal_id: int) -> str:
        """The player's own cancellation over HTTP: "", or the refusal."""
        told = self.client.ask(f"{self.drawn} cancel", self.who, f"withdrawals/{proposal_id}/cancel/", rare=True)
        codes = {one.code for one in told}
        check(len(codes) == 1, f"one cancellation was answered {codes}")
        return codes.pop()

    def ended(self, proposal_id: int, state: str) -> None:
        """As its people were told; and its hold, where it has one, was resolved accordingly."""
        found = patient(lambda: book.proposal(proposal_id))
        check(found is not None and found.state == state, f"proposal {proposal_id} is {found}, not {state}")
        hold = patient(lambda: book.hold(f"withdrawal:{proposal_id}:hold"))
        if hold is not None:
            check(hold.state == ("captured" if state == "approved" else "released"), f"{hold} of one {state}")

    # --- Errands ------------------------------------------------------------------------------------------------------

    def deposit(self) -> None:
        amount = self.amount()
        key = f"{self.name}:in"
        first, second = together(*[lambda: done(lambda: book.deposit(key, self.who.pk, amount, self.asks, "cash"))] * 2)
        check(first.id == second.id, f"one deposit made the entries {first.id} and {second.id}")
        self.tally.move(self.who.pk, amount)

    def approved(self) -> None:
        amount = self.amount()
        self.put_in(amount)
        asked = self.ask(amount)
        answers = together(*[lambda: self.decide(book.approve, asked, self.decides)] * 2)
        check(answers == ["", ""], f"approved twice by one person: {answers}")
        self.tally.move(self.who.pk, -amount)
        self.ended(asked, "approved")

    def rejected(self) -> None:
        self.put_in(amount := self.amount())
        asked = self.ask(amount)
        check(self.decide(book.reject, asked, self.decides, "no such card") == "", "not rejected")
        self.ended(asked, "rejected")

    def cancelled(self) -> None:
        self.put_in(amount := self.amount())
        asked = self.ask(amount)
        check(self.cancel(asked) == "", "not cancelled")
        check(self.decide(book.approve, asked, self.decides) != "", "approved after the cancellation")
        self.ended(asked, "cancelled")

    def contested(self) -> None:
        """Two operators approve and the player cancels, all at once: one of them succeeds."""
        self.put_in(amount := self.amount())
        asked = self.ask(amount)
        answers = together(
            lambda: self.decide(book.approve, asked, self.decides),
            lambda: self.decide(book.approve, asked, self.third),
            lambda: self.cancel(asked),
        )
        check(answers.count("") == 1, f"decided otherwise than once: {answers}")
        paid = answers[2] != ""
        if paid:
            self.tally.move(self.who.pk, -amount)
        self.ended(asked, "approved" if paid else "cancelled")

    def adjusted(self) -> None:
        amount = self.amount()
        if self.luck.random() < 0.5:
            self.put_in(amount)
            amount = -amount
        made = done(
            lambda: book.propose_adjustment(f"{self.name}:adjust", self.who.pk, amount, self.asks, "a mistake of ours")
        )
        check(self.decide(book.approve, made.id, self.decides) == "", "not approved")
        self.tally.move(self.who.pk, amount)
        self.ended(made.id, "approved")

    def not_adjusted(self) -> None:
        made = done(
            lambda: book.propose_adjustment(f"{self.name}:adjust", self.who.pk, self.amount(), self.asks, "a claim")
        )
        answers = together(
            lambda: self.decide(book.reject, made.id, self.decides, "not so"),
            lambda: self.decide(book.cancel, made.id, self.asks),
        )
        check(answers.count("") == 1, f"turned down otherwise than once: {answers}")
        self.ended(made.id, "cancelled" if answers[0] else "rejected")

    def reversed(self) -> None:
        """A deposit is taken back while it is still there."""
        amount = self.amount()
        entry = self.put_in(amount)
        made = done(lambda: book.propose_reversal(f"{self.name}:undo", entry.id, self.asks, "never arrived"))
        answers = together(*[lambda: self.decide(book.approve, made.id, self.decides)] * 2)
        check(answers == ["", ""], f"reversed twice by one person: {answers}")
        self.tally.move(self.who.pk, -amount)
        self.ended(made.id, "approved")

    def owed(self) -> None:
        """A deposit is spent, then taken back: its player owes it, may not ask for money, and repays."""
        code = self.house.debts
        amount = self.amount(code)
        with self.counters[self.who.pk]:  # what others put in meanwhile would cover the debt
            rest = patient(lambda: book.wallet(self.who.pk, code).available)
            entry = self.put_in(amount)
            spent = self.ask(rest + amount)
            check(self.decide(book.approve, spent, self.decides) == "", "not paid out")
            self.tally.move(self.who.pk, -rest - amount)
            made = done(lambda: book.propose_reversal(f"{self.name}:undo", entry.id, self.asks, "never arrived"))
            check(self.decide(book.approve, made.id, self.decides) == "", "not reversed")
            check(self.owes(code) == amount, f"owes {self.owes(code)}, not {amount}")
            own = self.amount(code, most=amount.amount)
            self.put_in(own, "more")
            told = self.client.plain(
                self.who, "withdrawals/", {"amount": money_json(own), "to": "a card"}, f"{self.name}:no"
            )
            check(told.code == "account_owes", f"who owes was answered {told}")
            self.repay(amount, own)
            check(self.owes(code) is None, f"still owes {self.owes(code)}")

    def repay(self, debt: Money, own: Money) -> None:
        """`own` from the wallet, the rest with new money."""
        done(lambda: book.repay(f"{self.name}:own", self.who.pk, own, self.asks, "from the wallet", from_wallet=True))
        self.tally.move(self.who.pk, -own)
        if own < debt:
            done(lambda: book.repay(f"{self.name}:new", self.who.pk, debt - own, self.asks, "paid in"))

    def owes(self, code: str) -> Money | None:
        return patient(lambda: book.wallet(self.who.pk, code).owed)

    def frozen(self) -> None:
        """Nothing new is staked from it; games that run are settled, and what is there can be withdrawn."""
        with self.counters[self.who.pk]:
            done(lambda: book.freeze(self.who.pk, self.currency, self.decides, "a question"))
            try:
                check(patient(lambda: book.wallet(self.who.pk, self.currency).status) == "frozen", "not frozen")
                self.put_in(amount := self.amount())
                check(self.cancel(self.ask(amount)) == "", "a frozen wallet's withdrawal")
                time.sleep(self.luck.uniform(*FROZEN_S))
            finally:
                done(lambda: book.unfreeze(self.who.pk, self.currency, self.decides, "answered"))

    def topped_up(self) -> None:
        """Once a day, whoever asks how often. For an operator: none of them plays, so he has no other chips."""
        owner = self.third
        key = f"play-chips:{owner}:{datetime.now(UTC).date().isoformat()}"
        with ONE_AT_A_TIME:
            before = patient(lambda: book.entry_by_key(key))
            first, second = together(*[lambda: done(lambda: book.top_up_play_chips(owner))] * 2)
            check(first.id == second.id, f"one day's top-up made the entries {first.id} and {second.id}")
            if before is None:
                self.tally.move(owner, max(line.amount for line in first.lines))

    def rake(self) -> None:
        """Tables that are open keep what they were opened under."""
        percent, cap = Decimal(self.luck.randint(0, 1000)) / 100, self.amount() if self.luck.random() < 0.5 else None
        done(lambda: book.set_rake(self.currency, percent, cap, self.asks, "simulated"))

    def capital(self) -> None:
        """What the house puts in and takes out again, and sets aside for tournaments and takes back."""
        amount = self.amount()
        done(lambda: book.pay_in_capital(f"{self.name}:in", amount, self.asks, "simulated"))
        for name, moved in [("fund", amount), ("back", -amount)]:
            done(lambda: book.fund_promotion(f"{self.name}:{name}", moved, self.asks, "simulated"))  # noqa: B023
        made = done(lambda: book.propose_capital_out(f"{self.name}:out", amount, self.asks, "simulated"))
        answers = together(
            lambda: self.decide(book.approve, made.id, self.decides),
            lambda: self.decide(book.reject, made.id, self.third, "not now"),
        )
        check(answers.count("") == 1, f"decided otherwise than once: {answers}")
        self.ended(made.id, "rejected" if answers[0] else "approved")

    def paused(self) -> None:
        boss = self.house.operators[0]
        with ONE_AT_A_TIME:
            done(lambda: settle.pause(boss, "simulated"))
            try:
                time.sleep(self.luck.uniform(*FROZEN_S))
            finally:
                done(lambda: settle.resume(boss, "simulated"))

    def wrong(self) -> None:
        """What must be refused and change nothing."""
        amount = self.amount()
        self.put_in(amount)
        refused(KeyConflict, lambda: book.deposit(f"{self.name}:in", self.who.pk, amount * 2, self.asks, "simulated"))
        refused(KeyConflict, lambda: book.deposit(f"{self.name}:in", self.who.pk, amount, self.third, "simulated"))
        made = done(lambda: book.propose_adjustment(f"{self.name}:no", self.who.pk, amount, self.asks, "mine"))
        refused(SecondPersonNeeded, lambda: book.approve(made.id, self.asks))
        refused(SecondPersonNeeded, lambda: book.approve(made.id, self.who.pk))
        check(self.decide(book.cancel, made.id, self.asks) == "", "not cancelled")
        told = self.client.plain(
            self.who, "withdrawals/", {"amount": {"amount": "999999999", "currency": self.currency}, "to": "x"},
            f"{self.name}:much",
        )  # fmt: skip
        check(told.code == "insufficient_funds", f"more than there is was answered {told}")

    def reconciled(self) -> None:
        """The watch looks while all this goes on; what it finds is a failure of the run. The message may be lost."""
        try:
            current_app.send_task("watch.tasks.reconcile", expires=30, ignore_result=True, retry=False)
        except Exception as error:  # Valkey is away: no matter
            self.tally.add(f"reconciliation not asked: {type(error).__name__}")


#: For errands that two lanes must not do at once: the end of one pause would end the other's.
ONE_AT_A_TIME = threading.Lock()


def done(action: Callable[[], Answer]) -> Answer:
    """In a transaction, again for as long as the database is away."""

    @transaction.atomic
    def once() -> Answer:
        return action()

    return patient(once)


def refused(kind: type[LedgerError], action: Callable[[], object]) -> None:
    try:
        done(action)
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was expected, and it went through")


def check(holds: object, otherwise: str) -> None:
    if not holds:
        raise AssertionError(otherwise)


def together(*actions: Callable[[], Any]) -> list[Any]:
    """All at the same time, each on a connection of its own; what one raises is raised here."""
    start = threading.Barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        try:
            start.wait(30)
            return action()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))
