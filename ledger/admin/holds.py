"""Holds: why money is blocked, since when, and what became of it."""

from __future__ import annotations

import json

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ledger.admin.base import NOTHING, ReadOnlyAdmin, amount_text, model_link, named, reference_link
from ledger.admin.filters import ListFilter
from ledger.admin.lists import once
from ledger.models import Account, Entry, Hold


class OpenFilter(ListFilter):
    """Open holds have no resolution: Django's own filter would call that "Empty"."""

    title = _("state")
    parameter_name = "state"

    @property
    def is_narrow(self) -> bool:  # type: ignore[override]
        return self.value() == "open"

    def lookups(self, request: object, model_admin: object) -> list[tuple[str, object]]:  # type: ignore[override]
        return [("open", _("open")), *Hold.Resolution.choices]

    def queryset(self, request, queryset):  # type: ignore[no-untyped-def]
        state = self.value()
        if state is None:
            return queryset
        return queryset.filter(resolution=None if state == "open" else state)


@admin.register(Hold)
class HoldAdmin(ReadOnlyAdmin):
    list_display = ("id", "placed_at", "owner", "amount_of", "state", "reference_to", "entry_to", "key")
    list_filter = (OpenFilter, "currency")
    list_select_related = ("account",)
    time_field = "placed_at"
    search_exact = ("reference", "key", "entry__key")
    search_owner = "account__owner_id"
    people = ("account.owner_id",)
    search_help_text = _("A reference (game:12), a hold's or an entry's key, a hold's id, or a player's name or id")
    fields = (
        "id", "key", "owner", "account_to", "amount_of", "reference_to", "details_text", "placed_at", "state",
        "captured_of", "resolved_at", "resolved_key", "resolved_reason", "entry_to",
    )  # fmt: skip

    @admin.display(description=_("owner"))
    @once
    def owner(self, hold: Hold) -> str:
        return named(hold, hold.account.owner_id)

    @admin.display(description=_("account"))
    def account_to(self, hold: Hold) -> SafeString:
        return model_link(Account, hold.account_id, hold.account_id)

    @admin.display(description=_("amount"))
    def amount_of(self, hold: Hold) -> str:
        return amount_text(hold.amount, hold.currency)

    @admin.display(description=_("captured"))
    def captured_of(self, hold: Hold) -> str:
        return amount_text(hold.captured, hold.currency)

    @admin.display(description=_("state"))
    def state(self, hold: Hold) -> str:
        return str(hold.get_resolution_display() or _("open"))

    @admin.display(description=_("reference"))
    def reference_to(self, hold: Hold) -> SafeString | str:
        return reference_link(hold.reference)

    @admin.display(description=_("entry"))
    def entry_to(self, hold: Hold) -> SafeString | str:
        return model_link(Entry, hold.entry_id, hold.entry_id) if hold.entry_id else NOTHING

    @admin.display(description=_("details"))
    def details_text(self, hold: Hold) -> str:
        return json.dumps(hold.details, ensure_ascii=False, sort_keys=True) if hold.details else NOTHING
