"""The page on which a director runs a tournament: what blocks it, every step, and every decision with its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games.errors import GameError
from games.refusals import refusal
from ledger import book
from ledger.errors import LedgerError
from tournaments import advance, direct, life, pages, purse, queries, rounds, words
from tournaments.core.errors import TournamentError
from tournaments.errors import PairingStopped
from tournaments.models import Entrant, Tournament
from tournaments.state import State, load
from tournaments.steps import S

REFUSALS = (GameError, LedgerError, TournamentError)
LOG_SHOWN = 50

Do = Callable[[int, Any, Any], object]


def _number(data: Any, name: str) -> int:
    text = str(data.get(name, ""))
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


#: action -> what it does with (tournament, form, director)
ACTIONS: dict[str, Do] = {
    "announce": lambda pk, form, who: life.announce(pk, who),
    "open_registration": lambda pk, form, who: life.open_registration(pk, who),
    "close_registration": lambda pk, form, who: life.close_registration(pk, who),
    "start": lambda pk, form, who: life.start(pk, who),
    "finish": lambda pk, form, who: life.finish(pk, who, form.get("reason", "")),
    "pay": lambda pk, form, who: life.pay(pk, who),
    "cancel": lambda pk, form, who: life.cancel(pk, who, form.get("reason", "")),
    "pause": lambda pk, form, who: direct.pause(pk, form.get("reason", ""), who),
    "resume": lambda pk, form, who: direct.resume(pk, form.get("reason", ""), who),
    "past_half": lambda pk, form, who: direct.allow_past_half(pk, form.get("reason", ""), who),
    "withdraw": lambda pk, form, who: direct.withdraw(pk, _number(form, "entrant"), form.get("reason", ""), who),
    "forfeit": lambda pk, form, who: direct.forfeit(
        pk, _number(form, "pairing"), form.get("loser", ""), form.get("reason", ""), who
    ),
    "extend": lambda pk, form, who: direct.extend(
        pk, _number(form, "pairing"), _number(form, "minutes"), form.get("reason", ""), who
    ),
    "correct": lambda pk, form, who: direct.correct(
        pk, _number(form, "pairing"), form.get("winner", ""),
        (_number(form, "first_score"), _number(form, "second_score")), form.get("reason", ""), who,
    ),
}  # fmt: skip

#: action -> the field that must be one of these
CHOICES = {"forfeit": ("loser", ("first", "second", "both")), "correct": ("winner", ("first", "second", "nobody"))}

#: The step that comes next at each stage, by hand.
NEXT = {
    S.DRAFT: "announce", S.ANNOUNCED: "open_registration", S.REGISTRATION: "close_registration", S.CLOSED: "start",
    S.FINISHED: "pay",
}  # fmt: skip


def page(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """GET shows it (?dry=1 with the next round as it would be paired), POST does one `action`."""
    if not queries.may_direct(request.user):
        raise PermissionDenied
    found = Tournament.objects.filter(pk=tournament_id).first()
    if found is None:
        raise Http404
    if request.method == "POST":
        _act(request, tournament_id)
        return redirect("admin:tournaments_tournament_run", tournament_id)
    state = load(found)
    return render(request, "tournaments/run.html", _context(request, state))


def _act(request: HttpRequest, tournament_id: int) -> None:
    action = request.POST.get("action", "")
    if action == "forfeit" and request.POST.get("loser") == "":
        messages.error(request, _("Choose who loses the series; nothing was done."))
        return
    field, known = CHOICES.get(action, ("", ()))
    if action not in ACTIONS or (field and request.POST.get(field) not in known):
        messages.error(request, _("The form was damaged on the way; nothing was done."))
        return
    try:
        ACTIONS[action](tournament_id, request.POST, request.user)
        advance.advance(tournament_id)
    except REFUSALS as error:
        messages.error(request, str(error) if isinstance(error, TournamentError) else refusal(error))
    else:
        messages.success(request, _("Done: %(what)s.") % {"what": words.ACTIONS.get(action, action)})


def _context(request: HttpRequest, state: State) -> dict[str, Any]:
    tournament = state.tournament
    step = NEXT.get(tournament.status)  # type: ignore[call-overload]
    decided = [pairing for pairing in state.pairings if not pairing.is_open and pairing.second_id]
    return {
        "t": tournament, "state": state, "field": len(state.entrants), "tag": words.STATUS_TAGS[tournament.status],
        "step": step, "step_words": words.STEPS.get(step or "", ""), "open": pages.lines(state.open_pairings),
        "decided": pages.lines(decided[::-1]), "out": [e for e in state.entrants.values() if _can_go(tournament, e)],
        "pool": purse.pool(tournament), "would_be": purse.pool_for(tournament, len(state.entrants)),
        "promised": purse.promised(tournament), "fund": book.promotion_fund(tournament.currency),
        "log": [
            (entry, words.ACTIONS.get(entry.action, entry.action))
            for entry in tournament.log.select_related("actor").order_by("-pk")[:LOG_SHOWN]
        ],
        "plan": dry_run(state) if "dry" in request.GET else None,
    }  # fmt: skip


def _can_go(tournament: Tournament, entrant: Entrant) -> bool:
    return tournament.status in (S.REGISTRATION, S.CLOSED, S.RUNNING) and entrant.status in (
        Entrant.Status.REGISTERED,
        Entrant.Status.PLAYING,
    )


def dry_run(state: State) -> dict[str, Any]:
    """The next round as it would be paired now, nothing stored; or why it cannot be."""
    if state.tournament.status != S.RUNNING:
        return {"reason": _("Rounds are paired while a tournament runs.")}
    if state.open_pairings:
        return {"reason": pages.waits_for(state)}
    try:
        pairs, _audit = rounds.plan_next(state)
    except (PairingStopped, TournamentError) as error:
        return {"reason": str(error)}
    if pairs is None:
        return {"reason": _("There is no further round: the tournament ends.")}
    names = state.entrants
    return {"pairs": [(names[first], names[second] if second else None) for first, second, _key in pairs]}
