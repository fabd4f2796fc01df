"""Pages of tournaments. Every change is one call of tournaments.registration; directors work in the administration."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games import live
from games.errors import GameError
from games.pages import hides, user_id
from games.refusals import refusal
from ledger import book
from ledger.errors import LedgerError
from tournaments import drawing, export, life, pages, queries, registration, words
from tournaments.models import Tournament
from tournaments.shown_pool import pool_of, shown_pool
from tournaments.state import State, load
from tournaments.steps import S

REFUSALS = (GameError, LedgerError)
LISTED = 100
#: So many series of the present round on the first page of a large tournament; all are under "Rounds".
ROUND_SHOWN = 16
LEAD_SHOWN = 5


# --- List -------------------------------------------------------------------------------------------------------------


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """What is running, open, announced, and what has been."""
    found: list[Any] = list(queries.visible(request.user).order_by("-starts_at")[:LISTED])
    mine = set(queries.entered(request.user))
    rows = [
        {"t": t, "tag": words.STATUS_TAGS[t.status], "mine": t.pk in mine, "series": words.series_length(t),
         "pool": shown_pool(t, t.field, t.late), "places": t.max_field - t.field}
        for t in found
    ]  # fmt: skip
    current = [row for row in rows if row["t"].status in queries.UPCOMING or row["t"].status == S.DRAFT]
    current.sort(key=lambda row: (_rank(row["t"]), row["t"].starts_at))
    past = [row for row in rows if row["t"].status in (S.PAID, S.CANCELLED)]
    return render(request, "tournaments/list.html", {"current": current, "past": past})


def _rank(tournament: Tournament) -> int:
    return queries.UPCOMING.index(tournament.status) if tournament.status in queries.UPCOMING else 9  # type: ignore[arg-type]


# --- One tournament ---------------------------------------------------------------------------------------------------


def _page(request: HttpRequest, state: State, section: str, **context: Any) -> HttpResponse:
    """A section in the tournament's frame; with ?part, the section alone, for the script that keeps it fresh."""
    tournament = state.tournament
    own = pages.standing_of(state, request.user.pk)
    context |= {
        "t": tournament, "state": state, "section": section, "own": own, "field": len(state.entrants),
        "tag": words.STATUS_TAGS[tournament.status], "waits": pages.waits_for(state),
        "my_line": pages.mine(state, request.user.pk), "directs": queries.may_direct(request.user),
        "part": f"tournaments/part_{section}.html", "purse_currency": tournament.currency,
    }  # fmt: skip
    if "part" in request.GET:
        return render(request, "tournaments/part.html", context)
    if request.user.is_authenticated:
        context["token"] = live.make_token(user_id(request), [f"tournament:{tournament.pk}"])
    return render(request, "tournaments/tournament.html", context)


def _state(request: HttpRequest, tournament_id: int) -> State:
    return load(queries.tournament_for(request.user, tournament_id))


