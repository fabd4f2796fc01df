"""Celery tasks: each calls one action. What is to be done stands in the database."""

from __future__ import annotations

from celery import shared_task

from tournaments import advance


@shared_task
def advance_tournament(tournament_id: int) -> None:
    """A series of this tournament has gone on."""
    if not advance.advance(tournament_id):
        advance.show_scores(tournament_id)


@shared_task
def sweep() -> None:
    """Move what is due by schedule, by absence, or because a wake-up was lost."""
    advance.sweep()
