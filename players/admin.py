"""People, to look up: their names, and the way to their accounts and games. Nothing is changed here.

Passwords and e-mail addresses belong to the people themselves: whoever could change them could play as somebody else.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from ledger.admin.lists import BoundedPaginator, ReadOnly
from players.models import Name, Player
from players.skeleton import skeleton

#: Keys to other people's accounts, and records of log-ins. Whatever rights a group is given, these are not for it.
FOR_SUPERUSERS = (EmailAddress, Authenticator, Group, AccessAttempt, AccessFailureLog, AccessLog)


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    list_display = ["id", "username", "display_name", "role", "date_joined", "last_login", "is_active"]
    list_filter = ["is_staff", "is_active", "groups"]
    filter_choices = {"groups": lambda: Group.objects.values_list("pk", "name")}
    narrow_filters = {"is_staff": {"1"}, "is_active": {"0"}, "groups": ...}
    sortable_by = ("id", "username")
    search_help_text = _("A player's id, or the beginning of a name")
    fields = readonly_fields = [
        "id", "username", "display_name", "namespace", "role", "is_active", "date_joined", "last_login", "leads_to",
    ]  # fmt: skip

    def matches(self, rows: QuerySet[Player], term: str) -> list[QuerySet[Player]]:
        """By id, and by how a name begins: of people as it looks (players.skeleton), of others as it is written."""
        look = skeleton(term)
        alike = Name.objects.filter(skeleton__startswith=look) if look else Name.objects.none()
        named = [rows.filter(pk__in=alike.values("player_id")), rows.filter(username__startswith=term)]
        return super().matches(rows, term) + named

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return super().get_queryset(request).prefetch_related("groups")

    @admin.display(description=_("role"))
    def role(self, player: Player) -> str:
        names = [group.name for group in player.groups.all()] if player.is_staff else []
        return ", ".join(["superuser"] * player.is_superuser + names) or "–"

    @admin.display(description=_("accounts and games"))
    def leads_to(self, player: Player) -> SafeString:
        return format_html(
            '<a href="{}?{}">{}</a> · <a href="{}?{}">{}</a>',
            reverse("admin:ledger_account_changelist"), urlencode({"q": player.username}), _("accounts"),
            reverse("admin:games_game_changelist"), urlencode({"q": player.username}), _("games"),
        )  # fmt: skip


class SuperusersOnly:
    """Mixed into the admin classes of other apps. Records of log-ins grow for ever, so they are not all counted."""

    paginator = BoundedPaginator
    show_full_result_count = False

    def _allowed(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)  # type: ignore[union-attr]

    has_view_permission = has_change_permission = has_delete_permission = has_module_permission = _allowed

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._allowed(request) and super().has_add_permission(request)  # type: ignore[misc]


for model in FOR_SUPERUSERS:  # their apps come before this one in INSTALLED_APPS, so they are registered by now
    theirs = type(admin.site.get_model_admin(model))
    admin.site.unregister(model)
    admin.site.register(model, type(theirs.__name__, (SuperusersOnly, theirs), {}))
