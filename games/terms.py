"""Terms of a table: read from people's input, checked, and what they block (docs/rules.md, "Holds")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _
from moneyed import Money

from games import rules, stakes
from games.errors import BadTerms
from games.timer import DEFAULT_PRESET, PRESETS
from ledger import money

FIRST_MOVES = ("loser", "alternate", "lot")
#: Nobody plays for more than this many units; it keeps every sum far inside the ledger's columns.
MAX_STAKE = Decimal(1_000_000)
MAX_SERIES = 100
#: Stakes blocked under the site policy "table_stakes": without and with the cube.
TABLE_STAKES = (3, 10)


@dataclass(frozen=True)
class Terms:
    """What two players agree on. `series_length` None: until one of them leaves."""

    options: rules.GameOptions
    stake: Money
    first_move: str = "loser"
    series_length: int | None = None
    clock: str = DEFAULT_PRESET

    @property
    def factor_cap(self) -> int:
        """The most stakes that one game can cost under the site's hold policy."""
        if settings.HOLD_POLICY == "table_stakes":
            return TABLE_STAKES[self.options.cube_limit > 1]
        return self.options.max_points

    @property
    def hold(self) -> Money:
        """What each player has blocked while a game runs."""
        return stakes.largest(self.stake, self.factor_cap)

    def cost(self, points: int) -> Money:
        """What a result of so many points costs here: never more than the hold."""
        return stakes.cost(self.stake, points, self.factor_cap)


def make_terms(
    *,
    variant: str,
    stake: Money,
    options: Mapping[str, Any] | None = None,
    first_move: str = "loser",
    series_length: int | None = None,
    clock: str = DEFAULT_PRESET,
) -> Terms:
    """Check what a person asks for. `options` holds the rules options by name; missing ones take the variant's default.

    Raises:
        BadTerms: with the field to change, and why.
    """
    given = dict(options or {})
    if given.pop("variant", variant) != variant or "crawford_game" in given:
        raise BadTerms(
            "options", "bad_option", _("The variant is no option, and the Crawford rule belongs to points series.")
        )
    try:
        made = rules.make_options(variant, **given)
    except rules.UnknownVariant as error:
        raise BadTerms("variant", error.code, "%(reason)s", reason=str(error), value=variant) from error
    except rules.BadOption as error:
        raise BadTerms(error.field, error.code, "%(reason)s", reason=str(error)) from error
    check_stake(stake)
    if first_move not in FIRST_MOVES:
        raise BadTerms("first_move", "bad_first_move", _("Choose who starts the next game: loser, alternate or lot."))
    if series_length is not None and not (isinstance(series_length, int) and 1 <= series_length <= MAX_SERIES):
        raise BadTerms(
            "series_length",
            "bad_series_length",
            _("A series has 1 to %(most)s games, or no agreed length."),
            most=MAX_SERIES,
        )
    if clock not in PRESETS:
        raise BadTerms(
            "clock", "bad_clock", _("There is no such clock; choose from %(choices)s."), choices=", ".join(PRESETS)
        )
    return Terms(made, stake, first_move, series_length, clock)


def check_stake(stake: Money) -> None:
    """Refuse a stake that cannot be played for.

    Raises:
        BadTerms: unknown currency, zero or less, finer than the currency's smallest unit, or above the site's limit.
    """
    code = str(stake.currency)
    if code not in money.CURRENCIES:
        raise BadTerms(
            "stake", "unknown_currency", _("%(currency)s is not a currency of this site; choose from %(choices)s."),
            currency=code, choices=", ".join(money.CURRENCIES),
        )  # fmt: skip
    if not stake.amount.is_finite() or stake.amount <= 0:
        raise BadTerms("stake", "stake_not_positive", _("The stake must be more than zero."))
    if stake.amount % money.unit(code):
        raise BadTerms(
            "stake", "too_many_decimals", _("%(currency)s has %(decimals)s decimals, the stake has more."),
            currency=code, decimals=money.decimals(code),
        )  # fmt: skip
    if stake.amount > MAX_STAKE:
        raise BadTerms("stake", "stake_too_high", _("The highest stake is %(most)s."), most=int(MAX_STAKE))
