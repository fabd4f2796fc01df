"""A tournament as the pure core sees it: rows read once, results, standings, bracket and places computed from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.db import connection

from ledger.snapshot import snapshot
from tournaments.core import berger, knockout, prizes, withdrawals
from tournaments.core import results as r
from tournaments.core.standings import ROUND_ROBIN_KEYS, SWISS_KEYS, Ranking, Standings, standings
from tournaments.core.swiss import default_rounds
from tournaments.core.tiebreaks import Key
from tournaments.models import Entrant, Pairing, Round, Tournament

O = Pairing.Outcome  # noqa: E741


@dataclass
class State:
    """`entrants`: those who have not left before the start, by id. `rounds` and `pairings` in order."""

    tournament: Tournament
    entrants: dict[int, Entrant]
    rounds: list[Round]
    pairings: list[Pairing]

    @cached_property
    def seeded(self) -> list[Entrant]:
        """Entrants with a seed, in its order."""
        return sorted((e for e in self.entrants.values() if e.seed is not None), key=lambda e: e.seed or 0)

    @cached_property
    def withdrawn(self) -> frozenset[int]:
        return frozenset(e.pk for e in self.entrants.values() if e.status == Entrant.Status.WITHDRAWN)

    @property
    def current(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def open_pairings(self) -> list[Pairing]:
        return [pairing for pairing in self.pairings if pairing.is_open]

    @cached_property
    def rounds_planned(self) -> int:
        """How many rounds there will be for the present field (a knockout's by its bracket)."""
        field = max(len(self.entrants), 2 if self.rounds else self.tournament.min_field)
        if self.tournament.is_swiss:
            return self.tournament.rounds or default_rounds(field)
        if self.tournament.is_knockout:
            return (field - 1).bit_length()
        return (field - 1 + field % 2) * (1 + (self.tournament.format == Tournament.Format.DOUBLE_ROUND_ROBIN))

    # --- results ------------------------------------------------------------------------------------------------------

    @cached_property
    def results(self) -> list[r.Result]:
        """Everything decided so far, as it was decided; in a Swiss also who missed which round."""
        decided = [result for pairing in self.pairings if (result := result_of(pairing)) is not None]
        return decided + (self._missed() if self.tournament.is_swiss else [])

    def _missed(self) -> list[r.Result]:
        missed: list[r.Result] = []
        for row in self.rounds:
            there = {side for p in self.pairings if p.round_id == row.pk for side in (p.first_id, p.second_id)}
            missed += [r.Missed(row.number, e.pk) for e in self.seeded if e.pk not in there]
        return missed

    @cached_property
    def fixtures(self) -> tuple[berger.Round, ...]:
        """A round robin's whole table."""
        double = self.tournament.format == Tournament.Format.DOUBLE_ROUND_ROBIN
        return berger.round_robin([entrant.pk for entrant in self.seeded], double=double)

    @cached_property
    def counted(self) -> withdrawals.Counted:
        """A round robin's results after withdrawals; elsewhere all results count."""
        if not self.tournament.is_round_robin:
            return withdrawals.Counted(tuple(self.results), (), ())
        fixtures = [fixture for number in self.fixtures for fixture in number.fixtures]
        return withdrawals.count(fixtures, self.results, self.withdrawn)

    @cached_property
    def ranking(self) -> Ranking:
        usual = ROUND_ROBIN_KEYS if self.tournament.is_round_robin else SWISS_KEYS
        keys = tuple(Key(key) for key in self.tournament.ranking) or usual
        return Ranking(keys, self.tournament.difference_cap)

    @cached_property
    def standings(self) -> Standings:
        """Places with every number behind them; not for knockouts, where the bracket says who stands where."""
        counted = self.counted
        field = [r.Entrant(e.pk, e.seed or 0) for e in self.seeded if e.pk not in counted.unranked]
        return standings(field, counted.results, self.ranking)

    # --- knockout -----------------------------------------------------------------------------------------------------

    @cached_property
    def bracket(self) -> knockout.Bracket:
        order = [entrant.pk for entrant in self.seeded]
        return knockout.bracket(order, third_place=self.tournament.third_place)

    @cached_property
    def progress(self) -> knockout.Progress:
        outcomes = {p.bracket_key: p.winner_id for p in self.pairings if not p.is_open}
        return knockout.progress(self.bracket, outcomes)

    # --- the end ------------------------------------------------------------------------------------------------------

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Entrants by place, best first, within a shared place in the order in which odd units go out."""
        if not self.tournament.is_knockout:
            return self.standings.groups
        return self.progress.places or self._standing_of_bracket()

    def _standing_of_bracket(self) -> tuple[tuple[int, ...], ...]:
        """Before the final: who is still in shares the first place; who went out later stands higher."""
        out = {side: match.series.round for match in self.progress.matches for side in match.out}
        groups: dict[int, list[int]] = {}
        for entrant in self.seeded:
            groups.setdefault(out.get(entrant.pk, self.bracket.rounds + 1), []).append(entrant.pk)
        return tuple(tuple(groups[number]) for number in sorted(groups, reverse=True))

    @property
    def weights(self) -> tuple[int, ...]:
        """The prize table in force: the tournament's own, or that of the present field."""
        return tuple(self.tournament.prize_weights) or prizes.table_for(max(len(self.entrants), 2))


def result_of(pairing: Pairing) -> r.Result | None:
    """A decided pairing as the core's value; None while it is open."""
    number = pairing.round.number
    if pairing.outcome == O.BYE:
        return r.Bye(number, pairing.first_id)
    if pairing.second_id is None or pairing.is_open:
        return None
    if pairing.outcome == O.DOUBLE_FORFEIT:
        return r.DoubleForfeit(number, pairing.first_id, pairing.second_id)
    first_won = pairing.winner_id == pairing.first_id
    winner, loser = (pairing.first_id, pairing.second_id) if first_won else (pairing.second_id, pairing.first_id)
    if pairing.outcome == O.FORFEIT:
        return r.Forfeit(number, winner, loser)
    scores = (pairing.first_score, pairing.second_score)
    return r.Played(number, winner, loser, *(scores if first_won else scores[::-1]))


def load(tournament: Tournament) -> State:
    """Read a tournament's entrants, rounds and pairings: three statements, of one moment.

    Within a transaction the tournament is locked; who has none reads a snapshot, for a round may be paired meanwhile.
    """
    if connection.in_atomic_block:
        return _load(tournament)
    with snapshot():
        return _load(tournament)


def _load(tournament: Tournament) -> State:
    entrants = tournament.entrants.select_related("player").exclude(status=Entrant.Status.LEFT).order_by("pk")
    rounds = list(tournament.round_rows.defer("record").order_by("number"))
    by_id = {entrant.pk: entrant for entrant in entrants}
    numbers = {row.pk: row for row in rounds}
    pairings = list(tournament.pairings.select_related("table").order_by("round__number", "number"))
    for pairing in pairings:  # the rows are here already; nothing is read twice
        pairing.round = numbers[pairing.round_id]
        pairing.first = by_id[pairing.first_id]
        if pairing.second_id is not None:
            pairing.second = by_id[pairing.second_id]
        if pairing.winner_id is not None:
            pairing.winner = by_id[pairing.winner_id]
    return State(tournament, by_id, rounds, pairings)
