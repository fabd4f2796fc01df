"""Currencies and exact amounts: the one place that knows how many decimals a currency has. No database, no request.

Amounts are Decimal in the major units of their currency (hryvnias, not kopiykas), or moneyed.Money at the edges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_DOWN, Decimal
from functools import cache

import moneyed
from django.utils.translation import gettext as _
from moneyed import Money

PLAY_CHIPS = "XPC"

if PLAY_CHIPS not in moneyed.CURRENCIES:
    # X-codes are ISO 4217's private range, so no real currency can ever collide with play chips.
    moneyed.add_currency(code=PLAY_CHIPS, numeric="", sub_unit=1, name="play chips", countries=[])

#: currency code -> number of decimals of its smallest unit
CURRENCIES: dict[str, int] = {
    "UAH": 2,
    "USD": 2,
    "EUR": 2,
    "PLN": 2,
    "GEL": 2,
    "JPY": 0,
    "KWD": 3,
    PLAY_CHIPS: 0,
}

#: Those that are money: what is deposited and withdrawn.
REAL_CURRENCIES = tuple(code for code in CURRENCIES if code != PLAY_CHIPS)

_UNITS = {code: Decimal(1).scaleb(-places) for code, places in CURRENCIES.items()}

#: No single amount may be larger: far below what the columns hold, far above what anybody plays for.
LARGEST = Decimal(10) ** 15

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_COMMAND_FORM = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?) (?P<currency>[A-Z]{3})")


def decimals(code: str) -> int:
    """Number of decimals of a currency's smallest unit (UAH 2, JPY 0, KWD 3, play chips 0). Raises UnknownCurrency."""
    try:
        return CURRENCIES[code]
    except KeyError:
        raise _unknown(code, CURRENCIES) from None


def check_real(code: str) -> None:
    """Raises UnknownCurrency for play chips, which are no money, and for what is not known at all."""
    if code not in REAL_CURRENCIES:
        raise _unknown(code, REAL_CURRENCIES)


def unit(code: str) -> Decimal:
    """The smallest amount of a currency, in its major units (UAH: 0.01)."""
    return _UNITS[code] if code in _UNITS else Decimal(1).scaleb(-decimals(code))


@cache
def nothing(code: str) -> Money:
    """Zero of a currency, with its decimals. Raises UnknownCurrency."""
    return Money(Decimal(0).quantize(unit(code)), code)


def money(amount: Decimal | int | str, code: str) -> Money:
    """An exact Money with its currency's own decimals; raises BadAmount when the amount has more, UnknownCurrency."""
    decimals(code)  # refuses an unknown one by its name
    return quantize(Money(Decimal(amount), code))


def quantize(value: Money) -> Money:
    """The same amount written with its currency's own decimals; never rounds: raises BadAmount when it has more."""
    code = value.currency.code
    try:
        exact = value.amount.quantize(unit(code))
    except ArithmeticError:
        exact = None
    if exact is None or exact != value.amount:
        raise _bad(value.amount, _("%(currency)s has %(decimals)d decimals.") % _about(code))
    return Money(exact, value.currency)


def positive(value: Money) -> Money:
    """`quantize`, and raises BadAmount unless the amount is above zero and not beyond `LARGEST`."""
    if value.amount > LARGEST:  # first, for what has too many digits cannot be quantized
        shown = str(value.amount)
        raise _bad(shown if len(shown) <= 40 else f"{shown[:20]}…", _("it is too large."))
    exact = quantize(value)
    if exact.amount <= 0:
        raise _bad(exact.amount, _("it must be above zero."))
    return exact


def parse(given: str) -> Money:
    """Read the strict form of commands and files, "10.00 UAH": digits, a point, a space, the code; above zero."""
    found = _COMMAND_FORM.fullmatch(given)
    if not found:
        raise _bad(given, _("write it like “10.00 UAH”."))
    decimals(found["currency"])
    return positive(Money(Decimal(found["number"]), found["currency"]))


def parse_number(given: str, code: str) -> Money:
    """Read what a person typed into a form for a known currency: a comma or a point, spaces allowed; above zero.

    "1 234,50" and "1234.5" are the same amount. A text with both a comma and a point is refused, as one cannot know
    which of the two separates the decimals; so is a sign, an exponent, or more decimals than the currency has.
    """
    number = re.sub(r"[\s\u00a0\u202f]", "", given).replace(",", ".")
    if not _NUMBER.fullmatch(number):
        raise _bad(given, _("write a number like “10.00”."))
    decimals(code)
    return positive(Money(Decimal(number), code))


def number(amount: Decimal, code: str) -> str:
    """The amount as text with its currency's decimals, a point and no grouping, the same in every language ("10.00").

    An amount with hidden digits beyond the currency's decimals is written in full rather than rounded.
    """
    exact = amount.quantize(unit(code))
    return f"{exact:f}" if exact == amount else f"{amount.normalize():f}"


def text(value: Money) -> str:
    """For exports, logs and commands, the same in every language: "10.00 UAH"."""
    return f"{number(value.amount, value.currency.code)} {value.currency.code}"


def rake_of(win: Money, percent: Decimal, cap: Money | None) -> Money:
    """The house's share of a win: percent of it, rounded down to the currency's unit, never above the cap."""
    share = (win.amount * percent / 100).quantize(unit(win.currency.code), rounding=ROUND_DOWN)
    if cap is not None:
        if cap.currency != win.currency:
            raise ValueError(f"a cap in {cap.currency} on a win in {win.currency}")
        share = min(share, quantize(cap).amount)
    return Money(share, win.currency)


def _about(code: str) -> dict[str, object]:
    return {"currency": code, "decimals": decimals(code)}


def _unknown(code: str, known: Iterable[str]) -> Exception:
    from ledger.errors import UnknownCurrency

    return UnknownCurrency(currency=code, known=", ".join(known))


def _bad(amount: object, reason: str) -> Exception:
    from ledger.errors import BadAmount  # errors show money, so they import this module

    return BadAmount(amount=amount, reason=reason)
