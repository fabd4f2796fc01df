"""Reads: lists, one tournament, what may be listened to. Pages and API show the same values."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet
from django.urls import reverse

from tournaments.errors import NotFound
from tournaments.models import Entrant, Tournament
from tournaments.steps import S

#: In the list: what one can still join or watch first.
UPCOMING = (S.RUNNING, S.REGISTRATION, S.CLOSED, S.ANNOUNCED, S.FINISHED)


def may_direct(user: Any) -> bool:
    """Whether this person directs tournaments."""
    return bool(user.is_authenticated and user.is_staff and user.has_perm("tournaments.direct"))


def visible(user: Any) -> QuerySet[Tournament]:
    """Tournaments that this person may see: all but drafts; directors see those too. With the number of entrants,
    `field`, and how many of them came late, `late`."""
    there = ~Q(entrants__status=Entrant.Status.LEFT)
    found = Tournament.objects.annotate(
        field=Count("entrants", filter=there), late=Count("entrants", filter=there & Q(entrants__from_round__gt=1))
    )
    return found if may_direct(user) else found.exclude(status=S.DRAFT)


def entered(user: Any) -> list[int]:
    """Ids of the tournaments in which this person takes part."""
    if not user.is_authenticated:
        return []
    mine = Entrant.objects.filter(player=user).exclude(status=Entrant.Status.LEFT)
    return list(mine.values_list("tournament", flat=True))


def tournament_for(user: Any, tournament_id: int) -> Tournament:
    """A tournament, or NotFound."""
    found = visible(user).filter(pk=tournament_id).first()
    if found is None:
        raise NotFound
    return found


def may_listen(user: Any, tournament_id: int) -> None:
    """Raises NotFound for a tournament that this person may not see."""
    tournament_for(user, tournament_id)


def admin_link(tournament_id: str) -> str | None:
    """The operator's page of "tournament:<id>" in the ledger's admin."""
    return reverse("admin:tournaments_tournament_change", args=[tournament_id]) if tournament_id.isdigit() else None
