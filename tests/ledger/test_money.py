"""Amounts: each currency's own decimals, nothing rounded silently, nothing lost, the same text in every language."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st
from moneyed import Money

from ledger import money
from ledger.errors import BadAmount, UnknownCurrency

CODES = st.sampled_from(sorted(money.CURRENCIES))


@pytest.mark.parametrize(
    ("text", "amount"), [("10.00 UAH", "10.00"), ("5 JPY", "5"), ("0.001 KWD", "0.001"), ("7.5 USD", "7.50")]
)
def test_commands_write_amounts_like_this(text: str, amount: str) -> None:
    assert str(money.parse(text).amount) == amount


@pytest.mark.parametrize(
    "text",
    ["", "10.00", "UAH", "10,00 UAH", "10.00  UAH", "10.00UAH", "-1.00 UAH", "+1.00 UAH", "1e3 UAH", "1 000.00 UAH",
    " 1.00 UAH",
     "10.00 uah", ".5 UAH", "5. UAH", "NaN UAH", "1_0 UAH", "٣ UAH", "0 UAH", "0.00 UAH", "1.001 UAH", "1.5 JPY",
     "1.5 XPC", "1.0001 KWD", "9999999999999999.00 UAH", "1" * 50 + " UAH"],
)  # fmt: skip
def test_commands_refuse_anything_else(text: str) -> None:
    with pytest.raises(BadAmount):
        money.parse(text)


def test_an_unknown_currency_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownCurrency) as refused:
        money.parse("10.00 RUB")
    assert str(refused.value) == "Currency “RUB” is unknown. Known are: UAH, USD, EUR, PLN, GEL, JPY, KWD, XPC."


@pytest.mark.parametrize("typed", ["1234.5", "1234,5", "1 234,50", "1\u00a0234.50", "1\u202f234,50", " 1234,50 "])
def test_forms_take_commas_points_and_spaces(typed: str) -> None:
    assert money.parse_number(typed, "UAH") == Money("1234.50", "UAH")


@pytest.mark.parametrize(
    "typed", ["", "1,234.50", "1.234,50", "-5", "5-", "1e3", "abc", "1..2", "0", "0,001", "½", "１", "NaN"]
)
def test_forms_refuse_what_could_mean_two_things(typed: str) -> None:
    with pytest.raises(BadAmount):
        money.parse_number(typed, "UAH")


@given(CODES, st.integers(1, 10**15))
def test_text_and_parse_are_inverse(code: str, units: int) -> None:
    value = Money(units * money.unit(code), code)
    if value.amount <= money.LARGEST:
        assert money.parse(money.text(value)) == value


@given(CODES, st.integers(0, 10**12), st.decimals(0, 100, places=2), st.none() | st.integers(0, 10**6))
def test_rake_is_rounded_down_capped_and_in_whole_units(
    code: str, units: int, percent: Decimal, cap: int | None
) -> None:
    unit = money.unit(code)
    win = Money(units * unit, code)
    rake = money.rake_of(win, percent, None if cap is None else Money(cap * unit, code)).amount
    exact = win.amount * percent / 100
    assert 0 <= rake <= exact
    assert rake % unit == 0
    assert rake == (cap * unit if cap is not None and cap * unit < exact - exact % unit else exact - exact % unit)


def test_a_cap_in_another_currency_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="a cap in EUR on a win in UAH"):
        money.rake_of(Money(10, "UAH"), Decimal(5), Money(1, "EUR"))


@pytest.mark.parametrize("language", ["uk", "ru", "en"])
def test_exports_are_the_same_in_every_language(language: str) -> None:
    with translation.override(language):
        assert money.text(Money("1234567.5", "UAH")) == "1234567.50 UAH"
        assert money.text(Money(-5, "JPY")) == "-5 JPY"


def test_hidden_digits_are_shown_rather_than_rounded() -> None:
    assert money.number(Decimal("1.0050"), "UAH") == "1.005"
    assert money.number(Decimal("100.0000"), "JPY") == "100"


@pytest.mark.parametrize("digits", [20, 30, 40, 5_000])
def test_amounts_of_any_length_are_too_large(digits: int) -> None:
    for read in (lambda text: money.parse(f"{text}.00 UAH"), lambda text: money.parse_number(text, "UAH")):
        with pytest.raises(BadAmount, match="it is too large"):
            read("1" * digits)
