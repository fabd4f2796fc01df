"""The operator's view of findings and verifications: read-only, but for resolving a finding with a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from unfold.admin import ModelAdmin
from unfold.forms import ActionForm
from unfold.widgets import UnfoldAdminTextInputWidget

from watch import findings
from watch.models import Finding, Verification


class ReadOnly(ModelAdmin):  # type: ignore[misc]
    """Nothing can be added, changed or removed."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class OpenOrResolved(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", _("open")), ("resolved", _("resolved"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Finding]) -> QuerySet[Finding]:
        if self.value() is None:
            return queryset
        return queryset.filter(resolved_at__isnull=self.value() == "open")


class ReasonForm(ActionForm):  # type: ignore[misc]
    """The list's action, with the reason that resolving needs."""

    reason = forms.CharField(
        label="", required=False, max_length=500, widget=UnfoldAdminTextInputWidget({"placeholder": _("reason")})
    )


@admin.register(Finding)
class FindingAdmin(ReadOnly):
    list_display = ["id", "check_name", "subject", "message", "first_seen", "last_seen", "times", "resolved_at"]
    list_filter = [OpenOrResolved, "check_name"]
    search_fields = ["=subject"]
    ordering = ["resolved_at", "-id"]
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
    fields = ["at", "full", "number", "digest", "violations", "seconds"]
