"""The words of the site: every code and choice has them, they match the rules engine's, and Ukrainian is complete."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from moneyed import Money

from games import rules, words
from games.errors import NotEnoughMoney
from games.refusals import RULES, refusal
from games.timer import PRESETS
from games.views import RULES_PAGES
from ledger.display import money_text
from ledger.errors import AccountFrozen


def test_every_error_of_the_rules_can_be_translated() -> None:
    plain = {code: re.sub(r"!r}", "}", text) for code, text in rules.MESSAGES.items()}
    with override("en"):
        assert {code: str(text) for code, text in RULES.items()} == plain


def test_every_choice_has_words() -> None:
    assert set(words.VARIANTS) == set(rules.VARIANTS)
    assert set(words.CLOCKS) == set(PRESETS)
    own = {name for variant in rules.VARIANTS.values() for name in variant.own_options}
    assert own | {"jacoby", "beaver", "auto_double"} == set(words.OPTIONS)


def test_refusals_in_ukrainian_with_money() -> None:
    error = NotEnoughMoney(needed=Money("1920.00", "UAH"), available=Money("5.50", "UAH"))
    with override("uk"):
        assert "1\u00a0920,00\u00a0₴" in refusal(error) and "5,50\u00a0₴" in refusal(error)
        assert refusal(AccountFrozen(owner_id=1, currency="UAH"))
        with pytest.raises(rules.RuleError) as caught:
            rules.apply(rules.new_game(rules.make_options("short"), "white"), rules.Play("8/5"))
        assert refusal(caught.value) and refusal(caught.value) != str(caught.value)
    with pytest.raises(TypeError):
        refusal(ValueError("nothing of ours"))


@pytest.mark.parametrize(
    ("language", "amount", "code", "text"),
    [
        ("en", "1920", "UAH", "₴1,920.00"),
        ("uk", "1920", "UAH", "1\u00a0920,00\u00a0₴"),
        ("uk", "-0.5", "USD", "−0,50\u00a0$"),
        ("en", "1000", "JPY", "¥1,000"),
        ("uk", "1.5", "KWD", "1,500\u00a0KWD"),
        ("en", "1", "XPC", "1 chip"),
        ("uk", "2", "XPC", "2 фішки"),
        ("uk", "1005", "XPC", "1\u00a0005 фішок"),
    ],
)
def test_money_is_written_as_the_language_does(language: str, amount: str, code: str, text: str) -> None:
    with override(language):
        assert money_text(Money(Decimal(amount), code)) == text


def test_a_plus_is_written_where_asked() -> None:
    with override("en"):
        assert money_text(Money(5, "EUR"), sign=True) == "+€5.00"
        assert money_text(Money(0, "EUR"), sign=True) == "€0.00"


@pytest.mark.parametrize("language", ["uk", "ru"])
def test_the_catalogue_is_complete(language: str) -> None:
    with (Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES/django.po").open(encoding="utf-8") as file:
        catalogue = read_po(file, locale=language)
    missing = [
        str(message.id) for message in catalogue if message.id and (message.fuzzy or not all(_texts(message.string)))
    ]
    assert not missing


def _texts(string: str | tuple[str, ...]) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else string


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "uk"])
@pytest.mark.parametrize("page", [*RULES_PAGES, ""])
def test_rules_in_words(client: Client, page: str, language: str) -> None:
    client.cookies["django_language"] = language
    address = reverse("rules_page", args=[page]) if page else reverse("rules")
    response = client.get(address)
    assert response.status_code == 200 and f'lang="{language}"' in response.content.decode()
    assert ("All rules" in response.content.decode()) == (language == "en" and bool(page))


@pytest.mark.django_db
def test_an_unknown_page_of_rules_is_not_there(client: Client) -> None:
    assert client.get("/rules/chess/").status_code == 404
