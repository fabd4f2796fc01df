"""The journal's entries with their lines, and the seals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import BaseInlineFormSet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ledger import book, chart
from ledger.admin.base import (
    NOTHING,
    ReadOnlyAdmin,
    amount_text,
    model_link,
    named,
    reference_link,
    with_labels,
)
from ledger.admin.filters import Choices
from ledger.admin.lists import TabularInline, once
from ledger.admin.money_moves import may, proposal_page
from ledger.admin.reasons import reason_view
from ledger.models import Account, Entry, Hold, Line, Seal


class LabelledLines(BaseInlineFormSet):  # type: ignore[type-arg]
    """An entry's lines with their owners' labels, found in one look-up."""

    def get_queryset(self) -> QuerySet[Line]:
        first = not hasattr(self, "_queryset")
        lines: QuerySet[Line] = super().get_queryset()
        if first:
            with_labels(lines, "account.owner_id")
        return lines


class LineInline(TabularInline):  # type: ignore[type-arg]
    model = Line
    formset = LabelledLines
    fields = ("account_link", "debit", "credit", "balance")
    readonly_fields = fields
    ordering = ("id",)
    extra = 0
    can_delete = False
    hide_title = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Line]:
        return super().get_queryset(request).select_related("account")

    @admin.display(description=_("account"))
    def account_link(self, line: Line) -> SafeString:
        name = chart.ACCOUNT_KINDS[line.account.kind].name
        owner = f" {named(line, line.account.owner_id)}" if line.account.owner_id else ""
        return model_link(Account, line.account_id, f"{name}{owner}")

    @admin.display(description=_("debit"))
    def debit(self, line: Line) -> str:
        return amount_text(-line.amount, line.currency) if line.amount < 0 else ""

    @admin.display(description=_("credit"))
    def credit(self, line: Line) -> str:
        return amount_text(line.amount, line.currency) if line.amount > 0 else ""

    @admin.display(description=_("balance after"))
    def balance(self, line: Line) -> str:
        return amount_text(line.balance_after, line.currency)


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ("id", "number", "at", "kind_name", "amount", "reference_to", "reason", "actor")
    people = ("actor_id",)
    list_filter = ("kind",)
    filter_choices: ClassVar[dict[str, Choices]] = {
        "kind": lambda: [(key, kind.name) for key, kind in chart.ENTRY_KINDS.items()]
    }
    narrow_filters: ClassVar[Mapping[str, Any]] = {"kind": ...}  # settlements are the most; the others have an index
    time_field = "at"
    search_exact = ("reference", "key")
    search_owner = "lines"
    search_help_text = _("A reference (game:12), a key, an entry's id, or a player's name or id")
    fields = (
        "number", "at", "kind_name", "reference_to", "holds", "actor", "reason", "reverses_to", "reversed_by",
        "details_text", "id", "key", "digest",
    )  # fmt: skip
    inlines = (LineInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        return super().get_queryset(request).select_related("seal").prefetch_related("lines")

    def of_owner(self, rows: QuerySet[Entry], path: str, owner: int) -> QuerySet[Entry]:
        """By the accounts' ids, which are few: with a join PostgreSQL takes an owner for an average one."""
        accounts = list(Account.objects.filter(owner_id=owner).values_list("pk", flat=True))
        return rows.filter(pk__in=Line.objects.filter(account_id__in=accounts).values("entry_id"))

    # --- Reversing ------------------------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.reverse_entry)
        return [path("<int:entry_id>/reverse/", view, name="ledger_entry_reverse"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        entry = self.get_object(request, object_id)
        context = dict(extra_context or {})
        if entry is not None and chart.ENTRY_KINDS[entry.kind].reversible and may(request, "adjust"):
            context["reverse_url"] = reverse("admin:ledger_entry_reverse", args=[entry.pk])
        return super().change_view(request, object_id, form_url, context)

    def reverse_entry(self, request: HttpRequest, entry_id: int) -> HttpResponse:
        """Ask for an entry to be undone; another operator decides."""
        actor = request.user.pk
        if not may(request, "adjust") or actor is None:
            raise PermissionDenied

        def do(act: str, reason: str, key: str) -> str:
            return proposal_page(book.propose_reversal(f"reverse:{key}", entry_id, actor, reason))

        text = gettext(
            "The entry stays; its mirror image is entered once another operator has approved. What a player has spent "
            "meanwhile, he owes."
        )
        back = reverse("admin:ledger_entry_change", args=[entry_id])
        acts = [("reverse", _("Ask for approval"))]
        return reason_view(
            request, self.admin_site, gettext("Reverse entry %(id)s") % {"id": entry_id}, text, acts, do, back
        )

    @admin.display(description=_("journal number"))
    def number(self, entry: Entry) -> str:
        return str(entry.seal.number) if hasattr(entry, "seal") else NOTHING

    @admin.display(description=_("digest"))
    def digest(self, entry: Entry) -> str:
        return entry.seal.digest if hasattr(entry, "seal") else NOTHING

    @admin.display(description=_("kind"))
    def kind_name(self, entry: Entry) -> str:
        known = chart.ENTRY_KINDS.get(entry.kind)
        return str(known.name) if known else entry.kind

    @admin.display(description=_("amount"))
    def amount(self, entry: Entry) -> str:
        lines = list(entry.lines.all())
        credit = sum(line.amount for line in lines if line.amount > 0)
        return amount_text(credit, lines[0].currency) if lines and credit else NOTHING

    @admin.display(description=_("reference"))
    def reference_to(self, entry: Entry) -> SafeString | str:
        return reference_link(entry.reference)

    @admin.display(description=_("holds"))
    @once
    def holds(self, entry: Entry) -> SafeString | str:
        found = Hold.objects.filter(entry=entry).order_by("id")
        links = [(model_link(Hold, hold.pk, hold.key), hold.get_resolution_display()) for hold in found]
        return format_html_join(", ", "{} ({})", links) or NOTHING

    @admin.display(description=_("actor"))
    def actor(self, entry: Entry) -> str:
        return named(entry, entry.actor_id)

    @admin.display(description=_("details"))
    def details_text(self, entry: Entry) -> str:
        return json.dumps(entry.details, ensure_ascii=False, sort_keys=True) if entry.details else NOTHING

    @admin.display(description=_("reverses"))
    @once
    def reverses_to(self, entry: Entry) -> SafeString | str:
        return model_link(Entry, entry.reverses_id, entry.reverses_id) if entry.reverses_id else NOTHING

    @admin.display(description=_("reversed by"))
    @once
    def reversed_by(self, entry: Entry) -> SafeString | str:
        found = [(model_link(Entry, other.pk, other.pk),) for other in entry.reversals.all()]
        return format_html_join(", ", "{}", found) or NOTHING


@admin.register(Seal)
class SealAdmin(ReadOnlyAdmin):
    list_display = ("number", "entry_to", "kind", "at", "digest")
    list_select_related = ("entry",)
    sortable_by = ("number",)
    search_exact = ("entry__reference", "entry__key")
    search_help_text = _("A journal number, a reference (game:12), or an entry's key")
    fields = ("number", "entry_to", "kind", "at", "digest")

    @admin.display(description=_("entry"))
    def entry_to(self, seal: Seal) -> SafeString:
        return model_link(Entry, seal.entry_id, seal.entry.key)

    @admin.display(description=_("kind"))
    def kind(self, seal: Seal) -> str:
        return seal.entry.kind

    @admin.display(description=_("time"))
    def at(self, seal: Seal) -> Any:
        return seal.entry.at
