"""Middleware of the project: the content security policy of the admin, the second factor and idle time-out of staff."""

from __future__ import annotations

import time
from collections.abc import Callable

from allauth.account.authentication import get_authentication_records
from allauth.mfa.utils import is_mfa_enabled
from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def _in_admin(request: HttpRequest) -> bool:
    return request.path_info.startswith("/admin/")


class ContentSecurityPolicy(CSPMiddleware):
    """The strict policy for all pages; the admin's theme (unfold: Alpine.js) alone needs eval and inline styles."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if _in_admin(request):
            parts.update = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]} | (parts.update or {})
        return parts


class StaffGuard:
    """The admin only opens to a session that was confirmed by a second factor and was not left idle.

    What counts is this session's own record of how the person logged in, not that a second factor exists: a session
    from before, or one made by a way round the log-in page, does not get in.
    """

    IDLE_S = 30 * 60
    KEY = "admin_used_at"

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if _in_admin(request) and request.user.is_authenticated and request.user.is_staff:
            refusal = self._idle(request) or self._second_factor(request)
            if refusal:
                return refusal
        return self.get_response(request)

    def _idle(self, request: HttpRequest) -> HttpResponse | None:
        now = int(time.time())
        used_at = request.session.get(self.KEY, now)
        if now - used_at > self.IDLE_S:
            logout(request)
            messages.info(request, _("You were logged out because the administration was not used for 30 minutes."))
            return _to_login(request)
        if used_at == now or now - used_at > 60:  # not a write at every click
            request.session[self.KEY] = now
        return None

    def _second_factor(self, request: HttpRequest) -> HttpResponse | None:
        if settings.DEMO or any(
            record.get("method") == "mfa" for record in get_authentication_records(request, request.user)
        ):
            return None
        if not is_mfa_enabled(request.user):
            messages.warning(
                request, _("Operators need a second factor. Set it up here, then open the administration.")
            )
            return redirect("mfa_index")
        logout(request)
        messages.warning(request, _("Log in again, with your second factor, to open the administration."))
        return _to_login(request)


def _to_login(request: HttpRequest) -> HttpResponse:
    return redirect(f"{reverse('account_login')}?next={request.path}")