@hides
@require_safe
def overview(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Terms, prizes for the present field, what this reader can do, and the present round."""
    state = _state(request, tournament_id)
    own = pages.standing_of(state, request.user.pk)
    current = state.current
    shown = pages.round_lines(state, current.number) if current else []
    # In a bracket nobody leads before somebody has won it.
    leads = bool(state.rounds) and (not state.tournament.is_knockout or state.progress.finished)
    lead = pages.standings(state)[:LEAD_SHOWN] if leads else []
    return _page(
        request, state, "overview", terms=words.terms(state), prizes=pages.prize_table(state),
        pool=pool_of(state),
        may_register=pages.may_register(state.tournament, state, own), round=current, lines=shown[:ROUND_SHOWN],
        more=max(len(shown) - ROUND_SHOWN, 0), lead=lead, lot=_lot(state),
    )  # fmt: skip


def _lot(state: State) -> dict[str, Any] | None:
    """The lot for everybody to check: its commitment, and once registration has closed, its secret and all texts."""
    tournament = state.tournament
    if tournament.seeding != Tournament.Seeding.LOT or not tournament.lot_commitment:
        return None
    drawn = tournament.status not in (S.ANNOUNCED, S.REGISTRATION)
    secret = life.lot_seed(tournament).hex() if drawn else ""
    return {"commitment": tournament.lot_commitment, "secret": secret, "drawn": drawn}


@hides
@require_safe
def standings(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Places, each number a link to its arithmetic."""
    state = _state(request, tournament_id)
    rows = pages.standings(state) if state.seeded else []
    unranked = [] if state.tournament.is_knockout or not state.seeded else pages.unranked(state)
    return _page(request, state, "standings", rows=rows, columns=pages.columns(state), unranked=unranked)


@hides
@require_safe
def entrants(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Who takes part, in the order of the seeding or of registration."""
    state = _state(request, tournament_id)
    listed = sorted(state.entrants.values(), key=lambda e: (e.seed is None, e.seed or 0, e.registered_at))
    return _page(request, state, "entrants", listed=listed, lot=_lot(state))


@hides
@require_safe
def entrant(request: HttpRequest, tournament_id: int, entrant_id: int) -> HttpResponse:
    """One entrant: their series, and the arithmetic behind every number of their place."""
    state = _state(request, tournament_id)
    found = state.entrants.get(entrant_id)
    if found is None:
        raise Http404
    place = next((row for row in pages.standings(state) if row.entrant.pk == found.pk), None) if state.seeded else None
    arithmetic = pages.arithmetic(state, found) if state.rounds else []
    return _page(
        request, state, "entrant", entrant=found, way=pages.way(state, found), place=place, arithmetic=arithmetic
    )


@hides
@require_safe
def rounds(request: HttpRequest, tournament_id: int, number: int | None = None) -> HttpResponse:
    """The series of one round (the present one, if none is asked for), with tabs for all rounds."""
    state = _state(request, tournament_id)
    number = number or len(state.rounds)
    if number and not 1 <= number <= len(state.rounds):
        raise Http404
    return _page(
        request, state, "rounds", number=number, lines=pages.round_lines(state, number), free=pages.free(state, number)
    )


@hides
@require_safe
def bracket(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The bracket: a drawing on wide screens, and rounds with tabs everywhere."""
    state = _state(request, tournament_id)
    if not state.tournament.is_knockout or len(state.seeded) < 2:
        raise Http404
    number = len(state.rounds)
    return _page(
        request, state, "bracket", drawing=drawing.draw(state), number=number, lines=pages.round_lines(state, number)
    )


@hides
@require_safe
def cross_table(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Everybody against everybody in a round robin."""
    state = _state(request, tournament_id)
    if not state.tournament.is_round_robin or len(state.seeded) < 2:
        raise Http404
    return _page(request, state, "table", rows=pages.cross_table(state))


@hides
@require_safe
def money(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Where the money is: the pool, fees, added money and prizes; a person's own entries, all of them for operators."""
    state = _state(request, tournament_id)
    return _page(request, state, "money", **export.money(state, request.user))


@hides
@require_safe
def results_csv(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Standings and all series as a file, the same in every language."""
    state = _state(request, tournament_id)
    response = HttpResponse(export.results_csv(state), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="tournament-{tournament_id}.csv"'
    return response


@hides
@require_safe
def printable(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Everything on paper: standings and all rounds."""
    state = _state(request, tournament_id)
    all_rounds = [(row.number, pages.round_lines(state, row.number)) for row in state.rounds]
    context = {
        "t": state.tournament, "state": state, "rows": pages.standings(state) if state.seeded else [],
        "columns": pages.columns(state), "rounds": all_rounds, "field": len(state.entrants),
    }  # fmt: skip
    return render(request, "tournaments/print.html", context)


# --- What a player does -----------------------------------------------------------------------------------------------


@login_required
@hides
def register(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Registration: the sum in words first, then a button."""
    state = _state(request, tournament_id)
    tournament = state.tournament
    if request.method == "POST":
        try:
            registration.register(request.user, tournament_id)
        except REFUSALS as error:
            messages.error(request, refusal(error))
            return redirect("tournament", tournament_id)
        messages.success(request, _("You are registered for %(title)s.") % {"title": tournament.title})
        return redirect("tournament", tournament_id)
    own = pages.standing_of(state, request.user.pk)
    if not pages.may_register(tournament, state, own):
        return redirect("tournament", tournament_id)
    available = book.wallet(user_id(request), tournament.currency).available
    context = {
        "t": tournament, "available": available, "after": available - tournament.price,
        "enough": available >= tournament.price, "late": tournament.status == S.RUNNING,
        "purse_currency": tournament.currency, "span": words.span(tournament.no_show_minutes),
    }  # fmt: skip
    return render(request, "tournaments/register.html", context)


@login_required
@hides
@require_POST
def leave(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Leave before the start, or withdraw later."""
    try:
        found = registration.leave(request.user, tournament_id)
    except REFUSALS as error:
        messages.error(request, refusal(error))
    else:
        gone = found.status == found.Status.LEFT
        messages.info(
            request, _("You have left; what was blocked is free again.") if gone else _("You have withdrawn.")
        )
    return redirect("tournament", tournament_id)


@login_required
@hides
@require_POST
def seed(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """One's own text for the lot."""
    try:
        registration.set_seed(request.user, tournament_id, request.POST.get("seed", ""))
        messages.success(request, _("Your text for the lot is set."))
    except REFUSALS as error:
        messages.error(request, refusal(error))
    return redirect(reverse("tournament", args=[tournament_id]))
