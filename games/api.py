"""The JSON API: exactly the actions of the pages (docs/api.md). Each view calls one function of the app or ledger."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound as NoSuchPage
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from games import export, live, queries, tables
from games.api_base import OpeningThrottle, View, asked_key
from games.api_fields import ActionRequest, PeriodRequest, SeedRequest, TermsRequest
from games.api_schema import (
    FairnessSchema,
    GameSchema,
    GameSummarySchema,
    HoldSchema,
    LiveSchema,
    QuoteSchema,
    RefusalSchema,
    StatementSchema,
    TableSchema,
    WalletSchema,
    refusals,
)
from games.models import KEY_MAX
from games.play import act
from games.rules.mat_writer import CannotWrite
from ledger import book, money
from players.models import Player

PAGE = 50
MAX_TOPICS = 20


def read(serializer: Any) -> Any:
    serializer.is_valid(raise_exception=True)
    return serializer


def me(request: Request) -> Player:
    """The person who asks; the permission classes have let nobody else through."""
    assert isinstance(request.user, Player)
    return request.user


def number(request: Request, name: str) -> int | None:
    """A whole number from the query string, or None where it is not given."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ParseError(f"{name} must be a whole number")
    return int(text)


# --- Tables -----------------------------------------------------------------------------------------------------------


class Tables(View):
    @extend_schema(summary="Open tables, newest first", responses=TableSchema(many=True))
    def get(self, request: Request) -> Response:
        return Response(queries.tables_json(queries.open_tables()[:PAGE], request.user))

    @extend_schema(summary="Open a table", request=TermsRequest, responses={201: TableSchema, **refusals(400, 409)})
    def post(self, request: Request) -> Response:
        terms = read(TermsRequest(data=request.data)).terms()
        table = tables.create_table(request.user, terms)
        return Response(queries.table_json(table, request.user), status=201)

    def get_throttles(self) -> Any:
        return [OpeningThrottle()] if self.request.method == "POST" else super().get_throttles()


class MyTables(View):
    @extend_schema(summary="Tables at which you sit", responses=TableSchema(many=True))
    def get(self, request: Request) -> Response:
        return Response(queries.tables_json(queries.my_tables(request.user), request.user))


class Quote(View):
    @extend_schema(
        summary="What a table on these terms would block",
        request=TermsRequest,
        responses={200: QuoteSchema, **refusals(400)},
    )
    def post(self, request: Request) -> Response:
        terms = read(TermsRequest(data=request.data)).terms()
        needed = terms.hold
        available = book.wallet(me(request).pk, needed.currency.code).available
        return Response({"hold": queries.money_json(needed), "available": queries.money_json(available)})


class Table(View):
    @extend_schema(summary="A table", responses={200: TableSchema, **refusals(404)})
    def get(self, request: Request, table_id: int) -> Response:
        table = queries.table_for(request.user, table_id)
        return Response(queries.table_json(table, request.user))


class TableAction(View):
    """Join, say Ready, leave: POST without a body. Saying it twice changes nothing or is refused."""

    actions = {"join": tables.join_table, "ready": tables.say_ready, "leave": tables.leave_table}

    @extend_schema(
        operation_id="tables_act", summary="Join, say Ready or leave", request=None,
        responses={200: TableSchema, **refusals(404, 409)},
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=list(actions))],
    )  # fmt: skip
    def post(self, request: Request, table_id: int, action: str) -> Response:
        if action not in self.actions:
            raise NoSuchPage
        table = self.actions[action](request.user, table_id)
        return Response(queries.table_json(table, request.user))


class Presence(View):
    @extend_schema(
        summary=f"Say that you are still at the table (every {tables.PING_S} s)",
        request=None,
        responses={204: None, **refusals(404)},
    )
    def post(self, request: Request, table_id: int) -> Response:
        tables.touch_presence(request.user, table_id)
        return Response(status=204)


class Seed(View):
    @extend_schema(
        summary="Set your own seed for the next game's dice",
        request=SeedRequest,
        responses={200: TableSchema, **refusals(400, 404, 409)},
    )
    def post(self, request: Request, table_id: int) -> Response:
        text = read(SeedRequest(data=request.data)).validated_data["seed"]
        return Response(queries.table_json(tables.set_seed(request.user, table_id, text), request.user))


