"""What API requests carry: checked values in, precise errors out. Money is exact text with its currency."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from moneyed import Money
from rest_framework import serializers

from games import rules
from games.fair import CLIENT_SEED_MAX
from games.play import SIMPLE_ACTIONS
from games.terms import FIRST_MOVES, Terms, make_terms
from games.timer import DEFAULT_PRESET, PRESETS
from ledger import money
from ledger.errors import LedgerError

MONEY_SCHEMA = {
    "type": "object",
    "required": ["amount", "currency"],
    "properties": {
        "amount": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$", "example": "10.00"},
        "currency": {"type": "string", "enum": list(money.CURRENCIES)},
    },
}


@extend_schema_field(MONEY_SCHEMA)
class MoneyField(serializers.Field):  # type: ignore[type-arg]
    """`{"amount": "10.00", "currency": "UAH"}`; a number would be a float, so it is refused."""

    def to_internal_value(self, data: Any) -> Money:
        if not isinstance(data, dict) or set(data) != {"amount", "currency"}:
            raise serializers.ValidationError(_("Write money as an object of amount and currency."), "bad_money")
        if not all(isinstance(value, str) for value in data.values()):
            raise serializers.ValidationError(_("The amount is text, like “10.00”, never a number."), "bad_money")
        try:
            return money.parse(f"{data['amount']} {data['currency']}")
        except LedgerError as error:
            raise serializers.ValidationError(str(error), error.code) from error

    def to_representation(self, value: Money) -> dict[str, str]:
        return {"amount": money.number(value.amount, value.currency.code), "currency": value.currency.code}


class TermsRequest(serializers.Serializer):  # type: ignore[type-arg]
    """Terms of a table. Options that are left out take the variant's default."""

    variant = serializers.ChoiceField(list(rules.VARIANTS))
    stake = MoneyField()
    options = serializers.DictField(default=dict, help_text="cube_limit, endgame, … (docs/api.md)")
    first_move = serializers.ChoiceField(FIRST_MOVES, default="loser")
    series_length = serializers.IntegerField(min_value=1, allow_null=True, default=None)
    clock = serializers.ChoiceField(list(PRESETS), default=DEFAULT_PRESET)

    def terms(self) -> Terms:
        """The checked terms; raises BadTerms."""
        return make_terms(**self.validated_data)


class ActionRequest(serializers.Serializer):  # type: ignore[type-arg]
    """One act in a game, on the version of the game that the player saw."""

    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    type = serializers.ChoiceField([*SIMPLE_ACTIONS, "play"])
    play = serializers.CharField(
        required=False, max_length=120, help_text="notation of the whole turn, for type “play”"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (attrs["type"] == "play") != ("play" in attrs):
            raise serializers.ValidationError({"play": _("Given with the type “play”, and only then.")})
        return attrs

    def action(self) -> str | rules.Event:
        data = self.validated_data
        return rules.Play(data["play"]) if data["type"] == "play" else data["type"]


class SeedRequest(serializers.Serializer):  # type: ignore[type-arg]
    """A player's own seed for the next game's dice."""

    seed = serializers.CharField(max_length=CLIENT_SEED_MAX)


class PeriodRequest(serializers.Serializer):  # type: ignore[type-arg]
    """Half-open period of a statement, and the page to go on from."""

    start = serializers.DateTimeField(required=False, default=None)
    end = serializers.DateTimeField(required=False, default=None)
    cursor = serializers.IntegerField(required=False, default=None, min_value=1, max_value=2**63 - 1)
