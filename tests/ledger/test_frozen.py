"""A frozen account: nothing is held on it or leaves it freely; games that run are settled, money may still come in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction

from ledger import book, errors
from ledger.models import Account
from ledger.money import parse
from tests.ledger.support import OPERATOR, fund, hold, settle, settlement, start_game

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def freeze() -> Callable[[int], None]:
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    return lambda owner: Account.objects.filter(owner_id=owner).update(status="frozen") and None


def test_no_new_holds_and_no_withdrawal(freeze: Callable[[int], None]) -> None:
    freeze(1)
    with pytest.raises(errors.AccountFrozen) as refused:
        hold("h", 1, "1.00 UAH")
    assert str(refused.value) == "The UAH account is frozen: nothing can be held on it or leave it."
    with pytest.raises(errors.AccountFrozen), transaction.atomic():
        book.withdraw("w", 1, parse("1.00 UAH"), OPERATOR, "card")
    with pytest.raises(errors.AccountFrozen):
        start_game(1, 1, 2, "1.00 UAH")
    assert book.wallet(2, "UAH").held == parse("1.00 UAH") * 0


@pytest.mark.parametrize(("winner", "loser"), [(1, 2), (2, 1)])
def test_a_running_game_is_settled(freeze: Callable[[int], None], winner: int, loser: int) -> None:
    reference = start_game(1, 1, 2, "10.00 UAH")
    freeze(1)
    (outcome,) = settle(settlement(reference, winner, loser, "10.00 UAH"))
    assert outcome.error is None
    assert book.wallet(winner, "UAH").available == parse("110.00 UAH")


def test_deposits_come_in(freeze: Callable[[int], None]) -> None:
    freeze(1)
    fund(1, "5.00 UAH")
    wallet = book.wallet(1, "UAH")
    assert (wallet.posted, wallet.status) == (parse("105.00 UAH"), "frozen")
