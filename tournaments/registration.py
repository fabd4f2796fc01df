"""Players' own actions: register, leave, withdraw, set a seed for the lot. Each is one transaction."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from games.errors import BadSeed, NoMoneyForBots
from games.fair import clean_client_seed
from ledger import money
from tournaments import purse, rounds
from tournaments.core.swiss import late_entry_open
from tournaments.errors import Full, NotEntered, NotFound, NotNow
from tournaments.models import Entrant, Tournament
from tournaments.state import State, load
from tournaments.steps import S, locked, record, require

E = Entrant.Status


@transaction.atomic
def register(player: Any, tournament_id: int) -> Entrant:
    """Enter: entry and fee are blocked. In a running Swiss with late entry they are taken at once. Again: no change.

    Raises NotFound (a draft), NotNow, Full, NotEnoughForEntry, NoMoneyForBots, or the ledger's AccountFrozen.
    """
    tournament = locked(tournament_id)
    if tournament.status == S.DRAFT:
        raise NotFound
    entrant = tournament.entrants.filter(player=player).first()
    if entrant is not None and entrant.status in (E.REGISTERED, E.PLAYING):
        return entrant
    late = _check_open(tournament, entrant)
    if player.namespace == "bot" and tournament.currency != money.PLAY_CHIPS:
        raise NoMoneyForBots
    if tournament.entrants.exclude(status=E.LEFT).count() >= tournament.max_field:
        raise Full(places=tournament.max_field)
    if entrant is None:
        entrant = Entrant.objects.create(tournament=tournament, player=player)
    else:  # they had left: a new attempt has a hold of its own, and a new place in line
        entrant.attempt, entrant.status, entrant.registered_at = entrant.attempt + 1, E.REGISTERED, timezone.now()
        entrant.save()
    purse.hold(tournament, entrant)
    if late:
        _enter_late(tournament, entrant)
    record(tournament, player, "late_entry" if late else "register", entrant=entrant.pk)
    return entrant


def _check_open(tournament: Tournament, entrant: Entrant | None) -> bool:
    """Whether this would be a late entry. Raises NotNow when nobody can enter."""
    if tournament.status == S.REGISTRATION:
        return False
    if entrant is not None and entrant.status == E.WITHDRAWN:
        raise NotNow(status=entrant.get_status_display())
    if not takes_late_entries(load(tournament)):
        raise NotNow(status=tournament.get_status_display())
    return True


def takes_late_entries(state: State) -> bool:
    """A running Swiss, until half of its rounds have been paired."""
    tournament = state.tournament
    return (
        tournament.status == S.RUNNING
        and tournament.is_swiss
        and tournament.late_entry
        and late_entry_open(len(state.rounds), state.rounds_planned)
    )


def _enter_late(tournament: Tournament, entrant: Entrant) -> None:
    """From the next round on, at the foot of the seeding, with no points for what was missed."""
    purse.collect(tournament, [entrant])
    state = load(tournament)
    entrant.seed = max(one.seed or 0 for one in state.seeded) + 1
    entrant.status, entrant.from_round = E.PLAYING, len(state.rounds) + 1
    entrant.save()


@transaction.atomic
def leave(player: Any, tournament_id: int) -> Entrant:
    """Leave: before the close everything is set free; in a running tournament it is a withdrawal. Again: no change.

    Raises NotFound, NotEntered, NotNow (closed: the director can still let somebody out; over).
    """
    tournament = locked(tournament_id)
    entrant = tournament.entrants.filter(player=player).first()
    if entrant is None:
        raise NotFound if tournament.status == S.DRAFT else NotEntered
    if entrant.status in (E.LEFT, E.WITHDRAWN):
        return entrant
    require(tournament, S.ANNOUNCED, S.REGISTRATION, S.RUNNING)
    if tournament.status == S.RUNNING:
        rounds.withdraw(tournament, entrant, "")
        record(tournament, player, "withdraw", entrant=entrant.pk)
    else:
        let_out(tournament, entrant)
        record(tournament, player, "leave", entrant=entrant.pk)
    return entrant


def let_out(tournament: Tournament, entrant: Entrant) -> None:
    """Before the start: what is blocked is set free."""
    purse.release(tournament, [entrant], "left")
    entrant.status, entrant.seed = E.LEFT, None
    entrant.save()


@transaction.atomic
def set_seed(player: Any, tournament_id: int, text: str) -> Entrant:
    """Set one's own text for the lot, until registration closes. Raises NotEntered, NotNow, BadSeed."""
    tournament = locked(tournament_id)
    entrant = tournament.entrants.filter(player=player, status=E.REGISTERED).first()
    if entrant is None:
        raise NotEntered
    require(tournament, S.REGISTRATION)
    try:
        entrant.client_seed = clean_client_seed(text)
    except ValueError:
        raise BadSeed from None
    entrant.save(update_fields=["client_seed"])
    return entrant
