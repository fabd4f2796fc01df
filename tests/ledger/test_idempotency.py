"""Same key, same content: the first answer. Same key, other content: KeyConflict naming what differs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction
from django.db.transaction import TransactionManagementError

from ledger import book, errors
from ledger.money import parse
from tests.ledger.support import OPERATOR, fund, picture, settle, settlement, start_game

pytestmark = pytest.mark.django_db(transaction=True)

DEPOSIT: dict[str, Any] = {
    "key": "d", "owner_id": 1, "amount": parse("10.00 UAH"), "actor": OPERATOR, "reason": "cash",
}  # fmt: skip


def test_the_same_deposit_again_is_the_first_one() -> None:
    with transaction.atomic():
        first = book.deposit(**DEPOSIT)
    before = picture()
    with transaction.atomic():
        assert book.deposit(**DEPOSIT) == first
    assert picture() == before


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount": parse("10.01 UAH")}, "amount"),
        ({"amount": parse("10.00 EUR")}, "account"),
        ({"owner_id": 2}, "account"),
        ({"actor": 7}, "actor"),
        ({"reason": "card"}, "reason"),
    ],
)
def test_another_deposit_with_its_key_is_refused(change: dict[str, Any], field: str) -> None:
    with transaction.atomic():
        book.deposit(**DEPOSIT)
    before = picture()
    with pytest.raises(errors.KeyConflict) as refused, transaction.atomic():
        book.deposit(**{**DEPOSIT, **change})
    assert refused.value.params == {"key": "d", "field": field}
    assert picture() == before


def test_a_repayment_with_a_deposits_key_is_refused() -> None:
    with transaction.atomic():
        book.deposit(**DEPOSIT)
    with pytest.raises(errors.KeyConflict) as refused, transaction.atomic():
        book.repay(**DEPOSIT)
    assert refused.value.params["field"] == "kind"


HOLD = book.HoldRequest("h", 1, parse("10.00 UAH"), "match:1", {"stake": "5.00"})


def test_the_same_hold_again_is_the_first_one_even_when_resolved() -> None:
    fund(1, "10.00 UAH")
    with transaction.atomic():
        (first,) = book.place_holds([HOLD])
    with transaction.atomic():
        assert book.place_holds([HOLD]) == [first]
    settle(book.Release("r", "match:1", ["h"], "void"))
    with transaction.atomic():
        (again,) = book.place_holds([HOLD])
    assert (again.id, again.state) == (first.id, "released")
    assert book.wallet(1, "UAH").held == parse("1.00 UAH") * 0


@pytest.mark.parametrize(
    "change",
    [
        {"owner_id": 2},
        {"amount": parse("9.00 UAH")},
        {"amount": parse("10.00 EUR")},
        {"reference": "match:2"},
        {"details": {"stake": "6.00"}},
    ],
)
def test_another_hold_with_its_key_is_refused(change: dict[str, Any]) -> None:
    fund(1, "10.00 UAH")
    with transaction.atomic():
        book.place_holds([HOLD])
    with pytest.raises(errors.KeyConflict) as refused, transaction.atomic():
        book.place_holds([replace(HOLD, **change)])
    assert refused.value.params == {"key": "h", "field": next(iter(change))}


@pytest.fixture
def settled() -> book.Settlement:
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    request = settlement(start_game(1, 1, 2, "20.00 UAH"), 1, 2, "10.00 UAH", "1.00 UAH")
    assert settle(request)[0].error is None
    return request


def test_the_same_settlement_again_is_the_first_one(settled: book.Settlement) -> None:
    before = picture()
    (again,) = settle(settled)
    (entry,) = book.entries_for("match:1")
    assert again == book.Outcome(settled.key, entry.id)
    assert picture() == before


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"loss": parse("11.00 UAH")}, "amount"),
        ({"rake": parse("2.00 UAH")}, "amount"),
        ({"rake": parse("1.00 UAH") * 0}, "account"),
        ({"winner_hold": "match:1:hold:2", "loser_hold": "match:1:hold:1"}, "amount"),
        ({"reference": "match:2"}, "reference"),
        ({"details": {}}, "details"),
    ],
)
def test_another_settlement_with_its_key_is_refused(
    settled: book.Settlement, change: dict[str, Any], field: str
) -> None:
    before = picture()
    (outcome,) = settle(replace(settled, **change))
    assert isinstance(outcome.error, errors.KeyConflict)
    assert outcome.error.params["field"] == field
    assert picture() == before


def test_a_second_settlement_with_a_fresh_key_says_captured(settled: book.Settlement) -> None:
    (outcome,) = settle(replace(settled, key="fresh"))
    assert isinstance(outcome.error, errors.AlreadyCaptured)
    assert outcome.error.params == {"hold": "match:1:hold:2", "by": settled.key}


def test_a_release_is_idempotent_and_exact() -> None:
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    reference = start_game(1, 1, 2, "20.00 UAH")
    holds = [f"{reference}:hold:1", f"{reference}:hold:2"]
    release = book.Release("r", reference, holds, "draw")
    assert settle(release) == [book.Outcome("r")]
    before = picture()
    assert settle(release) == [book.Outcome("r")]
    (other_reason,) = settle(replace(release, reason="void"))
    assert isinstance(other_reason.error, errors.KeyConflict)
    (fresh,) = settle(replace(release, key="fresh"))
    assert isinstance(fresh.error, errors.AlreadyReleased)
    assert picture() == before


def test_a_release_key_cannot_grow() -> None:
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    reference = start_game(1, 1, 2, "20.00 UAH")
    assert settle(book.Release("r", reference, [f"{reference}:hold:1"], "draw"))[0].error is None
    (more,) = settle(book.Release("r", reference, [f"{reference}:hold:1", f"{reference}:hold:2"], "draw"))
    assert isinstance(more.error, errors.KeyConflict)
    assert more.error.params["field"] == "holds"


def test_writing_outside_a_transaction_is_a_mistake() -> None:
    with pytest.raises(TransactionManagementError):
        book.deposit(**DEPOSIT)
    with pytest.raises(TransactionManagementError):
        book.place_holds([HOLD])
    with pytest.raises(TransactionManagementError):
        book.settle([book.Release("r", "", ["h"], "void")])
