"""Log-in beyond allauth's own: language and theme come along to a new device, newcomers get play chips."""

from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from ledger import book, money
from players.preferences import remember_language, remember_theme

#: Everybody can try the site at once: play chips are worth nothing and cost nothing.
WELCOME_CHIPS = money.money(1000, money.PLAY_CHIPS)


def name_tried(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """The name that a failed log-in counts for: log-in does not look at case, so the count must not either."""
    name = (credentials or {}).get("username") or request.POST.get("login", "")
    return str(name).strip().casefold()[:150]


class AccountAdapter(DefaultAccountAdapter):
    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        response = super().post_login(request, user, **kwargs)
        if kwargs.get("signup"):
            user.language = get_language() or ""
            user.save(update_fields=["language"])
            with transaction.atomic():
                book.grant_play_chips(f"welcome:{user.pk}", user.pk, WELCOME_CHIPS, None, "welcome")
        if user.language:
            remember_language(response, user.language)
        if user.theme:
            remember_theme(response, user.theme)
        return response
