"""Rounds: pairing them, seating the pairs, taking results over from their tables, and what absence leads to.

All functions work on a tournament that the caller has locked, in the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import rules, series
from games.models import Table
from tournaments.core import CORE_VERSION, record, swiss, withdrawals
from tournaments.core.errors import CannotPair
from tournaments.core.results import Entrant as Seeded
from tournaments.errors import CannotCorrect, PairingStopped
from tournaments.models import Entrant, Pairing, Round, Tournament
from tournaments.state import State, load

O = Pairing.Outcome  # noqa: E741
#: first, second (None: a bye), key of a bracket's series
Pair = tuple[int, int | None, str]


# --- Pairing ----------------------------------------------------------------------------------------------------------


def pair_next(state: State) -> Round | None:
    """Pair the next round and seat everybody; None when there is no further round.

    Raises PairingStopped: the director has to decide (docs/tournaments.md, "Swiss").
    """
    pairs, audit = plan_next(state)
    if pairs is None:
        return None
    tournament, now = state.tournament, timezone.now()
    row = Round.objects.create(
        tournament=tournament, number=len(state.rounds) + 1, paired_at=now,
        record={"core_version": CORE_VERSION, **audit},
    )  # fmt: skip
    for number, pair in enumerate(pairs, start=1):
        _make(state, row, number, pair, now)
    return row


def plan_next(state: State) -> tuple[list[Pair] | None, dict[str, Any]]:
    """What the next round would be (also for a dry run), and its record for audit; (None, {}) after the last one.

    Raises PairingStopped.
    """
    if state.tournament.is_knockout:
        return _plan_knockout(state)
    if len(state.rounds) >= state.rounds_planned:
        return None, {}
    return _plan_swiss(state) if state.tournament.is_swiss else _plan_round_robin(state)


def _plan_swiss(state: State) -> tuple[list[Pair], dict[str, Any]]:
    present = tuple(Seeded(e.pk, e.seed or 0) for e in state.seeded if e.pk not in state.withdrawn)
    request = swiss.Request(len(state.rounds) + 1, present, tuple(state.results), state.tournament.past_half)
    try:
        pairing = swiss.pair(request)
    except CannotPair as error:
        raise PairingStopped(reason=_named(state, error)) from error
    pairs: list[Pair] = [(pair.first, pair.second, "") for pair in pairing.pairs]
    if pairing.bye is not None:
        pairs.append((pairing.bye, None, ""))
    return pairs, {"request": record.request_to_json(request), "pairing": record.pairing_to_json(pairing)}


def _named(state: State, error: CannotPair) -> str:
    """The core's sentence; who is left over is named."""
    left = [str(state.entrants[pk]) for pk in error.params.get("left", ())]  # type: ignore[attr-defined]
    return f"{error} ({', '.join(left)})" if left else str(error)


def _plan_round_robin(state: State) -> tuple[list[Pair], dict[str, Any]]:
    due = state.fixtures[len(state.rounds)]
    # Who has left is not seated; what becomes of their series is counted by `withdrawals.count`.
    pairs: list[Pair] = [(f.first, f.second, "") for f in due.fixtures if not {f.first, f.second} & state.withdrawn]
    return pairs, {"free": due.free}


def _plan_knockout(state: State) -> tuple[list[Pair] | None, dict[str, Any]]:
    known = {pairing.bracket_key for pairing in state.pairings}
    ready = [match for match in state.progress.ready if match.series.key not in known]
    if not ready:
        return None, {}
    pairs: list[Pair] = [(match.first or 0, match.second, match.series.key) for match in ready]
    return pairs, {"bracket": [entrant.pk for entrant in state.seeded]}


def _make(state: State, row: Round, number: int, pair: Pair, now: datetime) -> Pairing:
    first, second, key = pair
    tournament = state.tournament
    pairing = Pairing(
        tournament=tournament, round=row, number=number, bracket_key=key, first_id=first, second_id=second
    )
    gone = [side for side in (first, second) if side in state.withdrawn]
    if second is None:
        pairing.outcome, pairing.decided_at = O.BYE, now
    elif gone:
        _forfeit(pairing, gone, "", now)
    else:
        pairing.table = _seat(tournament, state.entrants[first], state.entrants[second], row.number)
        pairing.deadline = now + timedelta(minutes=tournament.no_show_minutes)
    pairing.save()
    return pairing


def _seat(tournament: Tournament, first: Entrant, second: Entrant, number: int) -> Table:
    terms = series.SeriesTerms(
        rules.options_from_json(tournament.options), tournament.target, tournament.count_by, tournament.clock,
        tournament.currency, tournament.crawford, tournament.first_move,
    )  # fmt: skip
    url = reverse("tournament", args=[tournament.pk])
    return series.open_series(first.player, second.player, terms, tournament.title, url)


# --- Results ----------------------------------------------------------------------------------------------------------


