"""What the pages of a tournament show: lines of pairings, standings, cross table, prizes, arithmetic in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext, ngettext
from moneyed import Money

from games import series
from games.models import Game, Table
from ledger.display import number_text
from tournaments import purse, registration, words
from tournaments.core import prizes
from tournaments.core.results import How
from tournaments.core.tiebreaks import Key, Number, Term
from tournaments.models import Entrant, Pairing, Tournament
from tournaments.shown_pool import pool_of
from tournaments.state import State
from tournaments.steps import S

MINUS = "\N{MINUS SIGN}"


# --- Series -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A pairing as a row: who, how it stands, and what is to be said about it."""

    pairing: Pairing
    first: Entrant
    second: Entrant | None
    score: str
    state: str  # "bye", "ready", "playing", "done", "forfeit"
    note: str
    deadline: datetime | None
    table_id: int | None
    ready: tuple[bool, bool]

    @property
    def number(self) -> int:
        return self.pairing.number

    @property
    def first_won(self) -> bool:
        return self.pairing.winner_id == self.first.pk

    @property
    def second_won(self) -> bool:
        return self.second is not None and self.pairing.winner_id == self.second.pk


def lines(pairings: Sequence[Pairing]) -> list[Line]:
    """Rows for pairings; one statement for the games of those that are open."""
    tables = [pairing.table_id for pairing in pairings if pairing.is_open and pairing.table_id]
    games: dict[int, list[Game]] = {table: [] for table in tables}  # type: ignore[misc]
    for game in Game.objects.filter(table__in=tables).defer("state"):
        games[game.table_id].append(game)
    return [_line(pairing, games.get(pairing.table_id or 0, [])) for pairing in pairings]


def _line(pairing: Pairing, games: list[Game]) -> Line:
    score, state, note = _outcome(pairing)
    ready = (False, False)
    if pairing.is_open and pairing.table is not None:
        table: Table = pairing.table
        ready = (table.white_ready, table.black_ready)
        state = "playing" if games else "ready"
        if games:
            now = series.score(table, games)
            score = f"{now.white} : {now.black}"
    return Line(
        pairing, pairing.first, pairing.second, score, state, note,
        pairing.deadline if state == "ready" else None, pairing.table_id, ready,
    )  # fmt: skip


def _outcome(pairing: Pairing) -> tuple[str, str, str]:
    """Score, state and note of a decided series."""
    if pairing.outcome == Pairing.Outcome.BYE:
        return "", "bye", ""
    if pairing.outcome == Pairing.Outcome.PLAYED:
        corrected = gettext("corrected: %(reason)s") % {"reason": pairing.reason} if pairing.reason else ""
        return f"{pairing.first_score} : {pairing.second_score}", "done", corrected
    if pairing.outcome == Pairing.Outcome.DOUBLE_FORFEIT:
        return f"{MINUS} : {MINUS}", "forfeit", gettext("both absent")
    if pairing.outcome == Pairing.Outcome.FORFEIT:
        signs = ("+", MINUS) if pairing.winner_id == pairing.first_id else (MINUS, "+")
        return " : ".join(signs), "forfeit", words.reason(pairing.reason)
    return "", "ready", ""


def mine(state: State, player_id: int | None) -> Line | None:
    """The series that this person has to play now."""
    for pairing in state.open_pairings:
        players = {pairing.first.player_id, pairing.second.player_id if pairing.second else None}
        if player_id is not None and player_id in players:
            return lines([pairing])[0]
    return None


def round_lines(state: State, number: int) -> list[Line]:
    return lines([pairing for pairing in state.pairings if pairing.round.number == number])


def free(state: State, number: int) -> Entrant | None:
    """Who of a round robin has no opponent in a round because the field is odd."""
    if not state.tournament.is_round_robin or not 0 < number <= len(state.rounds):
        return None
    pk = state.fixtures[number - 1].free
    return state.entrants[pk] if pk is not None else None


# --- Standings --------------------------------------------------------------------------------------------------------


class Standing(NamedTuple):
    """A row of the standings; `numbers` in the order of the columns, None where a key was not needed."""

    place: str
    entrant: Entrant
    numbers: list[str | None]
    prize: Money | None


def columns(state: State) -> list[words.KeyWords]:
    return [] if state.tournament.is_knockout else [words.KEYS[key] for key in state.ranking.keys]


def standings(state: State) -> list[Standing]:
    """All places with the prizes they would bring now (or have brought)."""
    won = prize_by_entrant(state)
    if state.tournament.is_knockout:
        return [
            Standing(place, state.entrants[pk], [], won.get(pk))
            for place, group in _places(state.groups)
            for pk in group
        ]
    keys = state.ranking.keys
    rows = []
    for row in state.standings.rows:
        numbers = [row.number(key) for key in keys]
        shown = [None if number is None else figure(number) for number in numbers]
        rows.append(
            Standing(_place(row.place, row.last_place), state.entrants[row.entrant], shown, won.get(row.entrant))
        )
    return rows


def _places(groups: Iterable[Sequence[int]]) -> list[tuple[str, Sequence[int]]]:
    found, first = [], 1
    for group in groups:
        found.append((_place(first, first + len(group) - 1), group))
        first += len(group)
    return found


