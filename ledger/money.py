"""Currencies and exact amounts: the one place that knows how many decimals a currency has. Pure: no Django."""

from __future__ import annotations

from decimal import Decimal

import moneyed

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


def decimals(code: str) -> int:
    """Number of decimals of a currency's smallest unit (UAH 2, JPY 0, KWD 3, play chips 0)."""
    return CURRENCIES[code]


def unit(code: str) -> Decimal:
    """The smallest amount of a currency, in its major units (UAH: 0.01)."""
    return Decimal(1).scaleb(-decimals(code))
