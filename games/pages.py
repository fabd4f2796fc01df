"""What the page views of this app share: JSON in and out, refusals as answers, not-yours as 404."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from games import json_body
from games.errors import GameError, NotFound
from games.refusals import refusal
from games.rules import RuleError
from ledger.errors import LedgerError

View = Callable[..., HttpResponse]
REFUSALS = (GameError, RuleError, LedgerError)


def hides(view: View) -> View:
    """What is not there, and what is not this person's, answer alike: 404."""

    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotFound as error:
            raise Http404 from error

    return wrapped


def json_only(view: View) -> View:
    """For scripts: a person who is logged out gets 401 in words instead of the log-in page."""

    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return JsonResponse({"message": _("You are logged out. Log in again to go on.")}, status=401)
        return view(request, *args, **kwargs)

    return hides(wrapped)


def user_id(request: HttpRequest) -> int:
    """The id of the person who is logged in; only behind a guard that lets nobody else through."""
    if request.user.pk is None:
        raise TypeError("nobody is logged in")
    return request.user.pk


def body(request: HttpRequest) -> dict[str, Any]:
    """The JSON object that a script has sent; an empty one if it is torn, so that every field is then missing."""
    try:
        data = json_body.read(request.body)
    except json_body.BadJson:
        return {}
    return data if isinstance(data, dict) else {}


def refused(error: Exception, status: int = 422, **more: Any) -> JsonResponse:
    """An answer that says why not; nothing has changed."""
    return JsonResponse({"code": getattr(error, "code", ""), "message": refusal(error), **more}, status=status)