def _place(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def figure(number: Number) -> str:
    places = max(0, -int(number.value.normalize().as_tuple().exponent))
    return number_text(number.value, places).replace("-", MINUS)


def unranked(state: State) -> list[Entrant]:
    """Who left a round robin before half of their series: all visible, counted for nobody."""
    return [state.entrants[pk] for pk in state.counted.unranked]


def prize_by_entrant(state: State) -> dict[int, Money]:
    """What the present places bring; after the payout, what was paid."""
    tournament = state.tournament
    if tournament.status == S.PAID:
        by_player = {entrant.player_id: entrant.pk for entrant in state.entrants.values()}
        return {by_player[player]: amount for player, amount in purse.paid_out(tournament).items() if amount.amount}
    if tournament.status not in (S.RUNNING, S.FINISHED) or len(state.seeded) < 2:
        return {}
    pool = purse.pool(tournament)
    return {one.entrant: purse.in_money(tournament, one.amount) for one in purse.shares(state, pool)}


class Prize(NamedTuple):
    place: int
    amount: Money


def prize_table(state: State) -> list[Prize]:
    """The prizes by place for the present field (at least the smallest one the tournament takes)."""
    tournament = state.tournament
    field = max(len(state.entrants), tournament.min_field)
    weights = tuple(tournament.prize_weights) or prizes.table_for(field)
    pool = pool_of(state)
    units = int(pool.amount / purse.in_money(tournament, 1).amount)
    parts = prizes.split(units, weights[:field])
    return [Prize(place, purse.in_money(tournament, part)) for place, part in enumerate(parts, start=1) if part]


# --- The arithmetic behind a number -----------------------------------------------------------------------------------


class Arithmetic(NamedTuple):
    """One number of one entrant: its key in words, the sum in figures, and each part with where it comes from."""

    key: words.KeyWords
    value: str
    formula: str
    among: list[Entrant]
    parts: list[tuple[int, str, str, bool]]


def arithmetic(state: State, entrant: Entrant) -> list[Arithmetic]:
    """Every number of an entrant's row with all that it is made of; empty for who is not ranked."""
    if state.tournament.is_knockout:
        return []
    row = next((row for row in state.standings.rows if row.entrant == entrant.pk), None)
    return [_arithmetic(state, number) for number in row.numbers] if row else []


def _arithmetic(state: State, number: Number) -> Arithmetic:
    parts = [(term.round, _opponent(state, term), _part(number.key, term), term.counts) for term in number.terms]
    among = [state.entrants[pk] for pk in number.among]
    return Arithmetic(words.KEYS[number.key], figure(number), number.formula(), among, parts)


def _opponent(state: State, term: Term) -> str:
    if term.opponent is not None:
        name = str(state.entrants[term.opponent])
        return gettext("%(name)s (forfeit)") % {"name": name} if term.how is How.FORFEIT else name
    return gettext("bye") if term.how is How.BYE else gettext("missed round")


def _part(key: Key, term: Term) -> str:
    """ "2", "1 × 3", "2.5 (the lower of 3 and 2.5)"."""
    shown = str(term.amount) if term.times == 1 else f"{term.times} × {term.amount}"
    if not term.of:
        return shown
    if key is Key.DIFFERENCE:
        limits = {"shown": shown, "value": term.of[0], "cap": term.of[1]}
        return gettext("%(shown)s (%(value)s, limited to %(cap)s)") % limits
    return gettext("%(shown)s (the lower of %(own)s and %(other)s)") % {
        "shown": shown, "own": term.of[0], "other": term.of[1],
    }  # fmt: skip


def way(state: State, entrant: Entrant) -> list[tuple[int, Line]]:
    """An entrant's series, round by round."""
    own = [p for p in state.pairings if entrant.pk in (p.first_id, p.second_id)]
    return [(line.pairing.round.number, line) for line in lines(own)]


# --- Cross table ------------------------------------------------------------------------------------------------------


class CrossRow(NamedTuple):
    place: str
    entrant: Entrant
    cells: list[str | None]  # None: oneself
    counts: bool


def cross_table(state: State) -> list[CrossRow]:
    """Everybody against everybody, in the order of the standings; who is unranked comes last."""
    order = [(standing.place, standing.entrant, True) for standing in standings(state)]
    order += [("", entrant, False) for entrant in unranked(state)]
    met: dict[tuple[int, int], list[str]] = {}
    for pairing in state.pairings:
        if pairing.is_open or pairing.second_id is None:
            continue
        score = _outcome(pairing)[0].split(" : ")
        met.setdefault((pairing.first_id, pairing.second_id), []).append(":".join(score))
        met.setdefault((pairing.second_id, pairing.first_id), []).append(":".join(reversed(score)))
    return [
        CrossRow(place, entrant, [_cell(met, entrant, other) for _, other, _ in order], counts)
        for place, entrant, counts in order
    ]


def _cell(met: dict[tuple[int, int], list[str]], one: Entrant, other: Entrant) -> str | None:
    return None if one.pk == other.pk else "  ".join(met.get((one.pk, other.pk), []))


# --- What it is about for this reader ---------------------------------------------------------------------------------


def standing_of(state: State, player_id: int | None) -> Entrant | None:
    """The reader's own entry, also a withdrawn one; None for a stranger and for who left before the start."""
    return next((e for e in state.entrants.values() if e.player_id == player_id), None)


def may_register(tournament: Tournament, state: State, own: Entrant | None) -> bool:
    if own is not None or len(state.entrants) >= tournament.max_field:
        return False
    return tournament.status == S.REGISTRATION or registration.takes_late_entries(state)


def waits_for(state: State) -> str:
    """What the present round still waits for, in a sentence; empty when it waits for nothing."""
    count = len(state.open_pairings)
    if not count or state.tournament.status != S.RUNNING:
        return ""
    return ngettext(
        "The next round waits for %(count)s series.", "The next round waits for %(count)s series.", count
    ) % {"count": count}
