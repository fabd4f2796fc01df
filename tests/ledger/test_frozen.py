"""A frozen account: nothing is staked from it; running games are settled, money comes in and can be withdrawn."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction

from ledger import book, errors
from ledger.models import Account, AccountEvent
from ledger.money import parse
from tests.ledger.support import OPERATOR, fund, hold, settle, settlement, start_game, withdraw

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def freeze() -> Callable[[int], None]:
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")

    @transaction.atomic
    def freeze(owner: int) -> None:
        book.freeze(owner, "UAH", OPERATOR, "a complaint")

    return freeze


def test_no_new_holds(freeze: Callable[[int], None]) -> None:
    freeze(1)
    with pytest.raises(errors.AccountFrozen) as refused:
        hold("h", 1, "1.00 UAH")
    assert str(refused.value).startswith("The UAH account is frozen: nothing can be staked from it")
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


def test_what_is_available_can_be_withdrawn(freeze: Callable[[int], None]) -> None:
    freeze(1)
    withdraw("w", 1, parse("100.00 UAH"))
    assert book.wallet(1, "UAH").posted == parse("1.00 UAH") * 0


def test_freezing_and_unfreezing_are_logged_once_each(freeze: Callable[[int], None]) -> None:
    freeze(1)
    with transaction.atomic():
        assert not book.freeze(1, "UAH", OPERATOR, "again")
        assert book.unfreeze(1, "UAH", OPERATOR, "answered")
        assert not book.unfreeze(1, "UAH", OPERATOR, "again")
    assert list(AccountEvent.objects.order_by("id").values_list("event", "actor_id", "reason")) == [
        ("frozen", OPERATOR, "a complaint"),
        ("unfrozen", OPERATOR, "answered"),
    ]
    assert hold("h", 1, "1.00 UAH").state == "open"


def test_a_reason_is_asked_for() -> None:
    with pytest.raises(errors.ReasonMissing), transaction.atomic():
        book.freeze(1, "UAH", OPERATOR, " ")
    assert not Account.objects.filter(owner_id=1).exists()


def test_the_application_cannot_set_the_status_itself(freeze: Callable[[int], None]) -> None:
    freeze(1)
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        Account.objects.filter(owner_id=1).update(status="active")
    with pytest.raises(IntegrityError, match="is frozen already"), transaction.atomic():
        account = Account.objects.get(owner_id=1)
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO ledger_accountevent (account_id, event, actor_id, reason) VALUES (%s, 'frozen', 9, 'x')",
                [account.pk],
            )
