"""A player's statement: opening, running balance, closing, in pages and over any period."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger import book, errors
from ledger.money import parse
from tests.ledger.support import OPERATOR, fund, hold, play_game, settle, withdraw

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scene() -> None:
    for n in range(1, 8):
        fund(1, f"{n}.00 UAH", key=f"d{n}")
    withdraw("w", 1, parse("3.00 UAH"), OPERATOR, "card")


def amounts(statement: book.Statement) -> list[tuple[str, str]]:
    return [(str(row.amount.amount), str(row.balance.amount)) for row in statement.rows]


def test_the_balance_runs(scene: None) -> None:
    statement = book.statement(1, "UAH")
    assert amounts(statement)[:2] == [("1.00", "1.00"), ("2.00", "3.00")]
    assert amounts(statement)[-1] == ("-3.00", "25.00")
    assert (statement.opening, statement.closing) == (parse("1.00 UAH") * 0, parse("25.00 UAH"))
    assert statement.next is None


def test_pages_join_without_gap_or_overlap(scene: None) -> None:
    rows, after = [], None
    for _ in range(4):
        page = book.statement(1, "UAH", after=after, limit=3)
        assert (page.opening, page.closing) == (parse("1.00 UAH") * 0, parse("25.00 UAH"))
        rows += page.rows
        after = page.next
        if after is None:
            break
    assert tuple(rows) == book.statement(1, "UAH").rows


def test_a_period_opens_with_what_was_there_and_closes_with_what_was_left(scene: None) -> None:
    times = [row.at for row in book.statement(1, "UAH").rows]
    period = book.statement(1, "UAH", start=times[2], end=times[5])
    assert amounts(period) == [("3.00", "6.00"), ("4.00", "10.00"), ("5.00", "15.00")]
    assert (period.opening, period.closing) == (parse("3.00 UAH"), parse("15.00 UAH"))
    empty = book.statement(1, "UAH", start=times[-1] + timedelta(seconds=1))
    assert (empty.rows, empty.opening, empty.closing) == ((), parse("25.00 UAH"), parse("25.00 UAH"))


def test_the_balance_at_any_moment(scene: None) -> None:
    for row in book.statement(1, "UAH").rows:
        assert book.balance_at(1, "UAH", row.at) == row.balance - row.amount
        assert book.balance_at(1, "UAH", row.at + timedelta(microseconds=1)) == row.balance


def test_others_and_other_currencies_are_not_in_it(scene: None) -> None:
    fund(2, "50.00 UAH")
    fund(1, "50.00 EUR")
    assert len(book.statement(1, "UAH").rows) == 8
    assert book.statement(3, "UAH").rows == ()
    with pytest.raises(errors.UnknownCurrency):
        book.statement(1, "RUB")


def test_it_is_one_statement(scene: None) -> None:
    now = book.statement(1, "UAH").rows[-1].at
    with CaptureQueriesContext(connection) as statements:
        book.statement(1, "UAH", start=now, end=now)
    assert len(statements) == 1


def test_holds_newest_first_and_open_ones_alone(scene: None) -> None:
    fund(2, "50.00 UAH")
    play_game(1, 1, 2, "5.00 UAH", "1.00 UAH")
    hold("a", 1, "1.00 UAH")
    hold("b", 1, "2.00 UAH")
    settle(book.Release("r", "match:1", ["a"], "void"))
    assert [h.key for h in book.holds(1)] == ["b"]
    withdrawn = book.holds(1, open_only=False)[-1]
    assert [(h.key, h.state) for h in book.holds(1, open_only=False)] == [
        ("b", "open"), ("a", "released"), ("match:1:hold:1", "released"), (withdrawn.key, "captured"),
    ]  # fmt: skip
    assert [(h.owner_id, h.state) for h in book.holds_for("match:1")][:2] == [(1, "released"), (2, "captured")]
    assert book.hold("nowhere") is None
