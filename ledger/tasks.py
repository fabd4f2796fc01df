"""Celery tasks of the ledger; each calls one action."""

from __future__ import annotations

from celery import shared_task

from ledger import seal as sealer


@shared_task  # type: ignore[untyped-decorator]  # celery has no types
def seal() -> None:
    """Number and chain what can be sealed; beat calls it every few seconds."""
    sealer.seal()
