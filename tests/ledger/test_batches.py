"""A batch: what cannot be done is answered with its error and stops nobody else; its statements are counted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from moneyed import Money

from ledger import book, errors, verify
from ledger.money import parse
from ledger.posting import LARGEST_BATCH
from tests.ledger.support import fund, picture, settle, settlement, start_game

pytestmark = pytest.mark.django_db(transaction=True)


def games(count: int) -> list[book.Settlement]:
    """`count` games of 1 and 2, held and ready to be settled: each time 1 wins 1.00 less 0.05."""
    fund(1, "1000.00 UAH")
    fund(2, "1000.00 UAH")
    return [settlement(start_game(n, 1, 2, "2.00 UAH"), 1, 2, "1.00 UAH", "0.05 UAH") for n in range(count)]


BAD = [
    ({"loser_hold": "nowhere"}, errors.HoldNotFound),
    ({"loss": parse("2.01 UAH")}, errors.CaptureTooMuch),
    ({"loss": Money("0.001", "UAH")}, errors.BadAmount),
    ({"loss": parse("1.00 UAH") * 0}, errors.BadAmount),
    ({"loss": parse("1.00 EUR"), "rake": parse("1.00 EUR") * 0}, errors.BadSettlement),
    ({"rake": parse("1.01 UAH")}, errors.BadSettlement),
    ({"rake": parse("0.05 UAH") * -1}, errors.BadSettlement),
    ({"winner_hold": "match:1:hold:2"}, errors.BadSettlement),
    ({"details": {"note": "\x00"}}, errors.RefusedByDatabase),  # JSON can say it, PostgreSQL cannot store it
    ({"key": "k" * 201}, errors.RefusedByDatabase),
]


@pytest.mark.parametrize(
    ("change", "error"), BAD, ids=lambda value: getattr(value, "__name__", None) or "-".join(value)
)
def test_one_bad_settlement_stops_nobody_else(change: dict[str, object], error: type) -> None:
    batch = games(3)
    batch[1] = replace(batch[1], **change)  # type: ignore[arg-type]
    outcomes = settle(*batch)
    assert [type(outcome.error) for outcome in outcomes] == [type(None), error, type(None)]
    assert [outcome.key for outcome in outcomes] == [request.key for request in batch]
    assert book.wallet(1, "UAH").posted == parse("1001.90 UAH")
    assert book.wallet(2, "UAH").held == parse("2.00 UAH")
    assert list(verify.run()) == []


def test_a_batch_that_is_refused_entirely_changes_nothing() -> None:
    batch = [replace(request, loser_hold="nowhere") for request in games(2)]
    before = picture()
    assert all(isinstance(outcome.error, errors.HoldNotFound) for outcome in settle(*batch))
    assert picture() == before


def test_a_repeated_request_within_a_batch_is_done_once() -> None:
    (request,) = games(1)
    first, second, other = settle(request, request, replace(request, reference="match:9"))
    assert first == second
    assert first.error is None
    assert isinstance(other.error, errors.KeyConflict)


def test_wins_and_releases_mix() -> None:
    one, two = games(2)
    release = book.Release("r", two.reference, [two.winner_hold, two.loser_hold], "draw")
    outcomes = settle(one, release)
    assert [(o.error, o.entry_id is None) for o in outcomes] == [(None, False), (None, True)]
    assert book.wallet(1, "UAH") == book.Wallet(1, "UAH", parse("1000.95 UAH"), parse("1.00 UAH") * 0)


def test_the_winner_gets_nothing_when_the_rake_is_all() -> None:
    (request,) = games(1)
    (outcome,) = settle(replace(request, rake=request.loss))
    assert outcome.error is None
    assert book.wallet(1, "UAH").posted == parse("1000.00 UAH")


def test_a_batch_too_large_is_a_mistake_of_the_caller() -> None:
    with transaction.atomic(), pytest.raises(ValueError, match="1001 drafts"):
        (request,) = games(1)
        book.settle([replace(request, key=f"k{n}") for n in range(LARGEST_BATCH + 1)])


# --- How many statements ----------------------------------------------------------------------------------------------

SETTLING = 11  # places of holds, rake account; savepoint, keys, entries, balances, holds, 3 writes, release


@pytest.mark.parametrize("size", [1, 10, 100])
def test_statements_to_settle(size: int) -> None:
    batch = games(size)
    with transaction.atomic(), CaptureQueriesContext(connection) as statements:
        outcomes = book.settle(batch)
    assert [outcome.error for outcome in outcomes] == [None] * size
    assert len(statements) == SETTLING


@pytest.mark.parametrize("size", [1, 10, 100])
def test_statements_to_open_games(size: int) -> None:
    fund(1, "1000.00 UAH")
    fund(2, "1000.00 UAH")
    requests = [book.HoldRequest(f"h:{n}:{p}", p, parse("1.00 UAH")) for n in range(size) for p in (1, 2)]
    with transaction.atomic(), CaptureQueriesContext(connection) as statements:
        book.place_holds(requests)
    assert len(statements) == 5  # keys, existing holds, wallets, balances, insert


def test_statements_to_deposit() -> None:
    fund(1, "1.00 UAH")
    with transaction.atomic(), CaptureQueriesContext(connection) as statements:
        book.deposit("d", 1, parse("1.00 UAH"), 9, "cash")
    assert len(statements) == 9  # accounts; savepoint, keys, entries, balances, 2 writes, release; read back
