"""The life of a tournament: each step an action with its guard, by hand or by schedule, and harmless when repeated.

draft → announced → registration → closed → running → finished → paid; before the start, cancelled; later, aborted.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.db import transaction
from django.utils import timezone

from games import dice, rules
from ledger.errors import LedgerError
from tournaments import purse, rounds
from tournaments.core import seeding
from tournaments.errors import CannotStart, TooFew
from tournaments.models import Entrant, Tournament
from tournaments.state import load
from tournaments.steps import S, locked, reasoned, record, require

E = Entrant.Status
_ORDER = [S.DRAFT, S.ANNOUNCED, S.REGISTRATION, S.CLOSED, S.RUNNING, S.FINISHED, S.PAID]


def _reached(tournament: Tournament, status: str) -> bool:
    """Whether this step was done before."""
    return tournament.status != S.CANCELLED and _ORDER.index(tournament.status) >= _ORDER.index(status)  # type: ignore[arg-type]


@transaction.atomic
def announce(tournament_id: int, actor: Any = None) -> Tournament:
    """Make a draft public; its terms are fixed from here on. With a lot, the commitment to its seed is published.

    What the site promises to add is put into the pool at this moment. Raises FundTooSmall.
    """
    tournament = locked(tournament_id)
    if _reached(tournament, S.ANNOUNCED):
        return tournament
    require(tournament, S.DRAFT)
    tournament.options = rules.make_options(tournament.variant, **_own(tournament)).to_json()
    tournament.rules_version = rules.RULES_VERSION
    if tournament.seeding == Tournament.Seeding.LOT:
        seed = secrets.token_bytes(seeding.SEED_BYTES)
        tournament.lot_seed = dice.seal(seed)
        tournament.lot_commitment = seeding.commitment(seed)
    purse.keep_promise(tournament)
    tournament.status = S.ANNOUNCED
    record(tournament, actor, "announce")
    return tournament


def _own(tournament: Tournament) -> dict[str, Any]:
    return {name: value for name, value in tournament.options.items() if name not in ("variant", "crawford_game")}


@transaction.atomic
def open_registration(tournament_id: int, actor: Any = None) -> Tournament:
    """From now on entrants register, and their entry and fee are blocked."""
    tournament = locked(tournament_id)
    if _reached(tournament, S.REGISTRATION):
        return tournament
    require(tournament, S.ANNOUNCED)
    tournament.status = S.REGISTRATION
    record(tournament, actor, "open_registration")
    return tournament


@transaction.atomic
def close_registration(tournament_id: int, actor: Any = None) -> Tournament:
    """Nobody enters or leaves any more; everybody gets their place in the seeding. Raises TooFew."""
    tournament = locked(tournament_id)
    if _reached(tournament, S.CLOSED):
        return tournament
    require(tournament, S.REGISTRATION)
    entrants = list(tournament.entrants.filter(status=E.REGISTERED).order_by("registered_at", "pk"))
    if len(entrants) < tournament.min_field:
        raise TooFew(entrants=len(entrants), needed=tournament.min_field)
    _seed(tournament, entrants)
    tournament.status = S.CLOSED
    record(tournament, actor, "close_registration", entrants=len(entrants))
    return tournament


def _seed(tournament: Tournament, entrants: list[Entrant]) -> None:
    if tournament.seeding == Tournament.Seeding.LOT:
        texts = tuple((one.pk, one.client_seed) for one in entrants)
        order = seeding.by_lot(seeding.Lot(str(tournament.pk), texts, lot_seed(tournament)))
    else:
        order = seeding.by_rating(
            seeding.Candidate(one.pk, one.rating, number) for number, one in enumerate(entrants, start=1)
        )
    seeds = {one.id: one.seed for one in order}
    for entrant in entrants:
        entrant.seed = seeds[entrant.pk]
    Entrant.objects.filter(tournament=tournament).update(seed=None)
    Entrant.objects.bulk_update(entrants, ["seed"])


def lot_seed(tournament: Tournament) -> bytes:
    """The secret of the lot; shown to others only once registration has closed."""
    assert tournament.lot_seed is not None
    return dice.unseal(bytes(tournament.lot_seed))


@transaction.atomic
def start(tournament_id: int, actor: Any = None) -> Tournament:
    """Take entries and fees into the pool, give back what the site need not add, pair round 1: all of it or nothing.

    Raises TooFew, CannotStart when money cannot be taken, PairingStopped.
    """
    tournament = locked(tournament_id)
    if _reached(tournament, S.RUNNING):
        return tournament
    require(tournament, S.CLOSED)
    entrants = list(tournament.entrants.filter(status=E.REGISTERED).order_by("seed"))
    if len(entrants) < tournament.min_field:  # some were withdrawn after the close
        raise TooFew(entrants=len(entrants), needed=tournament.min_field)
    try:
        purse.collect(tournament, entrants)
        purse.settle_promise(tournament, len(entrants))
    except LedgerError as error:
        raise CannotStart(reason=str(error)) from error
    tournament.entrants.filter(status=E.REGISTERED).update(status=E.PLAYING)
    tournament.status, tournament.started_at = S.RUNNING, timezone.now()
    tournament.note_code = tournament.note = ""
    if tournament.is_swiss and tournament.rounds is None:
        tournament.rounds = load(tournament).rounds_planned
    record(tournament, actor, "start", entrants=len(entrants))
    rounds.pair_next(load(tournament))
    return tournament


@transaction.atomic
def finish(tournament_id: int, actor: Any = None, reason: str = "") -> Tournament:
    """The places are final. By itself after the last round; a director may end a tournament before with a reason.

    Open series are abandoned. Raises NotNow, ReasonNeeded.
    """
    tournament = locked(tournament_id)
    if _reached(tournament, S.FINISHED):
        return tournament
    require(tournament, S.RUNNING)
    state = load(tournament)
    if actor is not None:
        reason = reasoned(reason)
        rounds.abandon_open(state)
    tournament.status, tournament.ended_at = S.FINISHED, timezone.now()
    tournament.note_code = tournament.note = ""
    record(tournament, actor, "finish", reason)
    return tournament


@transaction.atomic
def pay(tournament_id: int, actor: Any = None) -> Tournament:
    """Pay the pool out by the final places, to exactly nothing. Raises NotNow or LedgerError: then nobody is paid."""
    tournament = locked(tournament_id)
    if _reached(tournament, S.PAID):
        return tournament
    require(tournament, S.FINISHED)
    payouts = purse.pay(load(tournament))
    tournament.status = S.PAID
    tournament.note_code = tournament.note = ""
    record(tournament, actor, "pay", payouts=len(payouts))
    return tournament


@transaction.atomic
def cancel(tournament_id: int, actor: Any = None, reason: str = "") -> Tournament:
    """Before the start: all that is blocked is set free. Later: aborted by the announced rule. Again: no change.

    Raises NotNow (paid already), ReasonNeeded.
    """
    tournament = locked(tournament_id)
    if tournament.status == S.CANCELLED:
        return tournament
    require(tournament, *(status for status in _ORDER if status != S.PAID))
    reason = reasoned(reason)
    if not _reached(tournament, S.RUNNING):
        purse.release(tournament, tournament.entrants.filter(status=E.REGISTERED), reason)
        purse.give_back_promise(tournament, reason)
    elif tournament.abort_rule == Tournament.AbortRule.STANDINGS:
        return _abort_by_standings(tournament, actor, reason)
    else:
        state = load(tournament)
        rounds.abandon_open(state)
        purse.refund(tournament, list(state.entrants.values()), reason)
    tournament.status, tournament.ended_at = S.CANCELLED, timezone.now()
    tournament.note_code = tournament.note = ""
    record(tournament, actor, "cancel", reason)
    return tournament


def _abort_by_standings(tournament: Tournament, actor: Any, reason: str) -> Tournament:
    if tournament.status == S.RUNNING:
        rounds.abandon_open(load(tournament))
        tournament.status, tournament.ended_at = S.FINISHED, timezone.now()
    record(tournament, actor, "abort", reason)
    purse.pay(load(tournament))
    tournament.status = S.PAID
    tournament.note_code = tournament.note = ""
    record(tournament, actor, "pay")
    return tournament
