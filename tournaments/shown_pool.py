"""The pool as lists, pages and the API show it, by one arithmetic; while it runs, it is what the ledger has."""

from __future__ import annotations

from moneyed import Money

from tournaments import purse
from tournaments.models import Tournament
from tournaments.state import State
from tournaments.steps import S

BEFORE_THE_START = (S.DRAFT, S.ANNOUNCED, S.REGISTRATION, S.CLOSED)


def shown_pool(tournament: Tournament, field: int, late: int) -> Money:
    """What is to be won, or was: before the start for the present field, at least the smallest that may start.

    At the start the site adds what entries do not reach of the guarantee, once: the entries of the `late`, who are
    counted in `field` too, come on top.
    """
    if tournament.status in BEFORE_THE_START:
        return purse.pool_for(tournament, max(field, tournament.min_field))
    return purse.pool_for(tournament, field - late) + tournament.entry_money * late


def pool_of(state: State) -> Money:
    """`shown_pool` of a tournament whose entrants are read already."""
    return shown_pool(state.tournament, len(state.entrants), sum(one.is_late for one in state.entrants.values()))
