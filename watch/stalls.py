"""What stands still: the sealer, and settlement. Beat and worker are seen by their signs of life (health)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ledger.verify import Violation
from watch import findings

STALL_S = 60
Fetch = Callable[[str], Any]

# The oldest entry that the sealer has not got to. Below the horizon all are sealed.
UNSEALED_SQL = """
    SELECT extract(epoch FROM clock_timestamp() - min(e.at))::bigint FROM ledger_entry e
     WHERE e.xid >= coalesce((SELECT xid FROM ledger_sealhorizon), 0)
       AND NOT EXISTS (SELECT FROM ledger_seal s WHERE s.entry_id = e.id)"""
PENDING_SQL = """
    SELECT extract(epoch FROM clock_timestamp() - min(finished_at))::bigint FROM games_game
     WHERE settlement = 'pending'"""
PAUSED_SQL = "SELECT EXISTS (SELECT FROM games_settlementpause WHERE paused)"
PARKED_SQL = "SELECT count(*) FROM games_game WHERE settlement = 'parked'"


@dataclass(frozen=True)
class Waiting:
    """Work that waits: in which part, how that is said, and whether it should not be so (a stall). Operators know of
    what they have paused or must retry, so that is none."""

    part: str
    said: str
    is_stall: bool


def look(fetch: Fetch) -> list[Waiting]:
    """What stands still or waits for an operator; empty when all goes on. `fetch` runs a query for its one row."""
    found = []
    (unsealed,) = fetch(UNSEALED_SQL)
    if unsealed is not None and unsealed > STALL_S:
        found.append(Waiting("sealer", f"an entry has waited for its seal for {unsealed} s", True))
    (pending,) = fetch(PENDING_SQL)
    if pending is not None and pending > STALL_S:
        (paused,) = fetch(PAUSED_SQL)
        why = "settlement is paused by operators: " if paused else ""
        found.append(Waiting("settlement", f"{why}a finished game has waited for {pending} s", not paused))
    (parked,) = fetch(PARKED_SQL)
    if parked:
        found.append(Waiting("parked", f"{parked} games could not be settled and wait for an operator", False))
    return found


def alarm(found: list[Waiting]) -> int:
    """Note the stalls among what `look` found; returns how many."""
    return findings.note(Violation("stalled", one.part, one.said) for one in found if one.is_stall)
