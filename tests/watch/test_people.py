"""Money without a person is found; an erased person without money is not missed."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from ledger import book, money, verify
from players.models import Player
from tests.games.helpers import fund
from tests.ledger.support import seal_everything, withdraw
from watch import reconcile

pytestmark = pytest.mark.django_db(transaction=True)


def found() -> list[str]:
    return [str(one) for one in verify.run() if "seal" not in one.check]


def test_an_erased_person_without_money_is_not_missed(alice: Any) -> None:
    fund(alice, "75.00 UAH")
    withdraw("all", alice.pk, money.parse("75.00 UAH"))
    Player.objects.filter(pk=alice.pk).delete()
    assert book.wallet(alice.pk, "UAH").posted.amount == 0
    assert found() == []


def test_money_of_nobody_is_found(alice: Any, bob: Any) -> None:
    for person in (alice, bob):
        fund(person, "75.00 UAH")
    with transaction.atomic():
        book.place_holds([book.HoldRequest("h", bob.pk, money.parse("5.00 UAH"))])
    Player.objects.filter(pk=bob.pk).delete()
    (said,) = found()
    assert said.startswith("money_has_a_person: account ")
    assert said.endswith(f": owner {bob.pk} is no known person, and the wallet has 75.0000 UAH, 5.0000 of it blocked")
    seal_everything()
    assert reconcile.reconcile() == 1


def test_a_debt_of_nobody_is_found(alice: Any, bob: Any, operator: Any) -> None:
    with transaction.atomic():
        paid = book.deposit("in", bob.pk, money.parse("75.00 UAH"), operator.pk, "a card")
    withdraw("all", bob.pk, money.parse("75.00 UAH"))
    with transaction.atomic():
        asked = book.propose_reversal("r", paid.id, operator.pk, "bounced")
        book.approve(asked.id, alice.pk)
    assert found() == []
    Player.objects.filter(pk=bob.pk).delete()
    (said,) = found()
    assert f"owner {bob.pk} is no known person, and the receivable has -75.0000 UAH" in said
