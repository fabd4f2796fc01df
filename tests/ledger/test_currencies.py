"""All currencies work at once, each with its own decimals, and never mix."""

from __future__ import annotations

import pytest
from django.db import transaction

from ledger import book, errors, money, verify
from ledger.money import parse
from tests.ledger.support import OPERATOR, fund, hold, play_game, settle, settlement, start_game

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = [
    ("UAH", "100.00", "33.33", "1.66", "98.33"),
    ("JPY", "100", "33", "1", "99"),
    ("KWD", "100.000", "33.333", "1.666", "98.333"),
    ("XPC", "100", "33", "1", "99"),
]


@pytest.mark.parametrize(("code", "funds", "loss", "rake", "_"), GAMES)
def test_a_game_in_each_currency(code: str, funds: str, loss: str, rake: str, _: str) -> None:
    fund(1, f"{funds} {code}")
    fund(2, f"{funds} {code}")
    play_game(1, 1, 2, f"{funds} {code}", f"{loss} {code}", f"{rake} {code}")
    winner, loser = book.wallet(1, code), book.wallet(2, code)
    assert winner.posted == parse(f"{funds} {code}") + parse(f"{loss} {code}") - parse(f"{rake} {code}")
    assert loser.available == parse(f"{funds} {code}") - parse(f"{loss} {code}")
    assert list(verify.run()) == []


def test_wallets_are_apart() -> None:
    for code, funds, *_ in GAMES:
        fund(1, f"{funds} {code}")
    hold("h", 1, "60 JPY")
    assert {w.currency: (str(w.posted.amount), str(w.held.amount)) for w in book.wallets(1)} == {
        "UAH": ("100.00", "0.00"), "JPY": ("100", "60"), "KWD": ("100.000", "0.000"), "XPC": ("100", "0"),
    }  # fmt: skip
    with pytest.raises(errors.InsufficientFunds) as refused:
        hold("h2", 1, "41 JPY")
    assert str(refused.value) == "Not enough money: 41 JPY needed, 40 JPY available."


def test_a_settlement_does_not_mix_currencies() -> None:
    for player in (1, 2):
        fund(player, "100.00 UAH")
        fund(player, "100.00 EUR")
    reference = start_game(1, 1, 2, "10.00 UAH")
    for loss, rake in (("5.00 EUR", "1.00 EUR"), ("5.00 UAH", "1.00 EUR")):
        (outcome,) = settle(settlement(reference, 1, 2, loss, rake))
        assert isinstance(outcome.error, errors.BadSettlement)


def test_play_chips_are_granted_and_never_paid() -> None:
    with transaction.atomic():
        book.grant_play_chips("g", 1, parse("100 XPC"), OPERATOR, "welcome")
    for action in (book.deposit, book.request_withdrawal):
        with pytest.raises(errors.UnknownCurrency), transaction.atomic():
            action("k", 1, parse("1 XPC"), OPERATOR, "x")
    with pytest.raises(errors.UnknownCurrency), transaction.atomic():
        book.grant_play_chips("g2", 1, parse("1.00 UAH"), OPERATOR, "x")


@pytest.mark.parametrize("reason", ["", "  "])
def test_no_money_moves_without_a_reason(reason: str) -> None:
    for action in (book.deposit, book.request_withdrawal, book.propose_adjustment, book.repay):
        with pytest.raises(errors.ReasonMissing), transaction.atomic():
            action("k", 1, parse("1.00 UAH"), OPERATOR, reason)


@pytest.mark.parametrize("code", sorted(money.CURRENCIES))
def test_an_unused_wallet_is_empty(code: str) -> None:
    wallet = book.wallet(404, code)
    assert wallet.available.amount == 0
    assert book.wallets(404) == []
