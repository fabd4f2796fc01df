"""The form in which directors write a tournament: times in its own zone, every term checked beforehand."""

from __future__ import annotations

from datetime import UTC
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.core.validators import MaxValueValidator
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from moneyed import Money
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminSplitDateTimeWidget,
    UnfoldAdminTextInputWidget,
)

from games import rules
from games.refusals import refusal
from games.terms import MAX_STAKE
from games.words import CLOCKS, VARIANTS
from ledger import money
from ledger.errors import LedgerError
from tournaments import when
from tournaments.core.tiebreaks import Key
from tournaments.errors import BadStartTime
from tournaments.models import Tournament

#: The zones of our players first; every other one can be chosen too.
NEAR = ("Europe/Kyiv", "Europe/Warsaw", "Asia/Tbilisi", "Europe/Berlin", "Europe/London", "UTC")
#: All entries are taken, and all prizes paid, in one batch of the ledger.
LARGEST_FIELD = 1000
OPTIONS_EXAMPLE = '{"cube_limit": 8}'


class Naive(forms.SplitDateTimeField):
    """A time as the clocks of the tournament's zone show it; the site's own zone has no say."""

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=UnfoldAdminSplitDateTimeWidget(), **options)

    def compress(self, data_list: Any) -> Any:
        found = super().compress(data_list)
        return None if found is None else found.astimezone(UTC).replace(tzinfo=None)


class TournamentForm(forms.ModelForm):  # type: ignore[type-arg]
    starts_local = Naive(label=_("Starts (in the tournament's time zone)"))
    opens_local = Naive(
        label=_("Registration opens (in the tournament's time zone)"),
        required=False,
        help_text=_("Empty: it is opened by hand."),
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), widget=UnfoldAdminSelectWidget)
    variant = forms.ChoiceField(label=_("Game"), widget=UnfoldAdminSelectWidget)
    clock = forms.ChoiceField(label=_("Clock"), widget=UnfoldAdminSelectWidget)

    class Meta:
        model = Tournament
        exclude = (
            "starts_at", "registration_opens_at", "status", "paused_at", "note", "note_code", "version", "created_by",
            "rules_version", "started_at", "ended_at", "lot_commitment", "past_half",
        )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "time_zone" not in self.fields:  # announced already: only the description can still change
            del self.fields["starts_local"], self.fields["opens_local"]
            return
        others = sorted(available_timezones() - set(NEAR))
        self._choose("time_zone", [(zone, zone) for zone in (*NEAR, *others)])
        self._choose("variant", [(key, str(VARIANTS[key][0])) for key in rules.VARIANTS])
        self._choose("clock", [(key, str(name)) for key, name in CLOCKS.items()])
        self.fields["max_field"].validators.append(MaxValueValidator(LARGEST_FIELD))
        self.fields["title"].widget = UnfoldAdminTextInputWidget()
        tournament = self.instance
        if tournament.pk:
            self.initial["starts_local"] = when.local(tournament.starts_at, tournament.time_zone)
            if tournament.registration_opens_at:
                self.initial["opens_local"] = when.local(tournament.registration_opens_at, tournament.time_zone)

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if "time_zone" not in self.fields or self.errors:
            return data
        self._moments(data)
        self._options(data)
        self._amounts(data)
        self._lists(data)
        if data["max_field"] < data["min_field"]:
            self.add_error("max_field", gettext("The largest field cannot be below the smallest."))
        if data["rounds"] == 0:
            self.add_error("rounds", gettext("A Swiss has at least one round; leave it empty for as many as needed."))
        elif data["rounds"] and data["format"] != Tournament.Format.SWISS:
            self.add_error("rounds", gettext("Only a Swiss has a set number of rounds."))
        return data

    def _moments(self, data: dict[str, Any]) -> None:
        for field, target in (("starts_local", "starts_at"), ("opens_local", "registration_opens_at")):
            try:
                value = when.moment(data[field], data["time_zone"]) if data[field] else None
            except BadStartTime as error:
                self.add_error(field, refusal(error))
            else:
                setattr(self.instance, target, value)
                if field == "starts_local" and value is not None and value <= timezone.now():
                    self.add_error(field, gettext("This time is over: a tournament starts in the future."))

    def _options(self, data: dict[str, Any]) -> None:
        given = data["options"]
        if not isinstance(given, dict) or "variant" in given:
            self.add_error(
                "options", gettext("Write options by name, like %(example)s.") % {"example": OPTIONS_EXAMPLE}
            )
            return
        try:
            rules.make_options(data["variant"], **given)
        except rules.RuleError as error:
            self.add_error("options", refusal(error))

    def _amounts(self, data: dict[str, Any]) -> None:
        code = data["entry"].currency.code
        for field in ("entry", "fee", "added", "guarantee"):
            amount = data[field].amount if field == "entry" else data[field]
            try:
                money.quantize(Money(amount, code))
            except LedgerError as error:
                self.add_error(field, str(error))
            else:
                if amount > MAX_STAKE:
                    self.add_error(field, gettext("The highest amount is %(most)s.") % {"most": MAX_STAKE})
        if "entry" in data and "fee" in data and 0 < data["entry"].amount < data["fee"]:
            self.add_error("fee", gettext("The fee comes on top of the entry and cannot be more than it."))

    def _lists(self, data: dict[str, Any]) -> None:
        weights = data["prize_weights"]
        good = isinstance(weights, list) and all(type(weight) is int and weight > 0 for weight in weights)
        if not good or weights != sorted(weights, reverse=True):
            self.add_error("prize_weights", gettext("Write whole numbers, none above the one before: [50, 30, 20]."))
        keys = data["ranking"]
        named = isinstance(keys, list) and all(isinstance(key, str) for key in keys)
        if not named or not set(keys) <= set(Key) or len(set(keys)) < len(keys):
            known = ", ".join(Key)
            self.add_error("ranking", gettext("Choose from these, each once: %(keys)s.") % {"keys": known})
