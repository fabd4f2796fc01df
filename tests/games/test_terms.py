"""Terms that cannot be offered are refused with the field to change; nothing is guessed."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override
from moneyed import Money

from games.errors import BadTerms
from games.refusals import refusal
from games.terms import make_terms
from ledger import money

GOOD: dict[str, Any] = {"variant": "short", "stake": Money("10", "UAH")}


@pytest.mark.parametrize(
    ("field", "code", "given"),
    [
        ("variant", "unknown_variant", {"variant": "chess"}),
        ("stake", "unknown_currency", {"stake": Money("10", "XAU")}),
        ("stake", "stake_not_positive", {"stake": Money("0", "UAH")}),
        ("stake", "stake_not_positive", {"stake": Money("-1", "UAH")}),
        ("stake", "stake_not_positive", {"stake": Money("NaN", "UAH")}),
        ("stake", "too_many_decimals", {"stake": Money("10.001", "UAH")}),
        ("stake", "too_many_decimals", {"stake": Money("1.5", "JPY")}),
        ("stake", "stake_too_high", {"stake": Money("1000000.01", "UAH")}),
        ("cube_limit", "option_value", {"options": {"cube_limit": 3}}),
        ("cube_limit", "option_value", {"options": {"cube_limit": "64"}}),
        ("endgame", "option_value", {"variant": "long", "options": {"endgame": "koks"}}),
        ("beaver", "option_needs_cube", {"options": {"beaver": True}}),
        ("luck", "unknown_option", {"options": {"luck": True}}),
        ("options", "bad_option", {"options": {"crawford_game": True}}),
        ("options", "bad_option", {"options": {"variant": "long"}}),
        ("first_move", "bad_first_move", {"first_move": "winner"}),
        ("series_length", "bad_series_length", {"series_length": 0}),
        ("series_length", "bad_series_length", {"series_length": 101}),
        ("clock", "bad_clock", {"clock": "never"}),
    ],
)
def test_bad_terms_name_their_field(field: str, code: str, given: dict[str, Any]) -> None:
    with pytest.raises(BadTerms) as refused:
        make_terms(**GOOD | given)
    assert (refused.value.params["field"], refused.value.code) == (field, code)
    assert "%(" not in str(refused.value) and "%(" not in refusal(refused.value)


def test_limits_are_named_and_rules_speak_the_readers_language() -> None:
    for given, english in [
        ({"stake": Money("1000001", "UAH")}, "The highest stake is 1000000."),
        ({"series_length": 101}, "A series has 1 to 100 games, or no agreed length."),
        ({"options": {"100% luck": True}}, "There is no option called 100% luck."),
    ]:
        with pytest.raises(BadTerms) as refused:
            make_terms(**GOOD | given)
        assert refusal(refused.value) == english
        for language in ("uk", "ru"):
            with override(language):
                assert refusal(refused.value) != english and "%(" not in refusal(refused.value)


@pytest.mark.parametrize("code", list(money.CURRENCIES))
def test_every_currency_can_be_played_for_in_its_smallest_unit(code: str) -> None:
    terms = make_terms(variant="short", stake=Money(money.unit(code), code))
    assert terms.hold == Money(money.unit(code) * 3, code)


def test_table_stakes_block_three_or_ten_stakes(settings: Any) -> None:
    settings.HOLD_POLICY = "table_stakes"
    assert make_terms(**GOOD).hold == Money("30", "UAH")
    assert make_terms(**GOOD, options={"cube_limit": 64}).hold == Money("100", "UAH")
