"""Rake rules: none by default, appended with a reason, in force from their moment on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import transaction
from moneyed import Money

from ledger import book, errors
from ledger.models import RakeRule
from ledger.money import parse

pytestmark = pytest.mark.django_db(transaction=True)


def set_rake(percent: str, cap: Money | None = None, reason: str = "tariff", starts_at: datetime | None = None) -> None:
    with transaction.atomic():
        book.set_rake("UAH", Decimal(percent), cap, 9, reason, starts_at)


def test_without_a_rule_there_is_no_rake() -> None:
    assert book.current_rake("UAH") == book.CurrentRake("UAH", Decimal(0), None, None)


def test_the_newest_rule_in_force_holds() -> None:
    set_rake("5", parse("20.00 UAH"))
    set_rake("2.50")
    set_rake("90", starts_at=datetime.now(UTC) + timedelta(days=1))
    rule = book.current_rake("UAH")
    assert (rule.percent, rule.cap) == (Decimal("2.50"), None)
    assert book.current_rake("EUR").percent == 0


def test_history_is_not_rewritten() -> None:
    before = datetime.now(UTC)
    set_rake("5", starts_at=datetime(2000, 1, 1, tzinfo=UTC))
    assert RakeRule.objects.get().starts_at >= before


@pytest.mark.parametrize("percent", ["-1", "100.01", "1.001"])
def test_a_percentage_is_0_to_100_with_two_decimals(percent: str) -> None:
    with pytest.raises(errors.BadAmount):
        set_rake(percent)


def test_a_rule_needs_a_reason_and_a_cap_in_its_currency() -> None:
    with pytest.raises(errors.ReasonMissing):
        set_rake("5", reason=" ")
    with pytest.raises(errors.UnknownCurrency):
        set_rake("5", cap=parse("1.00 EUR"))
    with pytest.raises(errors.BadAmount):
        set_rake("5", cap=Money("1.001", "UAH"))
    assert not RakeRule.objects.exists()
