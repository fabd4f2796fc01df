"""Deposit and withdrawal by an operator: a form, a page to confirm, one entry however often clicked."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.apps import apps
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from moneyed import Money

from ledger import book, money, owners
from ledger.admin.base import label
from ledger.errors import LedgerError

REAL = [(code, code) for code in money.CURRENCIES if code != money.PLAY_CHIPS]


class MoveForm(forms.Form):
    """`key` makes the move idempotent: it is drawn when the empty form is shown and travels to the end."""

    owner = forms.CharField(label=gettext_lazy("Player (name or id)"), max_length=150)
    currency = forms.ChoiceField(label=gettext_lazy("Currency"), choices=REAL)
    amount = forms.CharField(label=gettext_lazy("Amount"), max_length=30)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        help_text=gettext_lazy("Goes into the journal for good: the payment's number, the request, …"),
    )
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if apps.is_installed("unfold"):
            from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

            for name in ("owner", "amount", "reason"):
                self.fields[name].widget = UnfoldAdminTextInputWidget()
            self.fields["currency"].widget = UnfoldAdminSelectWidget(choices=REAL)
        self.fields["amount"].widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}

    def clean_owner(self) -> int:
        found = owners.find(self.cleaned_data["owner"])
        if found is None or not owners.exists(found):  # a mistyped id must not open a wallet of nobody
            raise forms.ValidationError(_("There is no such player."))
        return found

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if "amount" in data and "currency" in data:
            try:
                data["money"] = money.parse_number(data["amount"], data["currency"])
            except LedgerError as error:
                self.add_error("amount", str(error))
        return data


def may(request: HttpRequest, action: str) -> bool:
    """Whether this operator may "deposit" or "withdraw"."""
    return bool(request.user.has_perm(f"ledger.{action}"))


def deposit_view(request: HttpRequest, site: AdminSite) -> HttpResponse:
    return _move(request, site, "deposit", _("Deposit"), book.deposit)


def withdrawal_view(request: HttpRequest, site: AdminSite) -> HttpResponse:
    return _move(request, site, "withdraw", _("Withdrawal"), book.withdraw)


def _move(
    request: HttpRequest,
    site: AdminSite,
    action: str,
    title: str,
    post: Callable[[str, int, Money, int | None, str], book.EntryView],
) -> HttpResponse:
    """GET shows the form, POST the page to confirm, POST with `confirmed` does it."""
    if not may(request, action):
        raise PermissionDenied
    context = {**site.each_context(request), "title": title, "action": action}
    if request.method != "POST":
        given = {name: request.GET[name] for name in ("owner", "currency") if name in request.GET}
        context["form"] = MoveForm(initial={"key": uuid.uuid4(), **given})
        return TemplateResponse(request, "admin/ledger/account/move.html", context)
    form = MoveForm(request.POST)
    context["form"] = form
    if not form.is_valid():
        return TemplateResponse(request, "admin/ledger/account/move.html", context, status=400)
    data = form.cleaned_data
    if "confirmed" not in request.POST:
        return TemplateResponse(request, "admin/ledger/account/move_confirm.html", context | _effect(data, action))
    try:
        with transaction.atomic():
            entry = post(f"{action}:{data['key']}", data["owner"], data["money"], request.user.pk, data["reason"])
    except LedgerError as error:
        form.add_error(None, str(error))
        return TemplateResponse(request, "admin/ledger/account/move.html", context, status=409)
    messages.success(
        request, _("%(title)s of %(amount)s recorded.") % {"title": title, "amount": money.text(data["money"])}
    )
    return HttpResponseRedirect(reverse("admin:ledger_entry_change", args=[entry.id]))


def _effect(data: dict[str, Any], action: str) -> dict[str, Any]:
    """What the page to confirm says: whose wallet, and its available money before and after."""
    before = book.wallet(data["owner"], data["currency"]).available
    after = before + data["money"] if action == "deposit" else before - data["money"]
    return {
        "owner_label": label(data["owner"]),
        "amount": money.text(data["money"]),
        "before": money.text(before),
        "after": money.text(after),
        "too_little": after.amount < 0,
    }
