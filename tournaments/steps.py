"""What every step of a tournament shares: the lock on its row, its version for live pages, and its log."""

from __future__ import annotations

from typing import Any

from games import live
from tournaments.errors import NotFound, NotNow, ReasonNeeded
from tournaments.models import LogEntry, Tournament

S = Tournament.Status


def locked(tournament_id: int) -> Tournament:
    """The tournament's row, locked until the caller's transaction ends. Lock order: tournament, games, tables, ledger.

    Raises NotFound.
    """
    found = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).first()
    if found is None:
        raise NotFound
    return found


def require(tournament: Tournament, *statuses: str) -> None:
    """Raises NotNow unless the tournament stands at one of these."""
    if tournament.status not in statuses:
        raise NotNow(status=tournament.get_status_display())


def reasoned(reason: str) -> str:
    """A director's reason without blanks around it. Raises ReasonNeeded for an empty one."""
    if not reason.strip():
        raise ReasonNeeded
    return reason.strip()[:200]


def record(tournament: Tournament, actor: Any, action: str, reason: str = "", **details: Any) -> None:
    """Write the log and tell live pages; saves the tournament with its next version."""
    LogEntry.objects.create(tournament=tournament, actor=actor, action=action, reason=reason, details=details)
    changed(tournament)


def changed(tournament: Tournament) -> None:
    tournament.version += 1
    tournament.save()
    live.publish_on_commit(f"tournament:{tournament.pk}", tournament.version)


def note(tournament: Tournament, code: str, text: str) -> None:
    """Say what stops the tournament, to directors and live pages; nothing happens if that is said already."""
    text = text[:500]
    if (tournament.note_code, tournament.note) != (code, text):
        tournament.note_code, tournament.note = code, text
        changed(tournament)
