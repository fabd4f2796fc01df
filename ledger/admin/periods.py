"""Closed periods, and closing the next one."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger import book
from ledger.admin.base import ReadOnlyAdmin, named
from ledger.admin.reasons import reason_view
from ledger.models import Period
from ledger.periods import next_month


@admin.register(Period)
class PeriodAdmin(ReadOnlyAdmin):
    list_display = ("month", "starts_at", "ends_at", "entries", "digest", "closed_at", "actor", "reason")
    ordering = ("-month",)
    search_fields: ClassVar[tuple[str, ...]] = ()
    sortable_by = None  # these stay few
    people = ("actor_id",)
    fields = ("month", "starts_at", "ends_at", "entries", "totals", "digest", "closed_at", "actor", "reason")

    @admin.display(description=gettext_lazy("actor"))
    def actor(self, period: Period) -> str:
        return named(period, period.actor_id)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.close_next)
        return [path("close/", view, name="ledger_period_close"), *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        context = dict(extra_context or {})
        if request.user.has_perm("ledger.close"):
            context["close_url"] = reverse("admin:ledger_period_close")
        return super().changelist_view(request, context)

    def close_next(self, request: HttpRequest) -> HttpResponse:
        """Close the month that is due next, with a reason."""
        actor, month = request.user.pk, next_month()
        if not request.user.has_perm("ledger.close") or actor is None:
            raise PermissionDenied
        if month is None:
            raise Http404
        page = reverse("admin:ledger_period_changelist")

        def do(act: str, reason: str, key: str) -> str:
            book.close_period(month, actor, reason)
            return page

        text = _("From then on the reports of this month are the same for ever. This cannot be undone.")
        # The act names its month: a page that has grown old must not close the one after it.
        title = _("Close %(month)s") % {"month": f"{month:%Y-%m}"}
        return reason_view(request, self.admin_site, title, text, [(f"{month:%Y-%m}", title)], do, page)
