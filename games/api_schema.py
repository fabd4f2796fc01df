"""The shapes of answers, for the OpenAPI description only: what answers really hold is written in games.queries."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers as s

from games import rules
from games.api_fields import MoneyField
from games.models import Game
from games.models import Table as TableRow
from games.timer import PRESETS

SIDE = ("white", "black")


class RefusalSchema(s.Serializer):  # type: ignore[type-arg]
    code = s.CharField(help_text="stable, for programs")
    message = s.CharField(help_text="a sentence in the reader's language")
    params = s.DictField()
    game = s.DictField(required=False, help_text="with stale_version: the present state, as GET of the game answers")


def refusals(*statuses: int) -> dict[int, Any]:
    """The refusals of a view, by status."""
    return dict.fromkeys(statuses, RefusalSchema)


class PlayerSchema(s.Serializer):  # type: ignore[type-arg]
    id = s.IntegerField()
    name = s.CharField()


class PlayersSchema(s.Serializer):  # type: ignore[type-arg]
    white = PlayerSchema()
    black = PlayerSchema(allow_null=True)


class RakeSchema(s.Serializer):  # type: ignore[type-arg]
    percent = s.CharField()
    cap = MoneyField(allow_null=True)


class ClockTermsSchema(s.Serializer):  # type: ignore[type-arg]
    preset = s.ChoiceField(list(PRESETS))
    reserve_s = s.IntegerField()
    delay_s = s.IntegerField()


class TermsSchema(s.Serializer):  # type: ignore[type-arg]
    variant = s.ChoiceField(list(rules.VARIANTS))
    options = s.DictField()
    rules_version = s.CharField()
    stake = MoneyField()
    hold = MoneyField()
    rake = RakeSchema()
    clock = ClockTermsSchema()


class TableSchema(s.Serializer):  # type: ignore[type-arg]
    id = s.IntegerField()
    version = s.IntegerField()
    status = s.ChoiceField(TableRow.Status.choices)
    close_reason = s.CharField(allow_blank=True)
    you = s.ChoiceField(SIDE, allow_null=True)
    players = PlayersSchema()
    ready = s.DictField(child=s.BooleanField())
    terms = TermsSchema()
    first_move = s.CharField()
    series_length = s.IntegerField(allow_null=True)
    dice = s.DictField(allow_null=True, help_text="commitment and the players' seeds for the next game")
    game = s.IntegerField(allow_null=True)
    created_at = s.DateTimeField()


class QuoteSchema(s.Serializer):  # type: ignore[type-arg]
    hold = MoneyField()
    available = MoneyField()


class ResultSchema(s.Serializer):  # type: ignore[type-arg]
    winner = s.ChoiceField(SIDE, allow_null=True)
    kind = s.ChoiceField(["oin", "mars", "koks", "draw", "void"])
    reason = s.CharField()
    factor = s.IntegerField(allow_null=True)
    cube = s.IntegerField(allow_null=True)
    points = s.IntegerField(allow_null=True)
    loss = MoneyField()
    rake = MoneyField()
    win = MoneyField()


class GameSummarySchema(s.Serializer):  # type: ignore[type-arg]
    id = s.IntegerField()
    table = s.IntegerField()
    number = s.IntegerField()
    version = s.IntegerField()
    status = s.ChoiceField(Game.Status.choices)
    you = s.ChoiceField(SIDE)
    players = PlayersSchema()
    variant = s.CharField()
    stake = MoneyField()
    result = ResultSchema(allow_null=True)
    settlement = s.DictField()
    created_at = s.DateTimeField()
    finished_at = s.DateTimeField(allow_null=True)


class GameSchema(s.Serializer):  # type: ignore[type-arg]
    id = s.IntegerField()
    version = s.IntegerField()
    applied = s.IntegerField(required=False, help_text="after an action: the version that it produced")
    table = s.IntegerField()
    number = s.IntegerField()
    status = s.ChoiceField(Game.Status.choices)
    you = s.ChoiceField(SIDE)
    players = PlayersSchema()
    terms = TermsSchema()
    starter = s.CharField()
    phase = s.ChoiceField(["setup", "lot", "roll", "play", "double", "beaver", "over"])
    turn = s.ChoiceField(SIDE, allow_null=True)
    to_act = s.ChoiceField(SIDE, allow_null=True)
    dice = s.ListField(child=s.IntegerField(), allow_null=True)
    cube = s.DictField()
    last_roll = s.BooleanField()
    points = s.DictField(help_text="26 counts per side, in its own numbering: 0 = off, 25 = bar")
    pinned = s.DictField()
    pips = s.DictField()
    may = s.DictField(child=s.BooleanField())
    turns = s.ListField(child=s.DictField(), help_text="graph of steps; node 0 is now")
    last_turn = s.DictField(allow_null=True)
    clock = s.DictField()
    worth = s.DictField(allow_null=True)
    result = ResultSchema(allow_null=True)
    settlement = s.DictField()
    fairness = s.DictField(allow_null=True)
    events = s.ListField(child=s.DictField())


class FairnessSchema(s.Serializer):  # type: ignore[type-arg]
    game = s.IntegerField()
    rules_version = s.CharField()
    commitment = s.CharField()
    white_seed = s.CharField()
    black_seed = s.CharField()
    server_seed = s.CharField(allow_null=True, help_text="hex; null until the game is over")
    rolls = s.ListField(child=s.DictField())


class LiveSchema(s.Serializer):  # type: ignore[type-arg]
    token = s.CharField()
    versions = s.DictField(child=s.IntegerField())


class WalletSchema(s.Serializer):  # type: ignore[type-arg]
    currency = s.CharField()
    posted = MoneyField()
    held = MoneyField()
    available = MoneyField()
    status = s.ChoiceField(["active", "frozen"])
    owed = MoneyField(allow_null=True, help_text="what is to be paid back before one can play or withdraw")


class StatementRowSchema(s.Serializer):  # type: ignore[type-arg]
    at = s.DateTimeField()
    kind = s.CharField()
    reference = s.CharField(allow_blank=True)
    amount = MoneyField()
    balance = MoneyField()
    entry = s.IntegerField()


class StatementSchema(s.Serializer):  # type: ignore[type-arg]
    opening = MoneyField()
    closing = MoneyField()
    rows = StatementRowSchema(many=True)
    next = s.IntegerField(allow_null=True, help_text="cursor of the next page")


class HoldSchema(s.Serializer):  # type: ignore[type-arg]
    key = s.CharField()
    reference = s.CharField()
    amount = MoneyField()
    captured = MoneyField()
    state = s.ChoiceField(["open", "captured", "released"])
    placed_at = s.DateTimeField()
    resolved_at = s.DateTimeField(allow_null=True)
    entry = s.IntegerField(allow_null=True)
