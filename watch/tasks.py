"""Celery tasks of the watch; each calls one action."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from django.db import connection

from watch import reconcile as reconciliation
from watch import stalls


@shared_task
def reconcile() -> None:
    """Every hour: what came since the last time, and whether ledger, games and cash agree now."""
    reconciliation.reconcile()


@shared_task(time_limit=6 * 3600)
def verify_all() -> None:
    """Every night: the whole ledger."""
    reconciliation.verify_all()


@shared_task
def alarm() -> None:
    """Every half minute: does the sealer or settlement stand still?"""
    with connection.cursor() as cursor:

        def fetch(query: str) -> Any:
            cursor.execute(query)
            return cursor.fetchone()

        found = stalls.look(fetch)
    stalls.alarm(found)
