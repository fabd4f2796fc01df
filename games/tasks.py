"""Celery tasks: wake-ups that call one action each. What is to be done stands in the database."""

from __future__ import annotations

from celery import shared_task

from games import clocks, settle


@shared_task
def settle_pending() -> None:
    """Settle what is pending: woken when a game finishes, and by beat for whatever a lost message left behind."""
    settle.claim_and_settle()


@shared_task
def sweep() -> None:
    """End games whose time is over, close tables whose people are gone, and note that the server is alive."""
    clocks.sweep()
