"""What happens by itself: schedule, results, absences, next rounds, payout.

Every step is one transaction that starts from what the database says; a crash between two of them loses nothing, for
the next call goes on from there. Beat calls `sweep`, finished series wake `advance`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from ledger.errors import LedgerError
from tournaments import life, rounds
from tournaments.core.errors import TournamentError
from tournaments.errors import TooFew, TournamentRefusal
from tournaments.models import Tournament
from tournaments.state import load
from tournaments.steps import S, changed, locked, note, record

logger = structlog.get_logger(__name__)

#: A tournament of 256 takes fewer steps than this from registration to payout.
MOST_STEPS = 200


def sweep() -> int:
    """Move everything that is due; returns how many steps were done."""
    now = timezone.now()
    scheduled = Q(automatic=True) & (
        Q(status=S.ANNOUNCED, registration_opens_at__lte=now)
        | Q(status__in=[S.REGISTRATION, S.CLOSED], starts_at__lte=now)
        | Q(status=S.FINISHED)
    )
    due = Tournament.objects.filter(scheduled | Q(status=S.RUNNING), paused_at__isnull=True)
    return sum(_advance_alone(tournament_id) for tournament_id in list(due.values_list("pk", flat=True)))


def _advance_alone(tournament_id: int) -> int:
    """What goes wrong unforeseen in one tournament stops no other; the log has it, and the next sweep tries again."""
    try:
        return advance(tournament_id)
    except Exception:
        logger.exception("tournament failed", tournament=tournament_id)
        return 0


def advance(tournament_id: int) -> int:
    """Do all steps of one tournament that are due now; returns how many. What stops it is noted for the director."""
    for done in range(MOST_STEPS):
        try:
            if not _step(tournament_id, timezone.now()):
                return done
        except (TournamentRefusal, TournamentError, LedgerError) as error:
            _stopped(tournament_id, error)
            return done
    return MOST_STEPS


@transaction.atomic
def show_scores(tournament_id: int) -> None:
    """A game of a series has begun or ended: pages show the new score."""
    changed(locked(tournament_id))


@transaction.atomic
def _step(tournament_id: int, now: datetime) -> bool:
    tournament = locked(tournament_id)
    if tournament.paused_at is not None:
        return False
    if tournament.status == S.RUNNING:
        return _running(tournament, now)
    step = _scheduled(tournament, now) if tournament.automatic else None
    if step is not None:
        step(tournament_id)
    return step is not None


def _scheduled(tournament: Tournament, now: datetime) -> Callable[[int], object] | None:
    opens = tournament.registration_opens_at
    if tournament.status == S.ANNOUNCED and opens is not None and opens <= now:
        return life.open_registration
    if tournament.status == S.REGISTRATION and tournament.starts_at <= now:
        return _close_or_cancel
    if tournament.status == S.CLOSED and tournament.starts_at <= now:
        return life.start
    return life.pay if tournament.status == S.FINISHED else None


def _close_or_cancel(tournament_id: int) -> None:
    try:
        life.close_registration(tournament_id)
    except TooFew as error:
        life.cancel(tournament_id, reason=str(error))


def _running(tournament: Tournament, now: datetime) -> bool:
    """Results first, then absences, then the next round or the end; each is a step of its own."""
    state = load(tournament)
    if rounds.collect(state) or rounds.absences(state, now):
        changed(tournament)
        return True
    if rounds.closed(state):
        note(tournament, "table_closed", gettext("A table was closed without a result; decide its series."))
    if state.open_pairings:
        return False
    row = rounds.pair_next(state)
    if row is None:
        life.finish(tournament.pk)
        return True
    tournament.note_code = tournament.note = ""
    record(tournament, None, "pair", round=row.number)
    return True


def _stopped(tournament_id: int, error: Exception) -> None:
    """Nothing has changed; the director sees why, and the next call tries again."""
    code = str(getattr(error, "code", "error"))
    logger.warning("tournament stopped", tournament=tournament_id, code=code, reason=str(error))
    with transaction.atomic():
        note(locked(tournament_id), code, str(error))
