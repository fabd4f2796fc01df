"""Adjustments and reversals: proposed by one operator, approved by another; what was spent meanwhile is owed."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from django.db import transaction
from moneyed import Money

from ledger import book, errors, verify
from ledger.models import Entry
from ledger.money import parse
from ledger.reports import REPORTS, export
from ledger.reports.params import read
from tests.ledger.support import (
    OPERATOR,
    fund,
    hold,
    picture,
    play_game,
    seal_everything,
    settle,
    settlement,
    start_game,
)

pytestmark = pytest.mark.django_db(transaction=True)

CLERK = 901


def do(action: Callable[..., book.ProposalView], *arguments: object) -> book.ProposalView:
    with transaction.atomic():
        return action(*arguments)


def reverse(entry_id: int, key: str = "r") -> book.ProposalView:
    """Proposed by one, approved by another."""
    return do(book.approve, do(book.propose_reversal, key, entry_id, CLERK, "a mistake").id, OPERATOR)


def everything_holds() -> None:
    seal_everything()
    assert list(verify.run()) == []


@pytest.mark.parametrize(("amount", "after"), [("25.00", "125.00"), ("-25.00", "75.00")])
def test_an_adjustment_gives_or_takes(amount: str, after: str) -> None:
    fund(1, "100.00 UAH")
    asked = do(book.propose_adjustment, "a", 1, Money(amount, "UAH"), CLERK, "goodwill")
    assert book.wallet(1, "UAH").posted == parse("100.00 UAH")
    done = do(book.approve, asked.id, OPERATOR)
    entry = book.entry(done.entry_id or 0)
    assert entry is not None
    assert (entry.kind, entry.actor_id, entry.reason) == ("adjustment", OPERATOR, "goodwill")
    assert book.wallet(1, "UAH").posted == parse(f"{after} UAH")
    everything_holds()


def test_an_adjustment_takes_only_what_is_available() -> None:
    fund(1, "100.00 UAH")
    hold("h", 1, "80.00 UAH")
    asked = do(book.propose_adjustment, "a", 1, -parse("25.00 UAH"), CLERK, "paid twice")
    before = picture()
    with pytest.raises(errors.InsufficientFunds):
        do(book.approve, asked.id, OPERATOR)
    assert picture() == before  # and the proposal stays open


def test_nobody_adjusts_alone_or_for_himself() -> None:
    with pytest.raises(errors.SecondPersonNeeded):
        do(book.propose_adjustment, "own", CLERK, parse("5.00 UAH"), CLERK, "bonus")
    asked = do(book.propose_adjustment, "a", 1, parse("5.00 UAH"), CLERK, "bonus")
    for alone in (CLERK, 1):
        with pytest.raises(errors.SecondPersonNeeded):
            do(book.approve, asked.id, alone)
    assert do(book.cancel, asked.id, CLERK).state == "cancelled"


def test_a_settlement_is_taken_back_to_the_unit() -> None:
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    played = play_game(1, 1, 2, "30.00 UAH", "20.00 UAH", "1.00 UAH")
    done = reverse(played.entry_id or 0)
    assert book.wallet(1, "UAH").posted == book.wallet(2, "UAH").posted == parse("100.00 UAH")
    undone = Entry.objects.get(pk=done.entry_id)
    assert (undone.reverses_id, undone.kind) == (played.entry_id, "reversal")
    assert {b.kind: b.total.amount for b in book.house_balances()} == {"cash": -200, "rake": 0}
    everything_holds()


def test_an_entry_is_reversed_once() -> None:
    fund(1, "100.00 UAH", key="d")
    entry_id = Entry.objects.get().pk
    asked = do(book.propose_reversal, "r", entry_id, CLERK, "a mistake")
    with pytest.raises(errors.NotReversible):
        do(book.propose_reversal, "r2", entry_id, CLERK, "a mistake")
    do(book.reject, asked.id, OPERATOR, "it was right")
    done = reverse(entry_id, "r3")
    with pytest.raises(errors.NotReversible):
        do(book.propose_reversal, "r4", entry_id, CLERK, "again")
    with pytest.raises(errors.NotReversible):
        do(book.propose_reversal, "r5", done.entry_id, CLERK, "undo the undoing")
    with pytest.raises(errors.NotReversible):
        do(book.propose_reversal, "r6", 10**9, CLERK, "what is not there")


def test_the_people_of_an_entry_neither_propose_nor_approve_its_reversal() -> None:
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    played = play_game(1, 1, 2, "30.00 UAH", "20.00 UAH").entry_id or 0
    with pytest.raises(errors.SecondPersonNeeded):
        do(book.propose_reversal, "r", played, 1, "I lost")
    asked = do(book.propose_reversal, "r", played, CLERK, "a mistake")
    with pytest.raises(errors.SecondPersonNeeded):
        do(book.approve, asked.id, 2)


# --- Debts ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def debtor() -> int:
    """Player 1's deposit of 100 bounced after he had lost 60 of it and staked 10: he has 40, of which 30 are free."""
    fund(1, "100.00 UAH", key="bounced")
    fund(2, "100.00 UAH")
    play_game(1, 2, 1, "60.00 UAH", "60.00 UAH")
    start_game(2, 1, 2, "10.00 UAH")
    reverse(Entry.objects.get(key="bounced").pk)
    return 1


