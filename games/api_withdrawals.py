"""Withdrawals by the API: ask, see, take back (docs/api.md). Money leaves only when an operator has approved."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound as NoSuchPage
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.api import me, read
from games.api_base import View, asked_key
from games.api_fields import MoneyField
from games.api_schema import refusals
from games.models import KEY_MAX
from ledger import book
from ledger.errors import ProposalNotFound


class WithdrawalRequest(serializers.Serializer):  # type: ignore[type-arg]
    """`to`: card or account, as agreed with the operators."""

    amount = MoneyField()
    to = serializers.CharField(max_length=200)


class WithdrawalSchema(serializers.Serializer):  # type: ignore[type-arg]
    id = serializers.IntegerField()
    amount = MoneyField()
    to = serializers.CharField()
    state = serializers.ChoiceField(["open", "approved", "rejected", "cancelled"])
    asked_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)
    decision_reason = serializers.CharField(allow_blank=True)
    entry = serializers.IntegerField(allow_null=True)


class Withdrawals(View):
    @extend_schema(summary="Your withdrawals, newest first", responses=WithdrawalSchema(many=True))
    def get(self, request: Request) -> Response:
        return Response([_json(one) for one in book.withdrawals(me(request).pk)])

    @extend_schema(
        summary="Ask for a withdrawal; needs the header Idempotency-Key", request=WithdrawalRequest,
        responses={201: WithdrawalSchema, **refusals(400, 409)},
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        key, asked = asked_key(request), read(WithdrawalRequest(data=request.data)).validated_data
        if key is None:
            raise ParseError(f"send an Idempotency-Key of 1 to {KEY_MAX} characters: a repeated request is then one")
        owner = me(request).pk
        with transaction.atomic():
            made = book.request_withdrawal(f"withdraw:{owner}:{key}", owner, asked["amount"], owner, asked["to"])
        return Response(_json(made), status=201)


class Withdrawal(View):
    @extend_schema(
        summary="Take back a withdrawal that is not decided yet", request=None,
        responses={200: WithdrawalSchema, **refusals(404, 409)},
    )  # fmt: skip
    def post(self, request: Request, withdrawal_id: int) -> Response:
        try:
            with transaction.atomic():
                return Response(_json(book.cancel(withdrawal_id, me(request).pk)))
        except ProposalNotFound as error:
            raise NoSuchPage from error


def _json(one: book.ProposalView) -> dict[str, Any]:
    return {
        "id": one.id,
        "amount": queries.money_json(one.amount),
        "to": one.reason,
        "state": one.state,
        "asked_at": one.proposed_at.isoformat(),
        "decided_at": one.decided_at and one.decided_at.isoformat(),
        "decision_reason": one.decision_reason,
        "entry": one.entry_id,
    }
