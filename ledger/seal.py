"""The sealer: numbers entries without a gap and chains their digests, once they can no longer change or be preceded.

Posting is not slowed by it. An entry is sealed when every transaction that began to write before it, or with it, has
ended (its xid is below `pg_snapshot_xmin`): a commit that came late is then seen, never skipped. The journal number
follows the order of sealing; within one run, the entries' time.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from ledger import anchor

CHUNK = 5000
GENESIS = "0" * 64

# All that is sealed of an entry `e`, as one canonical text: PostgreSQL's own jsonb form of it and of its lines. The
# xid is left out, for a restore from a dump must be free to reset it.
CANONICAL = """jsonb_build_array(e.id, e.kind, e.key, e.reference, e.actor_id, e.reason, e.details, e.reverses_id,
    to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    (SELECT jsonb_agg(jsonb_build_array(l.id, l.account_id, l.currency, l.amount, l.account_version, l.balance_after)
                      ORDER BY l.id) FROM ledger_line l WHERE l.entry_id = e.id))::text"""


@dataclass(frozen=True)
class Head:
    """The end of the chain: the last journal number and its digest (0 and zeros before the first entry)."""

    number: int
    digest: str


def chained(previous: str, number: int, text: str) -> str:
    """SHA-256, in hexadecimal, of the previous digest, the journal number and the entry's text, by lines."""
    return hashlib.sha256(f"{previous}\n{number}\n{text}".encode()).hexdigest()


@dataclass(frozen=True)
class Horizon:
    """How far sealing has come, and what the next run may claim; the columns of SealHorizon."""

    xid: int
    sealed_until: datetime | None
    next_xid: int | None
    next_until: datetime | None


def seal() -> int:
    """Seal all that can be sealed now; answers how many entries were. Does nothing while another sealer is at work."""
    sealed, more = 0, True
    while more:
        with transaction.atomic():
            done, more = _seal_chunk()
        sealed += done
    if sealed:
        last = head()
        anchor.drop(last.number, last.digest)
    return sealed


def head() -> Head:
    """The end of the chain as it is stored."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT number, digest FROM ledger_seal ORDER BY number DESC LIMIT 1")
        found = cursor.fetchone()
    return Head(*found) if found else Head(0, GENESIS)


def sealed_until() -> datetime | None:
    """Every entry before this moment is sealed; None before the first sealing. Later reports are provisional."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sealed_until FROM ledger_sealhorizon")
        found = cursor.fetchone()
    return found[0] if found else None


def _seal_chunk() -> tuple[int, bool]:
    """Seal about CHUNK entries; answers how many, and whether there are more that can be sealed now."""
    with connection.cursor() as cursor:
        # The clock is read before our own transaction id is taken: an entry with an earlier time has a smaller id.
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended('ledger:seal', 0)), clock_timestamp()")
        alone, now = cursor.fetchone()
        if not alone:
            return 0, False
        cursor.execute("INSERT INTO ledger_sealhorizon (id, xid) VALUES (1, 0) ON CONFLICT DO NOTHING")
        cursor.execute("SELECT pg_current_xact_id()::text::bigint")
        (own_xid,) = cursor.fetchone()
        cursor.execute("SELECT xid, sealed_until, next_xid, next_until FROM ledger_sealhorizon")
        horizon = Horizon(*cursor.fetchone())
        xmin = oldest_writer(cursor)
        high = _end_of_chunk(cursor, horizon.xid, xmin)
        sealed = _write_seals(cursor, horizon.xid, high)
        moved = _moved(horizon, high, xmin, own_xid, now)
        cursor.execute(
            "UPDATE ledger_sealhorizon SET xid = %s, sealed_until = %s, next_xid = %s, next_until = %s",
            [moved.xid, moved.sealed_until, moved.next_xid, moved.next_until],
        )
    return sealed, high < xmin


def oldest_writer(cursor: CursorWrapper) -> int:
    """The lowest transaction id still at work, in any database of the cluster: all below it have ended."""
    cursor.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
    return int(cursor.fetchone()[0])


def _end_of_chunk(cursor: CursorWrapper, low: int, xmin: int) -> int:
    """The transaction id below which to seal now: a transaction's entries are never divided between two chunks."""
    cursor.execute(
        """SELECT min(xid), max(xid), count(*) FROM (
               SELECT xid FROM ledger_entry WHERE xid >= %s AND xid < %s ORDER BY xid LIMIT %s) few""",
        [low, xmin, CHUNK],
    )
    first, last, count = cursor.fetchone()
    if count < CHUNK:
        return xmin
    return int(last) if last > first else int(first) + 1


def _write_seals(cursor: CursorWrapper, low: int, high: int) -> int:
    cursor.execute(
        f"""SELECT e.id, {CANONICAL} FROM ledger_entry e
             WHERE e.xid >= %s AND e.xid < %s AND NOT EXISTS (SELECT FROM ledger_seal s WHERE s.entry_id = e.id)
             ORDER BY e.at, e.id""",
        [low, high],
    )
    seals: list[tuple[int, int, str]] = []
    last = head()
    for entry_id, text in cursor.fetchall():
        last = Head(last.number + 1, chained(last.digest, last.number + 1, text))
        seals.append((last.number, entry_id, last.digest))
    if seals:
        cursor.execute(
            """INSERT INTO ledger_seal (number, entry_id, digest)
               SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::text[])""",
            [list(column) for column in zip(*seals, strict=True)],
        )
    return len(seals)


def _moved(horizon: Horizon, high: int, xmin: int, own_xid: int, now: datetime) -> Horizon:
    """The horizon after sealing below `high`.

    All entries before `now` belong to transactions below `own_xid`. They are sealed for certain as soon as `xmin` has
    reached it: at once, when we are the oldest writer, or else in a later run, for which the pair is remembered.
    """
    if high < xmin:
        return replace(horizon, xid=high)
    if xmin >= own_xid:
        return Horizon(high, now, None, None)
    if horizon.next_xid is None or horizon.next_until is None:
        return Horizon(high, horizon.sealed_until, own_xid, now)
    if xmin >= horizon.next_xid:
        return Horizon(high, horizon.next_until, own_xid, now)
    return replace(horizon, xid=high)
