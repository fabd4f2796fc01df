"""Closing a month: from then on its reports are the same for ever, and what is corrected falls into the open period.

Closing takes the period's exclusive lock, which every posting shares: nobody is halfway through an entry. An entry's
time is the clock's after that lock, so after closing none can fall into the month.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _

from ledger.entering import said
from ledger.errors import NotReadyToClose
from ledger.locking import require_transaction
from ledger.posting import refusal
from ledger.seal import sealed_until
from ledger.values import PeriodView

TOTALS = """
    SELECT a.kind, l.currency, coalesce(sum(l.amount) FILTER (WHERE l.at < %(start)s), 0)::text,
           coalesce(-sum(l.amount) FILTER (WHERE l.at >= %(start)s AND l.amount < 0), 0)::text,
           coalesce(sum(l.amount) FILTER (WHERE l.at >= %(start)s AND l.amount > 0), 0)::text, sum(l.amount)::text
      FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id
     WHERE l.at < %(end)s GROUP BY 1, 2 ORDER BY 1, 2
"""


def close(month: date, actor: int | None, reason: str) -> PeriodView:
    """Close the month of this day (in settings.ACCOUNTING_ZONE); closed already, the first answer again.

    Raises NotReadyToClose (it has not ended, is not sealed to its end, or an earlier month is open), ReasonMissing.
    """
    require_transaction()
    reason = said(reason)
    first = month.replace(day=1)
    start, end = bounds(first)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('ledger:period', 0))")
    known = [period for period in closed() if period.month == first]
    if known:
        return known[0]
    _check_ready(first, start, end)
    entries, totals, digest = summed(start, end)
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                """INSERT INTO ledger_period (month, starts_at, ends_at, entries, totals, digest, actor_id, reason)
                   VALUES (%s, %s, %s, %s, %s, %s, %s, %s)""",
                [first, start, end, entries, json.dumps(totals), digest, actor, reason],
            )
    except IntegrityError as error:
        raise refusal(error) from error
    return closed()[-1]


def bounds(first: date) -> tuple[datetime, datetime]:
    """Beginning and end of the month that begins on `first`."""
    zone = ZoneInfo(settings.ACCOUNTING_ZONE)
    after = date(first.year + first.month // 12, first.month % 12 + 1, 1)
    return datetime.combine(first, time(), zone), datetime.combine(after, time(), zone)


def next_month() -> date | None:
    """The first day of the month to be closed next: after the last closed one, or that of the first entry."""
    done = closed()
    with connection.cursor() as cursor:
        cursor.execute("SELECT min(at) FROM ledger_entry")
        (earliest,) = cursor.fetchone()
    moment = done[-1].ends_at if done else earliest
    return moment.astimezone(ZoneInfo(settings.ACCOUNTING_ZONE)).date().replace(day=1) if moment else None


def closed() -> list[PeriodView]:
    """All closed periods, oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT month, starts_at, ends_at, entries, totals::text, digest, actor_id, reason, closed_at
                 FROM ledger_period ORDER BY ends_at"""
        )
        return [
            PeriodView(month, start, end, entries, json.loads(totals), digest, actor, reason, closed_at)
            for month, start, end, entries, totals, digest, actor, reason, closed_at in cursor.fetchall()
        ]


def closing_of(end: datetime) -> datetime | None:
    """When a report that ends at `end` became final for good: the closing of the period that holds its end, or None."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT closed_at FROM ledger_period WHERE ends_at >= %s ORDER BY ends_at LIMIT 1", [end])
        found = cursor.fetchone()
    return found[0] if found else None


def summed(start: datetime, end: datetime) -> tuple[int, list[list[Any]], str]:
    """Number of entries of a period, totals by kind of account and currency (opening, debit, credit, closing), and the
    digest over these and over the seals of its entries by journal number."""
    with connection.cursor() as cursor:
        cursor.execute(TOTALS, {"start": start, "end": end})
        totals = [list(row) for row in cursor.fetchall()]
    digest, entries = hashlib.sha256(), 0
    digest.update(json.dumps([start.astimezone(UTC).isoformat(), end.astimezone(UTC).isoformat(), totals]).encode())
    with connection.chunked_cursor() as cursor:
        cursor.execute(
            """SELECT s.number, s.digest FROM ledger_entry e JOIN ledger_seal s ON s.entry_id = e.id
                WHERE e.at >= %s AND e.at < %s ORDER BY s.number""",
            [start, end],
        )
        while rows := cursor.fetchmany(5000):
            entries += len(rows)
            digest.update("".join(f"\n{number} {sealed}" for number, sealed in rows).encode())
    return entries, totals, digest.hexdigest()


def _check_ready(first: date, start: datetime, end: datetime) -> None:
    horizon, due = sealed_until(), next_month()
    if due is not None and due < first:
        raise NotReadyToClose(month=f"{first:%Y-%m}", why=_("%(due)s is to be closed first") % {"due": f"{due:%Y-%m}"})
    if end > datetime.now(UTC):
        raise NotReadyToClose(month=f"{first:%Y-%m}", why=_("it has not ended"))
    if horizon is None or horizon < end:
        why = _("the journal is not sealed to its end; try again in a minute")
        raise NotReadyToClose(month=f"{first:%Y-%m}", why=why)
