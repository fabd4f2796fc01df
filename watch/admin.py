"""The operator's view of findings and verifications: read-only, but for resolving a finding with a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from unfold.forms import ActionForm
from unfold.widgets import UnfoldAdminTextInputWidget

from ledger.admin.filters import ListFilter
from ledger.admin.lists import ReadOnly
from watch import findings
from watch.models import Finding, Verification


class OpenOrResolved(ListFilter):
    title = _("state")
    parameter_name = "state"

    @property
    def is_narrow(self) -> bool:  # type: ignore[override]
        return self.value() == "open"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", _("open")), ("resolved", _("resolved"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Finding]) -> QuerySet[Finding]:
        if self.value() is None:
            return queryset
        return queryset.filter(resolved_at__isnull=self.value() == "open")


def recent_checks() -> list[tuple[str, str]]:
    """The checks among the newest findings, to choose from."""
    newest = Finding.objects.order_by("-pk").values("check_name")[:1000]
    return [(name, name) for name in sorted({row["check_name"] for row in newest})]


class ReasonForm(ActionForm):  # type: ignore[misc]
    """The list's action, with the reason that resolving needs."""

    reason = forms.CharField(
        label="", required=False, max_length=500, widget=UnfoldAdminTextInputWidget({"placeholder": _("reason")})
    )


@admin.register(Finding)
class FindingAdmin(ReadOnly):
    list_display = ["id", "check_name", "subject", "message", "first_seen", "last_seen", "times", "resolved_at"]
    list_filter = [OpenOrResolved, "check_name"]
    filter_choices = {"check_name": lambda: recent_checks()}
    sortable_by = None  # findings stay few
    search_exact = ("subject",)
    search_help_text = _("A subject (game:12), or a finding's id")
    ordering = [F("resolved_at").desc(nulls_first=True), "-id"]  # what is open comes first
    actions = ["resolve"]
    action_form = ReasonForm
    fields = [*list_display, "resolved_by", "reason"]

    def has_resolve_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("watch.resolve_finding")

    @admin.action(description=_("Resolve (say what was done)"), permissions=["resolve"])
    def resolve(self, request: HttpRequest, found: QuerySet[Finding]) -> None:
        reason = request.POST.get("reason", "")
        try:
            number = sum(findings.resolve(pk, request.user, reason) for pk in found.values_list("pk", flat=True))
        except findings.ReasonMissing:
            self.message_user(request, _("Say what was done: it is kept with the finding."), messages.ERROR)
            return
        text = ngettext("%d finding was resolved.", "%d findings were resolved.", number) % number
        self.message_user(request, text, messages.SUCCESS if number else messages.WARNING)


@admin.register(Verification)
class VerificationAdmin(ReadOnly):
    list_display = ["id", "at", "full", "number", "violations", "seconds"]
    list_filter = ["full"]
    sortable_by = None  # one an hour
    fields = ["at", "full", "number", "digest", "violations", "seconds"]
