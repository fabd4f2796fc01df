"""What a director does by hand in a running tournament; each with a reason, each in the log, each one transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import purse, registration, rounds
from tournaments.core.errors import BadInput
from tournaments.errors import AlreadyDecided, BadMinutes, CannotCorrect, NotFound
from tournaments.models import Entrant, Pairing, Tournament
from tournaments.state import load
from tournaments.steps import S, locked, reasoned, record, require

O = Pairing.Outcome  # noqa: E741
HIGHEST_SCORE = 999
MOST_MINUTES = 7 * 24 * 60


@transaction.atomic
def forfeit(tournament_id: int, pairing_id: int, loser: str, reason: str, actor: Any) -> Pairing:
    """Decide an open series without play; `loser` is "first", "second" or "both". A running game becomes void.

    Raises NotFound, NotNow, AlreadyDecided, ReasonNeeded.
    """
    tournament, pairing = _pairing(tournament_id, pairing_id)
    require(tournament, S.RUNNING)
    if not pairing.is_open:
        raise AlreadyDecided
    sides: dict[str, list[int | None]] = {"first": [pairing.first_id], "second": [pairing.second_id]}
    rounds.forfeit(pairing, sides.get(loser, sides["first"] + sides["second"]), reasoned(reason))
    record(tournament, actor, "forfeit", reasoned(reason), pairing=pairing.pk, loser=loser)
    return pairing


@transaction.atomic
def extend(tournament_id: int, pairing_id: int, minutes: int, reason: str, actor: Any) -> Pairing:
    """Give the two of an open series so many more minutes to say Ready, from now or from the deadline.

    Raises NotFound, NotNow, AlreadyDecided, BadMinutes, ReasonNeeded.
    """
    if not 1 <= minutes <= MOST_MINUTES:
        raise BadMinutes(most=MOST_MINUTES)
    tournament, pairing = _pairing(tournament_id, pairing_id)
    require(tournament, S.RUNNING)
    if not pairing.is_open:
        raise AlreadyDecided
    pairing.deadline = max(pairing.deadline or timezone.now(), timezone.now()) + timedelta(minutes=minutes)
    pairing.save(update_fields=["deadline"])
    record(tournament, actor, "extend", reasoned(reason), pairing=pairing.pk, minutes=minutes)
    return pairing


@transaction.atomic
def correct(
    tournament_id: int, pairing_id: int, winner: str, scores: tuple[int, int], reason: str, actor: Any
) -> Pairing:
    """Set another result of a decided series; `winner` is "first", "second" or "nobody" (both absent).

    Equal scores stand for a forfeit. In a bracket, later series that are still open get their right people; decided
    ones that no longer fit must be taken back first. After the payout, compensating entries give all what the new
    places bring, and what somebody has spent already he owes. Raises NotFound, NotNow, CannotCorrect, ReasonNeeded.
    """
    tournament, pairing = _pairing(tournament_id, pairing_id)
    require(tournament, S.RUNNING, S.FINISHED, S.PAID)
    if pairing.is_open or pairing.second_id is None:
        raise CannotCorrect(reason=_("it has no result yet, or is a bye."))
    reason, before = reasoned(reason), _in_words(pairing)
    _set(pairing, winner, scores, reason)
    state = load(tournament)
    if tournament.is_knockout:
        try:
            rounds.rebuild_bracket(state)
        except BadInput as error:
            raise CannotCorrect(reason=str(error)) from error
    moved = purse.correct(state, actor, reason) if tournament.status == S.PAID else {}
    record(
        tournament, actor, "correct", reason, pairing=pairing.pk, before=before, after=_in_words(pairing),
        money={str(player): str(amount.amount) for player, amount in moved.items()},
    )  # fmt: skip
    return pairing


def _set(pairing: Pairing, winner: str, scores: tuple[int, int], reason: str) -> None:
    sides = {"first": pairing.first_id, "second": pairing.second_id, "nobody": None}
    pairing.winner_id, pairing.reason = sides[winner], reason
    if winner == "nobody":
        pairing.outcome, scores = O.DOUBLE_FORFEIT, (0, 0)
    elif scores[0] == scores[1]:
        pairing.outcome, scores = O.FORFEIT, (0, 0)
    else:
        if (scores[0] > scores[1]) != (winner == "first"):
            raise CannotCorrect(reason=_("the winner must have the higher score."))
        if max(scores) > HIGHEST_SCORE:
            raise CannotCorrect(reason=_("a score is %(most)d at most.") % {"most": HIGHEST_SCORE})
        pairing.outcome = O.PLAYED
    pairing.first_score, pairing.second_score = scores
    pairing.save()


def _in_words(pairing: Pairing) -> str:
    return f"{pairing.outcome} {pairing.first_score}:{pairing.second_score} winner {pairing.winner_id}"


@transaction.atomic
def withdraw(tournament_id: int, entrant_id: int, reason: str, actor: Any) -> Entrant:
    """Take somebody out: before the start their money is set free, later their series are forfeited. Again: no change.

    Raises NotFound, NotNow, ReasonNeeded.
    """
    tournament = locked(tournament_id)
    entrant = tournament.entrants.select_related("player").filter(pk=entrant_id).first()
    if entrant is None:
        raise NotFound
    require(tournament, S.REGISTRATION, S.CLOSED, S.RUNNING)
    reason = reasoned(reason)
    if entrant.status in (Entrant.Status.LEFT, Entrant.Status.WITHDRAWN):
        return entrant
    if tournament.status == S.RUNNING:
        rounds.withdraw(tournament, entrant, reason)
    else:
        registration.let_out(tournament, entrant)
    record(tournament, actor, "withdraw", reason, entrant=entrant.pk)
    return entrant


@transaction.atomic
def pause(tournament_id: int, reason: str, actor: Any) -> Tournament:
    """Stop everything that happens by itself: no forfeits for absence, no next round, no payout. Games go on."""
    tournament = locked(tournament_id)
    reason = reasoned(reason)
    if tournament.paused_at is None:
        tournament.paused_at = timezone.now()
        record(tournament, actor, "pause", reason)
    return tournament


@transaction.atomic
def resume(tournament_id: int, reason: str, actor: Any) -> Tournament:
    """Go on; deadlines are later by the time of the pause."""
    tournament = locked(tournament_id)
    reason = reasoned(reason)
    if tournament.paused_at is not None:
        away = timezone.now() - tournament.paused_at
        tournament.pairings.filter(outcome="", deadline__isnull=False).update(deadline=F("deadline") + away)
        tournament.paused_at = None
        record(tournament, actor, "resume", reason)
    return tournament


@transaction.atomic
def allow_past_half(tournament_id: int, reason: str, actor: Any) -> Tournament:
    """Swiss: let rounds be tried beyond the one up to which a pairing without a rematch is certain."""
    tournament = locked(tournament_id)
    tournament.past_half = True
    tournament.note_code = tournament.note = ""
    record(tournament, actor, "allow_past_half", reasoned(reason))
    return tournament


def _pairing(tournament_id: int, pairing_id: int) -> tuple[Tournament, Pairing]:
    tournament = locked(tournament_id)
    pairing = tournament.pairings.select_related("table", "round", "first", "second").filter(pk=pairing_id).first()
    if pairing is None:
        raise NotFound
    return tournament, pairing
