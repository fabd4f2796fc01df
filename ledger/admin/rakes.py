"""Rake rules: the history, and adding the next one."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from moneyed import Money

from ledger import book, money
from ledger.admin.base import ReadOnlyAdmin, amount_text, named
from ledger.errors import LedgerError
from ledger.models import RakeRule


class RakeRuleForm(forms.ModelForm):  # type: ignore[type-arg]
    """Saved by book.set_rake: the rule holds from now on."""

    currency = forms.ChoiceField(label=_("Currency"), choices=[(code, code) for code in money.CURRENCIES])

    class Meta:
        model = RakeRule
        fields = ("currency", "percent", "cap", "reason")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("cap") is not None and "currency" in data:
            try:
                money.quantize(Money(data["cap"], data["currency"]))
            except LedgerError as error:
                self.add_error("cap", str(error))
        return data


@admin.register(RakeRule)
class RakeRuleAdmin(ReadOnlyAdmin):
    form = RakeRuleForm
    list_display = ("id", "currency", "percent", "cap_of", "starts_at", "reason", "actor")
    list_filter = ("currency",)
    search_fields: ClassVar[tuple[str, ...]] = ()
    sortable_by = None  # these stay few
    people = ("actor_id",)
    fields = ("currency", "percent", "cap", "reason")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("ledger.add_rakerule"))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("currency", "percent", "cap_of", "starts_at", "reason", "actor", "made_at") if obj else self.fields

    @admin.display(description=_("actor"))
    def actor(self, rule: RakeRule) -> str:
        return named(rule, rule.actor_id)

    @admin.display(description=_("cap"))
    def cap_of(self, rule: RakeRule) -> str:
        return amount_text(rule.cap, rule.currency)

    def save_model(self, request: HttpRequest, obj: RakeRule, form: Any, change: bool) -> None:
        percent = Decimal(obj.percent)
        cap = None if obj.cap is None else Money(obj.cap, obj.currency)
        obj.pk = book.set_rake(obj.currency, percent, cap, request.user.pk, obj.reason)
        obj.refresh_from_db()
