"""Money as a reader sees it: in the page's language, with the currency's own decimals. Never for exports."""

from decimal import Decimal

from babel.numbers import format_decimal, get_currency_symbol
from django.utils.translation import get_language, gettext, ngettext
from moneyed import Money

from ledger.money import CURRENCIES, PLAY_CHIPS, decimals

MINUS = "\N{MINUS SIGN}"
NO_BREAK = "\N{NO-BREAK SPACE}"


def money_text(amount: Money, sign: bool = False) -> str:
    """An amount in words of the active language: `1 920,00 ₴` (uk), `₴1,920.00` (en). `sign` also writes the plus."""
    code = amount.currency.code
    prefix = MINUS if amount.amount < 0 else "+" if sign and amount.amount > 0 else ""
    number = number_text(abs(amount.amount), decimals(code))
    if code == PLAY_CHIPS:
        return prefix + ngettext("%(number)s chip", "%(number)s chips", int(abs(amount.amount))) % {"number": number}
    symbol = currency_symbol(code)
    # Ukrainian and Russian write the sign of the currency behind the number.
    return f"{prefix}{symbol}{number}" if _language() == "en" else f"{prefix}{number}{NO_BREAK}{symbol}"


def number_text(value: Decimal, places: int = 0) -> str:
    """A number with exactly `places` decimals, grouped and pointed as the active language does it."""
    pattern = "#,##0" + ("." + "0" * places if places else "")
    return format_decimal(value, format=pattern, locale=_language()).replace("\N{NARROW NO-BREAK SPACE}", NO_BREAK)


def currency_symbol(code: str) -> str:
    """₴, $, zł … as the active language writes it."""
    return {"USD": "$", "PLN": "zł", "GEL": "₾", "UAH": "₴", "JPY": "¥"}.get(code) or get_currency_symbol(
        code, locale=_language()
    )


def currency_name(code: str) -> str:
    """The name of a currency on its own, for lists of choice."""
    names = {
        "UAH": gettext("hryvnia"),
        "USD": gettext("US dollar"),
        "EUR": gettext("euro"),
        "PLN": gettext("złoty"),
        "GEL": gettext("lari"),
        "JPY": gettext("yen"),
        "KWD": gettext("Kuwaiti dinar"),
        PLAY_CHIPS: gettext("play chips"),
    }
    return names[code]


def currency_choices() -> list[tuple[str, str]]:
    """Every currency as (code, "UAH · hryvnia"); play chips have no code that a reader would know."""
    return [
        (code, currency_name(code) if code == PLAY_CHIPS else f"{code} · {currency_name(code)}") for code in CURRENCIES
    ]


def _language() -> str:
    return (get_language() or "en").split("-")[0]
