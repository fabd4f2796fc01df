"""Directors' administration: write a tournament (from a preset, if wanted), run it, and read its log."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline

from games.words import VARIANTS, named
from ledger.admin.filters import choice_filter
from ledger.admin.lists import BoundedPaginator
from tournaments import run_page, words
from tournaments.admin_form import TournamentForm
from tournaments.models import Entrant, LogEntry, Tournament
from tournaments.presets import PRESETS
from tournaments.steps import S, record


class ReadOnlyInline(TabularInline):  # type: ignore[misc]
    extra = 0
    can_delete = False
    show_change_link = False
    person = ""  # the field with a person's name

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related(self.person)  # type: ignore[no-any-return]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class LogInline(ReadOnlyInline):
    """Who did what, when and why: the newest first, never changed."""

    model = LogEntry
    person = "actor"
    verbose_name_plural = _("log")
    fields = ["at", "actor", "words", "reason", "details"]
    readonly_fields = fields
    ordering = ["-pk"]

    @admin.display(description=_("action"))
    def words(self, entry: LogEntry) -> str:
        return str(words.ACTIONS.get(entry.action, entry.action))


class EntrantInline(ReadOnlyInline):
    """Who takes part. Ratings can be set until registration closes."""

    model = Entrant
    person = "player"
    fields = ["player", "status", "seed", "rating", "registered_at"]
    readonly_fields = ["player", "status", "seed", "registered_at"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is not None and obj.status == S.REGISTRATION


@admin.register(Tournament)
class TournamentAdmin(ModelAdmin):  # type: ignore[misc]
    form = TournamentForm
    list_display = ["title", "status", "format", "starts", "entry", "run_link"]
    list_filter = ["status", "format", choice_filter(Tournament, "variant", lambda: named(VARIANTS))]
    paginator = BoundedPaginator
    show_full_result_count = False
    search_fields = ["title", "=id"]
    ordering = ["-starts_at"]
    inlines = [EntrantInline, LogInline]
    list_before_template = "tournaments/admin_presets.html"
    change_form_before_template = "tournaments/admin_run_link.html"
    fieldsets = [
        (None, {"fields": ["title", "description", "format", "rounds", "late_entry", "third_place", "seeding"]}),
        (_("Time"), {"fields": ["time_zone", "starts_local", "opens_local", "automatic", "min_field", "max_field"]}),
        (_("Series"), {"fields": [
            "variant", "options", "count_by", "target", "crawford", "first_move", "clock", "no_show_minutes",
        ]}),
        (_("Money"), {"fields": ["entry", "fee", "added", "guarantee", "prize_weights", "abort_rule"]}),
        (_("Ranking"), {"fields": ["ranking", "difference_cap"]}),
    ]  # fmt: skip

    def get_urls(self) -> list[URLPattern]:
        run = self.admin_site.admin_view(self.run)
        return [path("<int:tournament_id>/run/", run, name="tournaments_tournament_run"), *super().get_urls()]

    def run(self, request: HttpRequest, tournament_id: int) -> HttpResponse:
        """The page on which a director runs a tournament."""
        return run_page.page(request, tournament_id)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        context = {"presets": PRESETS.items()} | (extra_context or {})
        return super().changelist_view(request, context)  # type: ignore[no-any-return]

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """As the row is once nobody else is changing it: a save writes every column."""
        if request.method == "POST" and object_id.isdecimal() and connection.in_atomic_block:
            Tournament.objects.select_for_update(no_key=True).filter(pk=object_id).first()
        return super().get_object(request, object_id, from_field)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        preset = PRESETS.get(request.GET.get("preset", ""))
        return super().get_changeform_initial_data(request) | (dict(preset.fields) if preset else {})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Once announced, terms are a promise: only the description can still change."""
        if obj is None or obj.status == S.DRAFT:
            return self.fieldsets
        shown = [field.name for field in Tournament._meta.get_fields() if field.concrete and field.name in _SHOWN]
        return [(None, {"fields": ["description", *shown]})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return [] if obj is None or obj.status == S.DRAFT else _SHOWN

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Tournament, form: Any, change: bool) -> None:
        if not change:
            obj.created_by = request.user  # type: ignore[assignment]
        super().save_model(request, obj, form, change)
        record(obj, request.user, "edit", fields=form.changed_data)
        if obj.status == S.DRAFT and (lacking := words.lacking(obj)):
            messages.warning(request, lacking)

    @admin.display(description=_("starts"), ordering="starts_at")
    def starts(self, tournament: Tournament) -> str:
        from tournaments.when import local

        return f"{local(tournament.starts_at, tournament.time_zone):%Y-%m-%d %H:%M} {tournament.time_zone}"

    @admin.display(description=_("run"))
    def run_link(self, tournament: Tournament) -> SafeString:
        url = reverse("admin:tournaments_tournament_run", args=[tournament.pk])
        return format_html('<a href="{}">{}</a>', url, _("Run"))


_SHOWN = [
    "title", "status", "format", "rounds", "late_entry", "third_place", "seeding", "lot_commitment", "starts_at",
    "registration_opens_at", "time_zone", "automatic", "min_field", "max_field", "variant", "options", "count_by",
    "target", "crawford", "first_move", "clock", "no_show_minutes", "entry", "fee", "added", "guarantee",
    "prize_weights", "abort_rule", "ranking", "difference_cap", "started_at", "ended_at", "created_by",
]  # fmt: skip
