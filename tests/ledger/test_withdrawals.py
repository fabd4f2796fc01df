"""A withdrawal: the money is blocked at once, and leaves when a second person has approved."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction
from moneyed import Money

from ledger import book, errors, verify
from ledger.models import Entry, Hold, Proposal
from ledger.money import parse
from tests.ledger.support import OPERATOR, fund, picture, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

CLERK = 901
NOTHING = Money(0, "UAH")


@pytest.fixture
def asked() -> book.ProposalView:
    fund(1, "100.00 UAH")
    return ask()


def ask(amount: str = "40.00 UAH", by: int = 1, key: str = "w") -> book.ProposalView:
    with transaction.atomic():
        return book.request_withdrawal(key, 1, parse(amount), by, "card 1234")


def decide(action: Callable[..., book.ProposalView], *arguments: object) -> book.ProposalView:
    with transaction.atomic():
        return action(*arguments)


def test_asking_blocks_the_money_and_posts_nothing(asked: book.ProposalView) -> None:
    wallet = book.wallet(1, "UAH")
    assert (wallet.posted, wallet.held, wallet.available) == (
        parse("100.00 UAH"),
        parse("40.00 UAH"),
        parse("60.00 UAH"),
    )
    assert (asked.state, asked.reason, asked.proposed_by, asked.entry_id) == ("open", "card 1234", 1, None)
    assert [hold.reference for hold in book.holds(1)] == [f"withdrawal:{asked.id}"]
    assert book.withdrawals(1) == [asked]


def test_approval_captures_and_says_who(asked: book.ProposalView) -> None:
    done = decide(book.approve, asked.id, OPERATOR)
    assert (done.state, done.decided_by) == ("approved", OPERATOR)
    entry = book.entry(done.entry_id or 0)
    assert entry is not None
    assert (entry.kind, entry.actor_id, entry.reason, entry.reference) == (
        "withdrawal", OPERATOR, "card 1234", f"withdrawal:{asked.id}",
    )  # fmt: skip
    assert entry.details["proposed_by"] == 1
    assert book.wallet(1, "UAH").posted == book.wallet(1, "UAH").available == parse("60.00 UAH")
    seal_everything()
    assert list(verify.run()) == []


@pytest.mark.parametrize(
    ("action", "arguments", "state"),
    [(book.reject, (OPERATOR, "wrong card"), "rejected"), (book.cancel, (1,), "cancelled")],
)
def test_rejection_and_cancellation_set_the_money_free(
    asked: book.ProposalView, action: Callable[..., book.ProposalView], arguments: tuple[object, ...], state: str
) -> None:
    done = decide(action, asked.id, *arguments)
    assert (done.state, done.entry_id) == (state, None)
    assert book.wallet(1, "UAH").held == NOTHING
    assert not Entry.objects.filter(kind="withdrawal").exists()
    assert Hold.objects.get().resolution == "released"


def test_one_cannot_ask_for_more_than_is_available(asked: book.ProposalView) -> None:
    before = picture()
    with pytest.raises(errors.InsufficientFunds) as refused:
        ask("60.01 UAH", key="more")
    assert refused.value.params["available"] == parse("60.00 UAH")
    assert picture() == before


def test_asked_twice_it_is_one_request(asked: book.ProposalView) -> None:
    before = picture()
    assert ask() == asked
    with pytest.raises(errors.KeyConflict) as refused:
        ask("41.00 UAH")
    assert refused.value.params["field"] == "amount"
    assert picture() == before


@pytest.mark.parametrize(("by", "decider"), [(1, 1), (CLERK, CLERK), (CLERK, 1)])
def test_a_second_person_decides(by: int, decider: int) -> None:
    """Neither the one who asked nor the player whose money it is."""
    fund(1, "100.00 UAH")
    asked = ask(by=by)
    before = picture()
    for action, rest in ((book.approve, ()), (book.reject, ("no",))):
        with pytest.raises(errors.SecondPersonNeeded):
            decide(action, asked.id, decider, *rest)
    assert picture() == before
    assert decide(book.approve, asked.id, OPERATOR).state == "approved"


def test_the_player_can_cancel_what_an_operator_asked_for_him() -> None:
    fund(1, "100.00 UAH")
    assert decide(book.cancel, ask(by=CLERK).id, 1).state == "cancelled"


@pytest.mark.parametrize("proposal_id", [0, None])
def test_strangers_cancel_nothing(asked: book.ProposalView, proposal_id: int | None) -> None:
    before = picture()
    with pytest.raises(errors.ProposalNotFound):
        decide(book.cancel, asked.id if proposal_id is None else 0, 2)
    assert picture() == before


def test_decided_is_decided(asked: book.ProposalView) -> None:
    done = decide(book.approve, asked.id, OPERATOR)
    before = picture()
    assert decide(book.approve, asked.id, OPERATOR) == done  # a double click
    for action, arguments in ((book.cancel, (1,)), (book.reject, (OPERATOR, "no")), (book.approve, (CLERK,))):
        with pytest.raises(errors.ProposalDecided):
            decide(action, asked.id, *arguments)
    assert picture() == before


def test_approval_and_cancellation_at_once_are_one_of_them(asked: book.ProposalView) -> None:
    answers: list[str] = []
    gate = threading.Barrier(4)

    def race(action: Callable[..., book.ProposalView], actor: int) -> None:
        gate.wait(30)
        try:
            answers.append(decide(action, asked.id, actor).state)
        except errors.ProposalDecided:
            answers.append("refused")
        finally:
            connection.close()

    racers = [(book.approve, OPERATOR), (book.approve, CLERK), (book.cancel, 1), (book.cancel, 1)]
    threads = [threading.Thread(target=race, args=racer) for racer in racers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    state = Proposal.objects.get().state
    assert answers.count("refused") == (3 if state == "approved" else 2)
    left = "60.00" if state == "approved" else "100.00"
    assert book.wallet(1, "UAH").available == parse(f"{left} UAH")
    assert Entry.objects.filter(kind="withdrawal").count() == (state == "approved")


def test_the_database_asks_for_the_second_person_too(asked: book.ProposalView) -> None:
    """Whatever the application does: no withdrawal without an approved request of the same sum."""
    with pytest.raises(IntegrityError, match="ledger_proposal_second_person"), transaction.atomic():
        entry = Entry.objects.get()
        Proposal.objects.filter(pk=asked.id).update(
            state="approved", decided_by=1, decided_at="2026-11-01T00:00Z", entry=entry
        )
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        Proposal.objects.filter(pk=asked.id).update(amount=1)


def test_the_database_refuses_a_withdrawal_that_nobody_approved(asked: book.ProposalView) -> None:
    from ledger import accounts, chart
    from ledger.posting import Draft, Part, post

    ids = accounts.open_ids([accounts.wallet(1, "UAH"), accounts.house(chart.CASH, "UAH")])
    wallet, cash = ids.values() if next(iter(ids))[0] else reversed(ids.values())
    before = picture()
    with pytest.raises(IntegrityError, match="two people decide on"), transaction.atomic():
        parts = (Part(wallet, "UAH", parse("5.00 UAH").amount * -1), Part(cash, "UAH", parse("5.00 UAH").amount))
        (outcome,) = post([Draft("theft", "withdrawal", parts=parts, actor_id=OPERATOR, reason="mine")])
        assert outcome.error is None  # the commit tells
    assert picture() == before