def test_what_was_spent_is_owed(debtor: int) -> None:
    wallet = book.wallet(debtor, "UAH")
    assert (wallet.posted, wallet.available, wallet.owed) == (
        parse("10.00 UAH"),
        parse("1.00 UAH") * 0,
        parse("70.00 UAH"),
    )
    assert not wallet.may_stake
    everything_holds()


def test_the_report_of_liabilities_shows_the_debt(debtor: int) -> None:
    out = io.BytesIO()
    export(REPORTS["liabilities"], read("2020-01-01", "2100-01-01", player=str(debtor)), "csv", out)
    assert f"{debtor},UAH,10.00,10.00,0.00,70.00" in out.getvalue().decode()


def test_corrections_are_reported_with_reason_and_both_people(debtor: int) -> None:
    out = io.BytesIO()
    export(REPORTS["corrections"], read("2020-01-01", "2100-01-01", player=str(debtor)), "csv", out)
    rows = [line.split(",")[3:] for line in out.getvalue().decode().splitlines() if ",reversal," in line]
    bounced = str(Entry.objects.get(key="bounced").pk)
    assert rows == [
        ["reversal", "UAH", "wallet", "1", "-30.00", bounced, "a mistake", str(CLERK), str(OPERATOR)],
        ["reversal", "UAH", "receivable", "1", "-70.00", bounced, "a mistake", str(CLERK), str(OPERATOR)],
    ]


def test_a_debtor_neither_plays_nor_withdraws(debtor: int) -> None:
    (outcome,) = settle(settlement("match:2", 1, 2, "10.00 UAH"))  # the running game is settled all the same
    assert outcome.error is None
    with pytest.raises(errors.AccountOwes):
        hold("h", debtor, "1.00 UAH")
    with pytest.raises(errors.AccountOwes):
        do(book.request_withdrawal, "w", debtor, parse("1.00 UAH"), debtor, "card")
    assert hold("h2", 2, "1.00 UAH").state == "open"


def test_a_withdrawal_asked_for_before_is_not_approved_while_he_owes() -> None:
    fund(1, "100.00 UAH", key="bounced")
    asked = do(book.request_withdrawal, "w", 1, parse("100.00 UAH"), 1, "card")
    reverse(Entry.objects.get(key="bounced").pk)
    with pytest.raises(errors.AccountOwes):
        do(book.approve, asked.id, OPERATOR)
    do(book.reject, asked.id, OPERATOR, "the deposit bounced")
    with transaction.atomic():
        book.repay("p", 1, parse("100.00 UAH"), OPERATOR, "taken back", from_wallet=True)
    wallet = book.wallet(1, "UAH")
    assert (wallet.posted.amount, wallet.owed) == (0, None)
    everything_holds()


def test_paid_back_he_plays_again(debtor: int) -> None:
    with transaction.atomic():
        book.repay("p1", debtor, parse("50.00 UAH"), OPERATOR, "transfer 1")
    assert book.wallet(debtor, "UAH").owed == parse("20.00 UAH")
    with pytest.raises(errors.OwesLess) as refused, transaction.atomic():
        book.repay("p2", debtor, parse("20.01 UAH"), OPERATOR, "transfer 2")
    assert refused.value.params["owed"] == parse("20.00 UAH")
    for _ in range(2):  # a double click
        with transaction.atomic():
            book.repay("p3", debtor, parse("20.00 UAH"), OPERATOR, "transfer 3")
    assert book.wallet(debtor, "UAH").owed is None
    fund(debtor, "5.00 UAH")
    assert hold("h", debtor, "5.00 UAH").state == "open"
    everything_holds()


def test_who_owes_nothing_pays_nothing_back() -> None:
    fund(1, "10.00 UAH")
    before = picture()
    with pytest.raises(errors.OwesLess), transaction.atomic():
        book.repay("p", 1, parse("1.00 UAH"), OPERATOR, "too much")
    assert {k: v for k, v in picture().items() if k not in ("account", "balance")} == {
        k: v for k, v in before.items() if k not in ("account", "balance")
    }


def test_nobody_enters_money_for_himself() -> None:
    """What takes one person only is done by another than its owner."""
    fund(OPERATOR + 1, "5.00 UAH")
    with transaction.atomic():
        book.freeze(OPERATOR + 1, "UAH", OPERATOR, "a complaint")
    before = book.wallet(OPERATOR + 1, "UAH")
    five, me = parse("5.00 UAH"), OPERATOR + 1
    for act in (
        lambda: book.deposit("own", me, five, me, "wire"),
        lambda: book.repay("own", me, five, me, "wire"),
        lambda: book.unfreeze(me, "UAH", me, "it was nothing"),
    ):
        with pytest.raises(errors.OwnMoney), transaction.atomic():
            act()
    assert book.wallet(me, "UAH") == before
