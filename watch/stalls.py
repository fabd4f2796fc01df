"""What stands still: the sealer, and settlement. Beat and worker are seen by their signs of life (health)."""

from __future__ import annotations

from collections.abc import Callable
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


def look(fetch: Fetch) -> dict[str, str]:
    """What stands still or waits for an operator, by part, in words; empty when all goes on.

    `fetch` runs a query and answers its only row.
    """
    told = {}
    (unsealed,) = fetch(UNSEALED_SQL)
    if unsealed is not None and unsealed > STALL_S:
        told["sealer"] = f"an entry has waited for its seal for {unsealed} s"
    (pending,) = fetch(PENDING_SQL)
    if pending is not None and pending > STALL_S:
        why = "settlement is paused by operators: " if fetch(PAUSED_SQL) == (True,) else ""
        told["settlement"] = f"{why}a finished game has waited for {pending} s"
    (parked,) = fetch(PARKED_SQL)
    if parked:
        told["parked"] = f"{parked} games could not be settled and wait for an operator"
    return told


def alarm(told: dict[str, str]) -> int:
    """Note what `look` saw standing still; returns how many parts. What waits for an operator is noted already."""
    return findings.note(
        Violation("stalled", part, told[part])
        for part in ("sealer", "settlement")
        if part in told and "paused" not in told[part]
    )
