"""Results as a file, and a tournament's money as the ledger has it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from ledger import book, chart
from ledger import money as currencies
from tournaments import pages, purse, queries
from tournaments.core.tiebreaks import Key
from tournaments.state import State

#: Where a player's share of a tournament is: in the wallet, or written down as owed.
PLAYERS = (chart.WALLET, chart.RECEIVABLE)
_RISKY = ("=", "+", "-", "@", "\t", "\r")


def results_csv(state: State) -> str:
    """Two tables, an empty line between them: standings, then every series of every round."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    tournament = state.tournament
    for row in [
        ("tournament", tournament.pk, tournament.title),
        ("format", tournament.format),
        ("status", tournament.status),
        ("starts_at", tournament.starts_at.isoformat()),
        (),
    ]:
        writer.writerow(_safe(row))
    if state.seeded:
        writer.writerows(map(_safe, _standings(state)))
        writer.writerow(())
    writer.writerow(
        ("round", "series", "first", "second", "outcome", "first_score", "second_score", "winner", "reason")
    )
    for p in state.pairings:
        second = "" if p.second is None else str(p.second)
        winner = "" if p.winner is None else str(p.winner)
        scores = (p.first_score, p.second_score)
        writer.writerow(
            _safe((p.round.number, p.number, str(p.first), second, p.outcome or "open", *scores, winner, p.reason))
        )
    return "\ufeff" + out.getvalue()


def _standings(state: State) -> Iterable[tuple[Any, ...]]:
    keys: tuple[Key, ...] = () if state.tournament.is_knockout else state.ranking.keys
    yield ("place", "last_place", "player", "seed", "status", *keys, "prize", "currency")
    won, first = pages.prize_by_entrant(state), 1
    numbers = {} if state.tournament.is_knockout else {row.entrant: row for row in state.standings.rows}
    for group in state.groups:
        for pk in group:
            entrant = state.entrants[pk]
            found = [numbers[pk].number(key) for key in keys]
            prize = currencies.number(won[pk].amount, state.tournament.currency) if pk in won else ""
            values = ["" if number is None else number.value for number in found]
            code = state.tournament.currency
            yield (first, first + len(group) - 1, str(entrant), entrant.seed, entrant.status, *values, prize, code)
        first += len(group)


def _safe(row: Iterable[Any]) -> list[Any]:
    """Text that a spreadsheet would take for a formula is marked as text; numbers stay numbers, below zero too."""
    return [f"'{cell}" if isinstance(cell, str) and cell.startswith(_RISKY) else cell for cell in row]


def money(state: State, viewer: Any) -> dict[str, Any]:
    """Sums by what they were for, and the entries that this person may see (all of them, for operators)."""
    tournament = state.tournament
    entries = book.entries_for(purse.reference(tournament.pk))
    sums = {name: tournament.amount(Decimal(0)) for name in ("entries", "fees", "added", "prizes", "refunds")}
    for entry in entries:
        for line in entry.lines:
            if line.account_kind == chart.ENTRY_FEES:
                sums["fees"] += line.amount
            elif line.account_kind in (chart.PROMOTION_FUND, chart.PROMOTION):  # the latter before there was a fund
                sums["added"] -= line.amount
            elif line.account_kind == chart.POOL and entry.kind == chart.TOURNAMENT_ENTRY:
                sums["entries"] += line.amount
            elif line.account_kind == chart.WALLET and entry.kind == chart.TOURNAMENT_REFUND:
                sums["refunds"] += line.amount
            elif line.account_kind in PLAYERS and entry.kind != chart.TOURNAMENT_ENTRY:
                sums["prizes"] += line.amount
    everything = queries.may_direct(viewer)
    names = {entrant.player_id: entrant for entrant in state.entrants.values()}
    rows = [
        {"entry": entry, "line": line, "who": names.get(line.owner_id or 0), "mine": line.owner_id == viewer.pk}
        for entry in entries
        for line in entry.lines
        if line.account_kind in PLAYERS and (everything or line.owner_id == viewer.pk)
    ]
    held = [hold for hold in book.holds_for(purse.reference(tournament.pk)) if hold.state == "open"]
    blocked = sum((hold.amount for hold in held), tournament.amount(Decimal(0)))
    return {"sums": sums, "pool_now": purse.pool(tournament), "rows": rows, "blocked": blocked, "all": everything}