def collect(state: State) -> int:
    """Take over what has been decided at the tables; returns how many series ended."""
    done = 0
    for pairing in closed(state):
        assert pairing.table is not None
        score = series.score(pairing.table)
        if score.winner is None:  # closed by somebody else's hand: the director decides
            continue
        won = pairing.first_id if score.winner == "white" else pairing.second_id
        _decide(pairing, O.PLAYED, won, (score.white, score.black))
        done += 1
    return done


def closed(state: State) -> list[Pairing]:
    """Open pairings whose table has closed."""
    return [p for p in state.open_pairings if p.table is not None and p.table.status == Table.Status.CLOSED]


def absences(state: State, now: datetime) -> int:
    """Forfeit the series whose time to say Ready is over; who was absent twice is withdrawn. Returns how many."""
    late = [p for p in state.open_pairings if p.deadline is not None and p.deadline <= now and p.table is not None]
    done = 0
    for pairing in late:
        assert pairing.table is not None
        if pairing.table.status == Table.Status.CLOSED:  # by somebody else's hand: the director decides
            continue
        ready = series.close_unstarted(pairing.table.pk, "absent")
        if ready is None:  # it is being played
            continue
        here, sides = dict(zip(("white", "black"), ready, strict=True)), (pairing.first_id, pairing.second_id)
        gone = [pk for pk, side in zip(sides, ("white", "black"), strict=True) if not here[side]]
        _forfeit(pairing, gone, "no_show", now)
        pairing.save()
        done += 1
    if done:
        fresh = load(state.tournament)
        for pk in withdrawals.absent_twice(fresh.results) - fresh.withdrawn:
            withdraw(state.tournament, fresh.entrants[pk], "absent_twice")
    return done


def _forfeit(pairing: Pairing, losers: Sequence[int | None], reason: str, now: datetime) -> None:
    pairing.reason, pairing.decided_at = reason, now
    pairing.first_score = pairing.second_score = 0
    if len(losers) == 2:
        pairing.outcome, pairing.winner_id = O.DOUBLE_FORFEIT, None
    else:
        pairing.outcome = O.FORFEIT
        pairing.winner_id = pairing.second_id if losers[0] == pairing.first_id else pairing.first_id


def _decide(pairing: Pairing, outcome: str, winner: int | None, scores: tuple[int, int], reason: str = "") -> None:
    pairing.outcome, pairing.winner_id, pairing.decided_at = outcome, winner, timezone.now()
    pairing.first_score, pairing.second_score = scores
    pairing.reason = reason
    pairing.save()


def forfeit(pairing: Pairing, losers: Sequence[int | None], reason: str) -> None:
    """End an open series by forfeit: its running game is void, its table closes."""
    if pairing.table_id is not None:
        series.abandon(pairing.table_id, "forfeit")
    _forfeit(pairing, losers, reason, timezone.now())
    pairing.save()


def withdraw(tournament: Tournament, entrant: Entrant, reason: str) -> None:
    """Somebody leaves a running tournament: their open series is forfeited, and they are paired no more."""
    if entrant.status == Entrant.Status.WITHDRAWN:
        return
    entrant.status = Entrant.Status.WITHDRAWN
    entrant.save(update_fields=["status"])
    for pairing in tournament.pairings.filter(outcome="").select_related("table"):
        if entrant.pk in (pairing.first_id, pairing.second_id):
            forfeit(pairing, [entrant.pk], reason or "withdrawn")


def abandon_open(state: State) -> None:
    """A tournament ends before its last round: open series are given up and count for nobody."""
    for pairing in state.open_pairings:
        if pairing.table_id is not None:
            series.abandon(pairing.table_id, "tournament_ended")
    drop(state.open_pairings)


def drop(pairings: Iterable[Pairing]) -> None:
    """Remove open pairings; their abandoned tables stay with their games."""
    Pairing.objects.filter(pk__in=[pairing.pk for pairing in pairings], outcome="").delete()


def rebuild_bracket(state: State) -> None:
    """After a correction: open series between the wrong people are given up, and the right ones are seated instead.

    Raises CannotCorrect, or the core's BadInput, when a decided series no longer fits: it comes first.
    """
    now = timezone.now()
    by_key = {match.series.key: match for match in state.progress.matches}
    for pairing in state.pairings:
        match = by_key[pairing.bracket_key]
        if (match.first, match.second) != (pairing.first_id, pairing.second_id):
            if not pairing.is_open:
                about = {"series": str(pairing), "round": pairing.round.number}
                raise CannotCorrect(reason=_("%(series)s of round %(round)d is decided; correct it first.") % about)
            if pairing.table_id is not None:
                series.abandon(pairing.table_id, "corrected")
            drop([pairing])
            if match.first is not None and match.second is not None:
                pair = (match.first, match.second, pairing.bracket_key)
                _make(state, pairing.round, pairing.number, pair, now)
