"""The JSON API of tournaments: read everything, register, withdraw; the same values and refusals as the pages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from moneyed import Money
from rest_framework import serializers as s
from rest_framework.exceptions import NotFound as NoSuchPage
from rest_framework.request import Request
from rest_framework.response import Response

from games.api_base import View
from games.api_fields import MoneyField
from games.api_schema import PlayerSchema, refusals
from games.queries import money_json, player_json
from tournaments import pages, queries, registration
from tournaments.models import Entrant, Tournament
from tournaments.shown_pool import pool_of, shown_pool
from tournaments.state import State, load

PAGE = 100


class PrizeSchema(s.Serializer):  # type: ignore[type-arg]
    place = s.IntegerField()
    amount = MoneyField()


class TournamentSchema(s.Serializer):  # type: ignore[type-arg]
    id = s.IntegerField()
    version = s.IntegerField()
    title = s.CharField()
    format = s.ChoiceField(Tournament.Format.choices)
    status = s.ChoiceField(Tournament.Status.choices)
    paused = s.BooleanField()
    starts_at = s.DateTimeField()
    time_zone = s.CharField()
    variant = s.CharField()
    options = s.DictField()
    series = s.DictField(help_text="count_by, target, crawford, clock")
    entry = MoneyField()
    fee = MoneyField()
    pool = MoneyField(help_text="before the start for the present field, at least the smallest")
    entrants = s.IntegerField()
    min_field = s.IntegerField()
    max_field = s.IntegerField()


class TournamentDetailSchema(TournamentSchema):
    rounds_planned = s.IntegerField()
    rounds_paired = s.IntegerField()
    prizes = PrizeSchema(many=True)
    you = s.DictField(allow_null=True, help_text="your entry; `table`: where you have to play now")


class EntrantSchema(s.Serializer):  # type: ignore[type-arg]
    id = s.IntegerField()
    player = PlayerSchema()
    seed = s.IntegerField(allow_null=True)
    status = s.ChoiceField(Entrant.Status.choices)


class StandingSchema(s.Serializer):  # type: ignore[type-arg]
    place = s.IntegerField()
    last_place = s.IntegerField()
    entrant = s.IntegerField()
    player = PlayerSchema()
    numbers = s.ListField(help_text="key, value, formula, terms: the arithmetic behind the place")
    prize = MoneyField(allow_null=True)


class PairingSchema(s.Serializer):  # type: ignore[type-arg]
    id = s.IntegerField()
    number = s.IntegerField()
    first = s.IntegerField()
    second = s.IntegerField(allow_null=True)
    outcome = s.CharField(help_text="open, played, forfeit, double_forfeit, bye")
    winner = s.IntegerField(allow_null=True)
    score = s.CharField()
    deadline = s.DateTimeField(allow_null=True)
    reason = s.CharField()


def _json(tournament: Tournament, field: int, pool: Money) -> dict[str, Any]:
    return {
        "id": tournament.pk, "version": tournament.version, "title": tournament.title, "format": tournament.format,
        "status": tournament.status, "paused": tournament.paused_at is not None,
        "starts_at": tournament.starts_at.isoformat(), "time_zone": tournament.time_zone,
        "variant": tournament.variant, "options": tournament.options,
        "series": {
            "count_by": tournament.count_by, "target": tournament.target, "crawford": tournament.crawford,
            "clock": tournament.clock,
        },
        "entry": money_json(tournament.entry_money), "fee": money_json(tournament.fee_money),
        "pool": money_json(pool),
        "entrants": field, "min_field": tournament.min_field, "max_field": tournament.max_field,
    }  # fmt: skip


def _entrant_json(entrant: Entrant) -> dict[str, Any]:
    return {"id": entrant.pk, "player": player_json(entrant.player), "seed": entrant.seed, "status": entrant.status}


def _you(state: State, viewer: Any) -> dict[str, Any] | None:
    own = pages.standing_of(state, viewer.pk)
    if own is None:
        return None
    line = pages.mine(state, viewer.pk)
    deadline = line.deadline.isoformat() if line and line.deadline else None
    return {**_entrant_json(own), "table": line.table_id if line else None, "deadline": deadline}


class Tournaments(View):
    @extend_schema(summary="Tournaments, the latest first", responses=TournamentSchema(many=True))
    def get(self, request: Request) -> Response:
        found: list[Any] = list(queries.visible(request.user).order_by("-starts_at")[:PAGE])
        return Response([_json(one, one.field, shown_pool(one, one.field, one.late)) for one in found])


class _Loaded(View):
    def state(self, request: Request, tournament_id: int) -> State:
        return load(queries.tournament_for(request.user, tournament_id))

    def answer(self, request: Request, tournament_id: int) -> Response:
        state = self.state(request, tournament_id)
        return Response(
            {
                **_json(state.tournament, len(state.entrants), pool_of(state)),
                "rounds_planned": state.rounds_planned,
                "rounds_paired": len(state.rounds),
                "prizes": [{"place": p.place, "amount": money_json(p.amount)} for p in pages.prize_table(state)],
                "you": _you(state, request.user),
            }
        )


class TournamentState(_Loaded):
    @extend_schema(summary="A tournament", responses={200: TournamentDetailSchema, **refusals(404)})
    def get(self, request: Request, tournament_id: int) -> Response:
        return self.answer(request, tournament_id)


class Entrants(_Loaded):
    @extend_schema(summary="Who takes part", responses={200: EntrantSchema(many=True), **refusals(404)})
    def get(self, request: Request, tournament_id: int) -> Response:
        state = self.state(request, tournament_id)
        return Response([_entrant_json(entrant) for entrant in state.entrants.values()])


class Standings(_Loaded):
    @extend_schema(
        summary="Places with the arithmetic behind them", responses={200: StandingSchema(many=True), **refusals(404)}
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        state = self.state(request, tournament_id)
        return Response(_standings(state) if state.seeded else [])


def _standings(state: State) -> list[dict[str, Any]]:
    won, first, rows = pages.prize_by_entrant(state), 1, []
    numbers = {} if state.tournament.is_knockout else {row.entrant: row.numbers for row in state.standings.rows}
    for group in state.groups:
        for pk in group:
            rows.append({
                "place": first, "last_place": first + len(group) - 1, "entrant": pk,
                "player": player_json(state.entrants[pk].player),
                "numbers": [_number(number) for number in numbers.get(pk, ())], "prize": money_json(won.get(pk)),
            })  # fmt: skip
        first += len(group)
    return rows


def _number(number: Any) -> dict[str, Any]:
    terms = [
        {"round": term.round, "opponent": term.opponent, "how": term.how, "amount": str(term.amount),
         "times": term.times, "counts": term.counts}
        for term in number.terms
    ]  # fmt: skip
    return {"key": number.key, "value": str(number.value), "formula": number.formula(), "terms": terms}


class Round(_Loaded):
    @extend_schema(summary="The series of a round", responses={200: PairingSchema(many=True), **refusals(404)})
    def get(self, request: Request, tournament_id: int, number: int) -> Response:
        state = self.state(request, tournament_id)
        if not 1 <= number <= len(state.rounds):
            raise NoSuchPage
        return Response([_line(line) for line in pages.round_lines(state, number)])


def _line(line: pages.Line) -> dict[str, Any]:
    pairing = line.pairing
    return {
        "id": pairing.pk, "number": pairing.number, "first": pairing.first_id, "second": pairing.second_id,
        "outcome": pairing.outcome or "open", "winner": pairing.winner_id, "score": line.score,
        "deadline": line.deadline.isoformat() if line.deadline else None, "reason": pairing.reason,
    }  # fmt: skip


class Register(_Loaded):
    @extend_schema(
        summary="Register: entry and fee are blocked",
        request=None,
        responses={200: TournamentDetailSchema, **refusals(404, 409)},
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        registration.register(request.user, tournament_id)
        return self.answer(request, tournament_id)


class Withdraw(_Loaded):
    @extend_schema(
        summary="Leave before the start, or withdraw from a running tournament",
        request=None,
        responses={200: TournamentDetailSchema, **refusals(404, 409)},
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        registration.leave(request.user, tournament_id)
        return self.answer(request, tournament_id)
