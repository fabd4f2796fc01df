"""Noting what is wrong, and resolving it with a reason."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import structlog
from django.db import connection
from django.utils import timezone

from ledger.verify import Violation
from watch.models import Finding

logger = structlog.get_logger(__name__)

MOST_PER_RUN = 1000
#: Parameters: check, subject, message. Plain SQL, for the health probe has no ORM.
NOTE_SQL = """
    INSERT INTO watch_finding AS f (check_name, subject, message, first_seen, last_seen, times, reason)
    VALUES (%s, %s, %s, clock_timestamp(), clock_timestamp(), 1, '')
    ON CONFLICT (check_name, subject) WHERE resolved_at IS NULL
    DO UPDATE SET last_seen = excluded.last_seen, message = excluded.message, times = f.times + 1
"""


class ReasonMissing(ValueError):
    """A finding is resolved only with a reason."""


def note(found: Iterable[Violation]) -> int:
    """Store what is wrong for operators, log it as errors, return how much it was. Beyond 1000 it is only counted."""
    number = 0
    for number, violation in enumerate(found, start=1):
        if number > MOST_PER_RUN:
            continue
        logger.error("finding", check=violation.check, subject=violation.subject, message=violation.message)
        with connection.cursor() as cursor:
            cursor.execute(NOTE_SQL, [violation.check, violation.subject[:200], violation.message])
    return number


def resolve(finding_id: int, actor: Any, reason: str) -> bool:
    """An operator says what was done about it; False when it was resolved already. Raises ReasonMissing."""
    if not reason.strip():
        raise ReasonMissing
    changed = Finding.objects.filter(pk=finding_id, resolved_at__isnull=True).update(
        resolved_at=timezone.now(), resolved_by=actor, reason=reason.strip()[:500]
    )
    if changed:
        logger.warning("finding resolved", finding=finding_id, actor=actor.pk, reason=reason.strip())
    return bool(changed)