# --- Games ------------------------------------------------------------------------------------------------------------


class Games(View):
    @extend_schema(
        summary="Your games, newest first",
        parameters=[OpenApiParameter("before", int, description="only games with a lower id: the next page")],
        responses=GameSummarySchema(many=True),
    )
    def get(self, request: Request) -> Response:
        found = queries.games_of(request.user)
        before = number(request, "before")
        if before is not None:
            found = found.filter(pk__lt=before)
        return Response([queries.game_summary_json(game, request.user) for game in found[:PAGE]])


class GameState(View):
    @extend_schema(
        summary="The present state of a game",
        parameters=[OpenApiParameter("since", int, description="only the events after this version")],
        responses={200: GameSchema, **refusals(404)},
    )
    def get(self, request: Request, game_id: int) -> Response:
        game = queries.game_for(request.user, game_id)
        return Response(queries.game_json(game, request.user, since=number(request, "since")))


class Actions(View):
    @extend_schema(
        summary="Act in a game",
        request=ActionRequest,
        parameters=[
            OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER, description=f"1 to {KEY_MAX} characters")
        ],
        responses={200: GameSchema, **refusals(400, 404), 409: RefusalSchema},
    )
    def post(self, request: Request, game_id: int) -> Response:
        asked = read(ActionRequest(data=request.data))
        view = act(request.user, game_id, asked.validated_data["version"], asked.action(), asked_key(request))
        return Response({**view.json, "applied": view.applied})


class Fairness(View):
    @extend_schema(
        summary="Everything needed to verify a game's dice", responses={200: FairnessSchema, **refusals(404)}
    )
    def get(self, request: Request, game_id: int) -> Response:
        return Response(queries.verification(queries.game_for(request.user, game_id)))


class Export(View):
    """A game that is over as a file: `mat` (Jellyfish/GNU transcript) or `record` (our own text: every variant, and
    void games too)."""

    @extend_schema(
        summary="A game that is over as a file",
        responses={(200, "text/plain"): OpenApiTypes.STR, **refusals(404, 409)},
        parameters=[OpenApiParameter("form", str, OpenApiParameter.PATH, enum=list(export.FORMS))],
    )
    def get(self, request: Request, game_id: int, form: str) -> HttpResponse | Response:
        game = queries.game_for(request.user, game_id)
        try:
            name, text = export.as_file(game, form)
        except CannotWrite as error:
            return Response({"code": error.code, "message": str(error), "params": error.params}, status=409)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


class Live(View):
    @extend_schema(
        summary="A pass for the live stream (/live/?token=…)",
        parameters=[OpenApiParameter("topic", str, many=True, description="game:12, table:5, lobby")],
        responses={200: LiveSchema, **refusals(404)},
    )
    def get(self, request: Request) -> Response:
        topics = request.query_params.getlist("topic")[:MAX_TOPICS]
        queries.check_topics(request.user, topics)
        return Response({"token": live.make_token(me(request).pk, topics), "versions": live.versions(topics)})


# --- Money ------------------------------------------------------------------------------------------------------------


class Wallets(View):
    @extend_schema(summary="Your wallets", responses=WalletSchema(many=True))
    def get(self, request: Request) -> Response:
        return Response([queries.wallet_json(wallet) for wallet in book.wallets(me(request).pk)])


class Statement(View):
    @extend_schema(
        summary="Movements of one wallet, oldest first",
        parameters=[PeriodRequest],
        responses={200: StatementSchema, **refusals(404)},
    )
    def get(self, request: Request, currency: str) -> Response:
        if currency not in money.CURRENCIES:
            raise NoSuchPage
        period = read(PeriodRequest(data=request.query_params)).validated_data
        found = book.statement(me(request).pk, currency, period["start"], period["end"], after=period["cursor"])
        return Response(queries.statement_json(found))


class Holds(View):
    @extend_schema(
        summary="Your blocked money, newest first",
        parameters=[OpenApiParameter("all", bool, description="resolved holds too")],
        responses=HoldSchema(many=True),
    )
    def get(self, request: Request) -> Response:
        found = book.holds(me(request).pk, open_only=request.query_params.get("all") not in ("1", "true"))
        return Response([queries.hold_json(hold) for hold in found])
