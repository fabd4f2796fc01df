"""What all API views share: log-in, throttles, and every refusal as `{"code", "message", "params"}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.http import Http404
from django.utils.translation import gettext as _
from moneyed import Money
from rest_framework import exceptions, status
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from games import errors, rules
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
    """Opening and joining tables, which others see."""

    scope = "opening"
    rate = "60/min"


class View(APIView):
    """Base of the API's views: the session's person, CSRF-checked."""

    authentication_classes = [SessionAuthentication]
    permission_classes = [IsAuthenticated]
    throttle_classes = [Throttle]

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, errors.GameError | rules.RuleError | LedgerError):
            return _refused(exc)
        if isinstance(exc, Http404):
            exc = exceptions.NotFound()
        if isinstance(exc, exceptions.APIException):
            # Django knows no name for a person who is not logged in, so DRF would answer 403 without saying why.
            response = super().handle_exception(exc)
            response.data = _described(exc)
            return response
        return super().handle_exception(exc)


def _refused(error: errors.GameError | rules.RuleError | LedgerError) -> Response:
    body = {"code": error.code, "message": refusal(error), "params": _plain(error.params)}
    if isinstance(error, errors.StaleVersion):
        body["game"] = error.view.json
    return Response(body, status=_status(error))


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


def _plain(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: money_json(value) if isinstance(value, Money) else _simple(value) for name, value in params.items()}


def _simple(value: Any) -> Any:
    return value if isinstance(value, str | int | bool | None) else str(value)


def asked_key(request: Request) -> str | None:
    """The client's idempotency key."""
    return request.headers.get("Idempotency-Key") or None
