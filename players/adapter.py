"""What the log-in does beyond allauth's own: a player's language and theme come along to a new device."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from players.preferences import remember_language, remember_theme


class AccountAdapter(DefaultAccountAdapter):
    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        response = super().post_login(request, user, **kwargs)
        if kwargs.get("signup"):
            user.language = get_language() or ""
            user.save(update_fields=["language"])
        if user.language:
            remember_language(response, user.language)
        if user.theme:
            remember_theme(response, user.theme)
        return response
