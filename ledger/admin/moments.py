"""What an account had at a past moment: a small form on its page, answered by one look-up."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ledger import chart, moments, queries
from ledger.admin.base import amount_text
from ledger.models import Account
from ledger.seal import sealed_until


class MomentForm(forms.Form):
    """A date and time as a browser gives it, and the zone in which it is meant."""

    at = forms.CharField(
        label=_("Date and time"), widget=forms.DateTimeInput({"type": "datetime-local", "step": "1", "required": True})
    )
    zone = forms.ChoiceField(label=_("Time zone"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = dict.fromkeys([settings.ACCOUNTING_ZONE, "UTC"])
        self.fields["zone"].choices = [(zone, zone) for zone in zones]  # type: ignore[attr-defined]

    def clean_at(self) -> datetime:
        found = moments.naive(self.cleaned_data["at"])
        if found is None:
            raise forms.ValidationError(_("Write the date and time like 2026-11-01T12:00."))
        return found

    def moment(self) -> datetime:
        """What was asked for, in its zone. An hour that the clocks show twice is the first of the two."""
        at: datetime = self.cleaned_data["at"]
        return at.replace(tzinfo=ZoneInfo(self.cleaned_data["zone"]))


def balance_context(request: HttpRequest, account: Account) -> dict[str, Any]:
    """The form, and, once it is filled in, what the account had posted just before the moment."""
    asked = "at" in request.GET
    form = MomentForm(request.GET if asked else None)
    context: dict[str, Any] = {"moment_form": form}
    if asked and form.is_valid():
        moment = form.moment()
        horizon = sealed_until()
        context |= {
            "moment": moment,
            "moment_zone": form.cleaned_data["zone"],
            "moment_utc": moment.astimezone(UTC),
            "moment_balance": amount_text(_balance(account, moment), account.currency),
            "moment_provisional": horizon is None or horizon < moment,
        }
    return context


def _balance(account: Account, moment: datetime) -> Any:
    if chart.ACCOUNT_KINDS[account.kind].has_balance:
        return queries.posted_before(account.pk, account.currency, moment).amount
    return queries.house_balance_at(account.kind, account.currency, moment).amount
