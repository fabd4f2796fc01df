"""The operator's view of tables, games and settlement: read-only but for settlement (retry, pause) and voiding.

Dice seeds are not here on purpose: nobody reads a server seed before its game is over (games.dice).
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import ActionForm
from unfold.widgets import UnfoldAdminTextInputWidget

from games import settle, wake
from games.interrupt import void_game
from games.models import Game, SettlementPause, Table
from games.start import reference
from games.words import (
    KINDS,
    REASONS,
    SETTLEMENTS,
    SIDES,
    STATUSES,
    VARIANTS,
    named,
    result_words,
    variant_name,
)
from ledger import book, money
from ledger.admin.lists import ReadOnly, once
from players.models import Player

NONE = "–"
MOST_GAMES = 100


def link(model: str, pk: int | None, text: str) -> SafeString | str:
    """A link to a row's admin page ("ledger_entry": the app and the model), or the text alone where it has none."""
    try:
        address = reverse(f"admin:{model}_change", args=[pk])
    except NoReverseMatch:
        return text
    return format_html('<a href="{}">{}</a>', address, text)


CURRENCIES: list[tuple[str, str]] = [(code, code) for code in money.CURRENCIES]


def _statuses(model: type[Table | Game]) -> list[tuple[str, Any]]:
    return [(status, STATUSES[status]) for status in model.Status.values]


class InWords(ReadOnly):
    """Tables and games show what they are in words; filters and addresses keep the codes."""

    @admin.display(description=_("status"))
    def status_text(self, row: Table | Game) -> str:
        return str(STATUSES[row.status])

    @admin.display(description=_("variant"))
    def variant_text(self, row: Table | Game) -> str:
        return variant_name(row.variant)


@admin.register(Table)
class TableAdmin(InWords):
    list_display = ["id", "status_text", "variant_text", "stake_text", "white", "black", "source", "created_at"]
    list_filter = ["status", "source", "variant", "stake_currency"]
    filter_choices = {
        "status": lambda: _statuses(Table),
        "variant": lambda: named(VARIANTS),
        "stake_currency": lambda: CURRENCIES,
    }
    narrow_filters = {"status": {"open", "playing", "between"}}
    window = 5_000  # of rows as wide as these
    list_select_related = ["white", "black"]
    time_field = "created_at"
    search_owner = ("white_id", "black_id")
    search_help_text = _("A table's id, or a player's name or id")
    fields = [
        "status_text", "close_reason", "white", "black", "white_ready", "black_ready", "white_seen_at", "black_seen_at",
        "variant_text", "options", "rules_version", "stake_text", "hold_text", "rake_percent", "rake_cap", "clock",
        "first_move", "series_length", "commitment", "games_played", "source", "created_at", "changed_at",
    ]  # fmt: skip
    readonly_fields = fields

    @admin.display(description=_("stake"), ordering="stake")
    def stake_text(self, table: Table) -> str:
        return money.text(table.stake_money)

    @admin.display(description=_("hold of each player"))
    def hold_text(self, table: Table) -> str:
        return money.text(table.hold)

    @admin.display(description=_("commitment to the next game's dice"))
    @once
    def commitment(self, table: Table) -> str:
        return table.seeds.commitment if table.seeds else NONE

    @admin.display(description=_("games"))
    @once
    def games_played(self, table: Table) -> SafeString | str:
        """The newest hundred of them: a series without an agreed length has no end."""
        newest = table.games.order_by("-number")[: MOST_GAMES + 1]
        links = [(link("games_game", game.pk, str(game)),) for game in reversed(newest[:MOST_GAMES])]
        shown = format_html_join(", ", "{}", links)
        return format_html("… {}", shown) if len(newest) > MOST_GAMES else shown or NONE


class ReasonForm(ActionForm):  # type: ignore[misc]
    """The list's action, with the reason that voiding a game needs."""

    reason = forms.CharField(
        label="", required=False, max_length=200, widget=UnfoldAdminTextInputWidget({"placeholder": _("reason")})
    )


