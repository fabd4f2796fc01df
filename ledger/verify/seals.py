"""The chain of seals."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection

from ledger.seal import CANONICAL, GENESIS, Head, chained
from ledger.verify.registry import found_by, register


@register("seal_chain")
def seal_chain() -> Iterator[tuple[str, str]]:
    """Journal numbers run without a gap, each digest is its entry's as it stands now, chained to the one before."""
    return chain(Head(0, GENESIS))


def chain(after: Head) -> Iterator[tuple[str, str]]:
    """The same for the seals after this one, which must still be there as it was."""
    if after.number and not _is_there(after):
        yield f"seal {after.number}", "is not what it was when it was last verified"
    with connection.chunked_cursor() as cursor:
        cursor.execute(
            f"""SELECT s.number, s.entry_id, s.digest, CASE WHEN e.id IS NOT NULL THEN {CANONICAL} END
                  FROM ledger_seal s LEFT JOIN ledger_entry e ON e.id = s.entry_id
                 WHERE s.number > %s ORDER BY s.number""",
            [after.number],
        )
        last, digest = after.number, after.digest
        while rows := cursor.fetchmany(1000):
            for number, entry_id, stored, text in rows:
                if number != last + 1:
                    yield f"seal {number}", f"follows seal {last}: numbers are missing"
                if text is None:
                    yield f"seal {number}", f"its entry {entry_id} is missing"
                elif stored != chained(digest, number, text):
                    yield f"seal {number}", f"entry {entry_id} is not what was sealed, or seals were swapped"
                # Going on from what is stored, a change is reported where it happened and not at all that follows.
                last, digest = number, stored


def _is_there(head: Head) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT digest FROM ledger_seal WHERE number = %s", [head.number])
        found: tuple[str] | None = cursor.fetchone()
    return found == (head.digest,)


@register("seal_horizon")
def seal_horizon() -> Iterator[tuple[str, str]]:
    """Nothing below the sealed horizon is left unsealed: no entry was slipped in or lost its seal."""
    return found_by(
        """SELECT 'entry ' || e.id, 'is older than the sealed horizon and has no seal'
             FROM ledger_entry e, ledger_sealhorizon h
            WHERE (e.xid < h.xid OR e.at < h.sealed_until)
              AND NOT EXISTS (SELECT FROM ledger_seal s WHERE s.entry_id = e.id) ORDER BY e.id"""
    )
