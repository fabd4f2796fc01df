"""What all API views share: log-in, throttles, and every refusal as `{"code", "message", "params"}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from moneyed import Money
from rest_framework import exceptions, status
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView, exception_handler

from games import errors, rules
from games.models import KEY_MAX
from games.queries import money_json
from games.refusals import refusal
from ledger.errors import LedgerError

#: Wrong in itself, whatever the state of the game or table; everything else that is refused is a conflict.
BAD_REQUESTS = (errors.BadTerms, errors.BadAction, errors.BadSeed, rules.PlayError, rules.BadOption)


class Throttle(UserRateThrottle):
    """Requests per person and process. Counted in memory: a broker that is down must not stop anybody's game."""

    rate = "600/min"
    cache = LocMemCache("api-throttle", {"MAX_ENTRIES": 100_000})


class OpeningThrottle(Throttle):
    """Opening tables, which others see."""

    scope = "opening"
    rate = "60/min"


class View(APIView):
    """Base of the API's views: the session's person, CSRF-checked."""

    authentication_classes = [SessionAuthentication]
    permission_classes = [IsAuthenticated]
    throttle_classes = [Throttle]


def refused(exc: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's exception handler: every refusal in one form. None: not a refusal, so it is our fault (500)."""
    if isinstance(exc, errors.GameError | rules.RuleError | LedgerError):
        body = {"code": exc.code, "message": refusal(exc), "params": _params_json(exc.params)}
        if isinstance(exc, errors.StaleVersion):
            body["game"] = exc.view.json
        return Response(body, status=_status(exc))
    if isinstance(exc, Http404):
        exc = exceptions.NotFound()
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    response = exception_handler(exc, context)
    if response is not None and isinstance(exc, exceptions.APIException):
        response.data = _described(exc)
    return response


def _status(error: Exception) -> int:
    if isinstance(error, errors.NotFound):
        return status.HTTP_404_NOT_FOUND
    return status.HTTP_400_BAD_REQUEST if isinstance(error, BAD_REQUESTS) else status.HTTP_409_CONFLICT


def _described(error: exceptions.APIException) -> dict[str, Any]:
    if isinstance(error, exceptions.ValidationError):
        return {
            "code": "bad_request",
            "message": _("Some fields are not as they must be."),
            "params": error.get_full_details(),
        }
    code = error.get_codes()
    return {"code": code if isinstance(code, str) else error.default_code, "message": str(error.detail), "params": {}}


def _params_json(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: money_json(value) if isinstance(value, Money) else _simple(value) for name, value in params.items()}


def _simple(value: Any) -> Any:
    return value if isinstance(value, str | int | bool | None) else str(value)


def asked_key(request: Request) -> str | None:
    """The client's idempotency key, 1 to 64 printable ASCII characters; None where none is sent. Raises ParseError."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not (1 <= len(key) <= KEY_MAX and key.isascii() and key.isprintable()):
        raise exceptions.ParseError(
            _("The Idempotency-Key is 1 to %(most)s printable ASCII characters; this one is not.") % {"most": KEY_MAX}
        )
    return key