@admin.register(Game)
class GameAdmin(InWords):
    list_display = [
        "id", "status_text", "variant_text", "stake_text", "white", "black", "outcome", "settlement_text",
        "finished_at",
    ]  # fmt: skip
    list_filter = ["status", "settlement", "variant", "stake_currency", "kind", "reason"]
    filter_choices = {
        "status": lambda: _statuses(Game),
        "settlement": lambda: list(SETTLEMENTS.items()),
        "variant": lambda: named(VARIANTS),
        "stake_currency": lambda: CURRENCIES,
        "kind": lambda: named(KINDS),
        "reason": lambda: named(REASONS),
    }
    narrow_filters = {"status": {"playing"}, "settlement": {"pending", "parked"}}
    window = 5_000
    list_select_related = ["white", "black"]
    time_field = "created_at"
    search_owner = ("white_id", "black_id")
    search_help_text = _("A game's id, or a player's name or id")
    actions = ["retry", "void"]
    action_form = ReasonForm
    fields = [
        "table_link", "number", "status_text", "white", "black", "starter", "outcome", "settlement_text",
        "settlement_note", "settled_at", "entries", "holds", "stake_text", "hold_text", "rake_percent", "rake_cap",
        "variant_text", "options",
        "rules_version", "clock", "white_ms", "black_ms", "running", "deadline", "commitment", "import_details",
        "version", "created_at", "finished_at", "events_text",
    ]  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return super().get_queryset(request).defer("state")  # wide, and not shown

    def has_settle_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.operate_settlement")

    @admin.action(description=_("Try to settle parked games again"), permissions=["settle"])
    def retry(self, request: HttpRequest, games: QuerySet[Game]) -> None:
        parked = list(games.filter(settlement=Game.Settlement.PARKED))
        number = settle.retry_parked([game.pk for game in parked])
        for game in parked:
            self.log_change(request, game, "settlement to be tried again")
        wake.settlement()
        text = ngettext("%d game will be settled again.", "%d games will be settled again.", number) % number
        self.message_user(request, text, messages.SUCCESS if number else messages.WARNING)

    @admin.action(description=_("Declare running games void (say the reason)"), permissions=["settle"])
    def void(self, request: HttpRequest, games: QuerySet[Game]) -> None:
        reason = request.POST.get("reason", "").strip()[:200]
        if not reason:
            self.message_user(request, _("Say the reason: it is kept with the game."), messages.ERROR)
            return
        assert isinstance(request.user, Player)
        number = 0
        for game in games.filter(status=Game.Status.PLAYING):
            if void_game(request.user, game.pk, reason):
                self.log_change(request, game, f"declared void: {reason}")
                number += 1
        text = ngettext("%d game was declared void.", "%d games were declared void.", number) % number
        self.message_user(request, text, messages.SUCCESS if number else messages.WARNING)

    @admin.display(description=_("table"))
    @once
    def table_link(self, game: Game) -> SafeString | str:
        return link("games_table", game.table_id, f"table {game.table_id}")

    @admin.display(description=_("stake"), ordering="stake")
    def stake_text(self, game: Game) -> str:
        return money.text(game.stake_money)

    @admin.display(description=_("hold of each player"))
    def hold_text(self, game: Game) -> str:
        return money.text(game.hold)

    @admin.display(description=_("result"))
    def outcome(self, game: Game) -> str:
        if not game.is_over:
            return NONE
        result = result_words(game)
        if not game.winner:
            return result
        won = {"side": SIDES[game.winner], "result": result, "factor": game.factor, "cube": game.cube}
        paid = {"loss": money.text(game.loss), "rake": money.text(settle.rake_for(game))}
        return gettext("%(side)s – %(result)s, %(factor)s × %(cube)s: %(loss)s, rake %(rake)s") % (won | paid)

    @admin.display(description=_("settlement"))
    def settlement_text(self, game: Game) -> str:
        return str(SETTLEMENTS[game.settlement])

    @admin.display(description=_("entries in the ledger"))
    @once
    def entries(self, game: Game) -> SafeString | str:
        found = book.entries_for(reference(game.pk))
        links = [(link("ledger_entry", entry.id, f"entry {entry.id}"), entry.kind) for entry in found]
        return format_html_join(", ", "{} ({})", links) if links else NONE

    @admin.display(description=_("holds in the ledger"))
    @once
    def holds(self, game: Game) -> SafeString | str:
        found = book.holds_for(reference(game.pk))
        rows = [
            (
                link("ledger_hold", hold.id, f"hold {hold.id}"),
                money.text(hold.amount),
                hold.state,
                money.text(hold.captured),
            )
            for hold in found
        ]
        return format_html_join(", ", "{}: {}, {}, captured {}", rows) if rows else NONE

    @admin.display(description=_("commitment to the dice"))
    @once
    def commitment(self, game: Game) -> str:
        return game.seeds.commitment if game.seeds else NONE

    @admin.display(description=_("events"))
    @once
    def events_text(self, game: Game) -> SafeString:
        rows = [
            (event.seq, event.at.strftime("%Y-%m-%d %H:%M:%S"), event.side or "server", _event_text(event.event))
            for event in game.events.order_by("seq")
        ]
        return format_html(
            "<table>{}</table>", format_html_join("", "<tr><td>{}<td>&emsp;{}<td>&emsp;{}<td>&emsp;{}</tr>", rows)
        )


def _event_text(event: dict[str, Any]) -> str:
    given = ", ".join(str(value) for name, value in event.items() if name != "type")
    return f"{event['type']} {given}".strip()


@admin.register(SettlementPause)
class SettlementPauseAdmin(ModelAdmin):  # type: ignore[misc]
    """One row: pause or resume settlement, with a reason."""

    list_display = ["__str__", "reason", "by", "changed_at"]
    fields = ["paused", "reason", "by", "changed_at"]
    readonly_fields = ["by", "changed_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[SettlementPause]:
        SettlementPause.objects.get_or_create(pk=1)
        return super().get_queryset(request)  # type: ignore[no-any-return]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type[ModelForm]:  # type: ignore[type-arg]
        form = super().get_form(request, obj, change, **kwargs)
        if "reason" in form.base_fields:
            form.base_fields["reason"].required = True
        return form  # type: ignore[no-any-return]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) or self.has_change_permission(request, obj)  # type: ignore[no-any-return]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("games.operate_settlement")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: SettlementPause, form: Any, change: bool) -> None:
        change_to = settle.pause if obj.paused else settle.resume
        assert isinstance(request.user, Player)
        change_to(request.user, obj.reason)
        wake.settlement()
