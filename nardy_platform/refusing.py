"""Answers to requests that reach no view, or that a view could not answer: JSON under /api/, else a styled page."""

from __future__ import annotations

import logging
from collections.abc import Callable
from urllib.parse import unquote_plus

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import defaults

GetResponse = Callable[[HttpRequest], HttpResponseBase]
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
logger = logging.getLogger("nardy.refused")


def for_programs(request: HttpRequest) -> bool:
    """Whether a program asks, which reads JSON."""
    return request.path_info.startswith("/api/")


def refusal(status: int, code: str, message: str) -> JsonResponse:
    """The API's one form of a refusal (docs/api.md)."""
    return JsonResponse({"code": code, "message": message, "params": {}}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400."""
    if for_programs(request):
        said = str(exception) if isinstance(exception, BadRequest) else _("This request cannot be read.")
        return refusal(400, "bad_request", said)
    return defaults.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler403."""
    if for_programs(request):
        return refusal(403, "permission_denied", _("You may not do this."))
    return defaults.permission_denied(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler404."""
    if for_programs(request):
        return refusal(404, "not_found", _("There is no such page."))
    return defaults.page_not_found(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """handler500; the log has the reason."""
    if for_programs(request):
        return refusal(
            500,
            "server_error",
            _("Something broke on our side. Nothing is known to have changed: look, then try again."),
        )
    return defaults.server_error(request)


class StrangeRequests:
    """Refuses NUL characters, which no database stores, and gives an empty 405 its words."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content and not for_programs(request):
            page = render(request, "405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        return response

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Raises BadRequest, which becomes the page or JSON of 400."""
        texts = [request.path_info, unquote_plus(request.META.get("QUERY_STRING", ""))]
        if request.method == "POST" and request.content_type in FORMS:
            texts += [text for name in request.POST for text in (name, *request.POST.getlist(name))]
        if any("\0" in text for text in texts):
            raise BadRequest(_("The request holds a NUL character, which no text here can."))
