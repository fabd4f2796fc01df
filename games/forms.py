"""The form of a new table, explained choice by choice. What people write into it is judged by games.terms."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import rules, words
from games.errors import BadTerms
from games.refusals import refusal
from games.terms import MAX_SERIES, Terms, make_terms
from ledger import money
from ledger.display import currency_choices
from ledger.errors import BadAmount

CUBE_OPTIONS = ("jacoby", "beaver", "auto_double")


class Picks(forms.RadioSelect):
    """Radio buttons drawn as a row of keys."""

    template_name = "widgets/picks.html"


def cube_choices() -> list[tuple[str, str]]:
    return [(str(limit), gettext("off") if limit == 1 else str(limit)) for limit in rules.CUBE_LIMITS]


def clock_choices() -> list[tuple[str, str]]:
    return [
        (key, format_html("{} <small>{}</small>", name, words.clock_sign(key))) for key, name in words.CLOCKS.items()
    ]


class TableForm(forms.Form):
    """Terms of a table. After validation `terms` holds them; fields that the variant does not offer are left aside."""

    variant = forms.ChoiceField(
        label=_("Game"), choices=lambda: [(key, str(words.VARIANTS[key][0])) for key in rules.VARIANTS]
    )
    stake = forms.CharField(
        label=_("Stake"),
        max_length=24,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
        error_messages={"required": _("Write how much a game is played for.")},
    )
    currency = forms.ChoiceField(label=_("Currency"), choices=currency_choices)
    cube_limit = forms.ChoiceField(
        label=_("Cube, up to"),
        choices=cube_choices,
        widget=Picks,
        help_text=_(
            "Either side may offer to double before a roll; the other takes, or passes and loses the present value."
        ),
    )
    endgame = forms.ChoiceField(
        label=_("A loss counts up to"),
        choices=lambda: [
            (key, f"{name} ×{rules.variant('short').endgames.index(key) + 1}")
            for key, (name, _text) in words.ENDGAMES.items()
        ],
        widget=Picks,
        help_text=_(
            "Mars: the loser has borne off nothing. Koks: besides, a checker is on the bar or in the winner's home."
        ),
    )
    clock = forms.ChoiceField(label=_("Clock"), choices=clock_choices, widget=Picks)
    first_move = forms.ChoiceField(
        label=_("Who starts the next game"),
        choices=lambda: [(key, str(name)) for key, name in words.FIRST_MOVES.items()],
    )
    series_length = forms.IntegerField(
        label=_("Games in the series"),
        required=False,
        min_value=1,
        max_value=MAX_SERIES,
        help_text=_("Empty: until somebody leaves."),
    )
    bear_off_after_hit = forms.ChoiceField(required=False)
    head_exception = forms.ChoiceField(required=False)
    opening_uses_lot = forms.BooleanField(required=False)
    mother_draw = forms.BooleanField(required=False)
    last_roll_draw = forms.BooleanField(required=False)
    jacoby = forms.BooleanField(required=False)
    beaver = forms.BooleanField(required=False)
    auto_double = forms.BooleanField(required=False)

    CHOICE_OPTIONS = {
        "bear_off_after_hit": ("allowed", "only_if_forced", "forbidden"),
        "head_exception": ("second_player", "both_players", "none"),
    }
    DEFAULTS = {
        "variant": "short", "currency": "UAH", "cube_limit": "1", "endgame": "koks", "clock": "normal",
        "first_move": "loser", "bear_off_after_hit": "allowed", "head_exception": "second_player",
    }  # fmt: skip

    terms: Terms

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {**self.DEFAULTS, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)
        for name, (title, explained) in words.OPTIONS.items():
            self.fields[name].label, self.fields[name].help_text = str(title), str(explained)
        for name, choices in self.CHOICE_OPTIONS.items():
            self.fields[name].choices = [(value, str(words.CHOICES[value])) for value in choices]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.errors:
            return data
        try:
            self.terms = make_terms(
                variant=data["variant"],
                stake=self._stake(data["stake"], data["currency"]),
                options=self._options(data),
                first_move=data["first_move"],
                series_length=data["series_length"],
                clock=data["clock"],
            )
        except BadAmount as error:
            self.add_error("stake", refusal(error))
        except BadTerms as error:
            self.add_error(error.params["field"] if error.params["field"] in self.fields else None, refusal(error))
        return data

    def _stake(self, text: str, currency: str) -> Any:
        """ "1,000" would be one hryvnia if the comma were read as the decimal sign: ask rather than guess."""
        tail = re.search(r"[.,](\d+)\s*$", text)
        places = money.decimals(currency)
        if tail and len(tail[1]) > places:
            raise BadAmount(
                amount=text,
                reason=gettext("%(currency)s has %(decimals)d decimals.") % {"currency": currency, "decimals": places},
            )
        return money.parse_number(text, currency)

    def _options(self, data: dict[str, Any]) -> dict[str, Any]:
        """What the rules are asked for: only options that this variant offers, those of the cube only with a cube."""
        variant = rules.variant(data["variant"])
        options: dict[str, Any] = {"cube_limit": int(data["cube_limit"]), "endgame": data["endgame"]}
        for name in variant.own_options:
            if name not in self.CHOICE_OPTIONS or data[name]:
                options[name] = data[name]
        if options["cube_limit"] > 1:
            options |= {name: True for name in CUBE_OPTIONS if data[name]}
        return options


def offered() -> dict[str, dict[str, list[str]]]:
    """For the page's script: which end games and options each variant offers."""
    return {
        key: {"endgames": list(variant.endgames), "options": [*variant.own_options]}
        for key, variant in rules.VARIANTS.items()
    }
