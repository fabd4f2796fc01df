"""Swiss pairings: one round at a time, as the best complete pairing there is (docs/tournaments.md, "Swiss").

The rules are columns of a cost, the first column above all others (`Cost`). A maximum-weight matching finds the
pairing with the lowest sum; docs/decisions/0005-pairing-library.md says why, and how fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import networkx as nx

from tournaments.core.errors import BadInput, CannotPair
from tournaments.core.floats import Float, last_floats
from tournaments.core.results import Entrant, How, Line, Result, Tally, lines_of, tally


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a pairing depends on; stored with it for audit.

    `present` are the entrants to pair: who has left or is pausing is simply not among them, who came late is.
    `results` are those of all earlier rounds, also of entrants who have left. `past_half` is the director's permission
    to try a round beyond which a legal pairing is not certain to exist.
    """

    round: int
    present: tuple[Entrant, ...]
    results: tuple[Result, ...]
    past_half: bool = False


@dataclass(frozen=True, slots=True)
class Cost:
    """What a pair (or, summed, a pairing) costs; compared column by column, lower is better.

    bye: how many of those who may have the bye stand below its receiver. gap: the squared difference of scores.
    repeat: how many float the same way as in the round before. floater: how far the one who floats down is from the
    foot of their score group, plus how far the one who floats up is from the head of theirs. fold: the squared distance
    from "top half meets bottom half" within a score group.
    """

    bye: int = 0
    gap: int = 0
    repeat: int = 0
    floater: int = 0
    fold: int = 0

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns, the first above all others."""
        return self.bye, self.gap, self.repeat, self.floater, self.fold

    def __add__(self, other: Cost) -> Cost:
        return Cost(*(mine + theirs for mine, theirs in zip(self.columns, other.columns, strict=True)))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entrants who meet; `first` stands higher by score, then seed."""

    first: int
    second: int
    cost: Cost


@dataclass(frozen=True, slots=True)
class Pairing:
    """A complete pairing of a round, top table first, the receiver of the bye, and the summed cost."""

    round: int
    pairs: tuple[Pair, ...]
    bye: int | None
    cost: Cost


def default_rounds(field: int) -> int:
    """⌈log₂ n⌉: as many rounds as leave at most one entrant without a loss."""
    return max(field - 1, 0).bit_length()


def late_entry_open(rounds_paired: int, rounds: int) -> bool:
    """Whether somebody may still enter: until half of the rounds have been paired. Missed rounds bring no points."""
    return 2 * rounds_paired <= rounds


def pair(request: Request) -> Pairing:
    """The pairing of `request.round`. The same request gives the same pairing, in whatever order its parts are listed.

    Raises CannotPair when there is nobody to pair, when the round lies beyond half the field (N, counted with the bye)
    without permission, when nobody may have the bye, or when the rules leave somebody without an opponent: nothing is
    bent to make a pairing fit. Raises BadInput for contradictory values.
    """
    field = _Field(request)
    _refuse_hopeless(request, field)
    graph = _graph(field)
    # networkx walks its nodes and edges in the order they were added, and ours are small integers in the order of the
    # standings: nothing here depends on the hash seed or on the order of the caller's lists.
    matching = sorted(tuple(sorted(edge)) for edge in nx.max_weight_matching(graph, maxcardinality=True))
    if 2 * len(matching) < graph.number_of_nodes():
        raise _incomplete(request, field, matching)
    return _pairing(request, field, matching)


class _Field:
    """The entrants present in the order of the standings (score, then seed), and what their past allows."""

    def __init__(self, request: Request) -> None:
        self.order, past = _read(request)
        self.score = past.points
        self.floats = last_floats(past, request.round - 1)
        # A series lost by forfeit was paired too: the two are not paired again.
        self.met = {e.id: {line.opponent for line in past.lines[e.id]} for e in self.order}
        self.odd = len(self.order) % 2 == 1
        # Lowest score first, there the lowest rank.
        self.bye_order = [e.id for e in reversed(self.order) if not any(map(_bars_bye, past.lines[e.id]))]
        groups: dict[int, list[int]] = {}
        for entrant in self.order:
            groups.setdefault(self.score[entrant.id], []).append(entrant.id)
        self.group_size = {score: len(group) for score, group in groups.items()}
        self.position = {entrant: i for group in groups.values() for i, entrant in enumerate(group)}

    @property
    def nodes(self) -> int:
        """How many nodes are matched: the entrants, and the bye when they are odd."""
        return len(self.order) + self.odd

    def candidates(self) -> Iterator[tuple[int, int, Cost]]:
        """Every legal pair as two places in `order`, the higher one first; the bye is the place after the last."""
        for high, low in combinations(range(len(self.order)), 2):
            if self.order[low].id not in self.met[self.order[high].id]:
                yield high, low, self.cost(self.order[high].id, self.order[low].id)
        if self.odd:
            rank = {entrant: i for i, entrant in enumerate(self.bye_order)}
            for place, entrant in enumerate(self.order):
                if entrant.id in rank:
                    yield place, len(self.order), Cost(bye=rank[entrant.id])

    def cost(self, high: int, low: int) -> Cost:
        gap = self.score[high] - self.score[low]
        size, above, below = self.group_size[self.score[high]], self.position[high], self.position[low]
        if gap == 0:
            return Cost(fold=(below - above - size // 2) ** 2)
        repeat = (self.floats.get(high) is Float.DOWN) + (self.floats.get(low) is Float.UP)
        return Cost(gap=gap**2, repeat=repeat, floater=size - 1 - above + below)


def _read(request: Request) -> tuple[list[Entrant], Tally]:
    if request.round < 1:
        raise BadInput("bad_round", f"Rounds are counted from 1, not {request.round}.", round=request.round)
    ids = [entrant.id for entrant in request.present]
    if len(set(ids)) != len(ids) or len({entrant.seed for entrant in request.present}) != len(ids):
        raise BadInput("entrant_twice", "Two of the entrants to pair have the same id or the same seed.")
    past = tally(sorted(set(ids) | set(_named(request.results))), request.results)
    if past.rounds >= request.round:
        raise BadInput(
            "round_has_results",
            f"Round {past.rounds} already has results; round {request.round} cannot be paired any more.",
            round=past.rounds,
        )
    return sorted(request.present, key=lambda e: (-past.points[e.id], e.seed)), past


def _named(results: Iterable[Result]) -> Iterator[int]:
    for result in results:
        yield from (entrant for entrant, _ in lines_of(result))


def _bars_bye(line: Line) -> bool:
    return line.how is How.BYE or (line.how is How.FORFEIT and line.points == 1)


def _refuse_hopeless(request: Request, field: _Field) -> None:
    if len(field.order) < 2:
        raise CannotPair(
            "too_few",
            f"Round {request.round} has {len(field.order)} entrants present; a pairing needs two. "
            "End the tournament with the present standings, or let somebody return.",
            present=len(field.order),
        )
    if 2 * request.round > field.nodes and not request.past_half:
        raise CannotPair(
            "past_half",
            f"Round {request.round} of {len(field.order)} entrants: after round {field.nodes // 2} a pairing without "
            "a rematch is no longer certain to exist. Allow the attempt, or end with the present standings.",
            round=request.round,
            certain_until=field.nodes // 2,
        )
    if field.odd and not field.bye_order:
        raise CannotPair(
            "no_bye_receiver",
            f"Round {request.round} is odd, and all {len(field.order)} entrants have had a bye or a win by forfeit.",
            round=request.round,
        )


def _graph(field: _Field) -> nx.Graph[int]:
    """Legal pairs as edges; a weight's digits are the columns, each in a base that no sum of its column reaches."""
    edges = [(high, low, cost.columns) for high, low, cost in field.candidates()]
    tables = field.nodes // 2
    bases = [tables * max(column) + 1 for column in zip(*(columns for _, _, columns in edges), strict=True)]
    costs = [_number(columns, bases) for _, _, columns in edges]
    worst = max(costs, default=0)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(field.nodes))
    for (high, low, _), cost in zip(edges, costs, strict=True):
        graph.add_edge(high, low, weight=worst - cost)
    return graph


def _number(columns: tuple[int, ...], bases: list[int]) -> int:
    number = 0
    for column, base in zip(columns, bases, strict=True):
        number = number * base + column
    return number


def _incomplete(request: Request, field: _Field, matching: list[tuple[int, ...]]) -> CannotPair:
    matched = {place for edge in matching for place in edge}
    left = tuple(entrant.id for place, entrant in enumerate(field.order) if place not in matched)
    return CannotPair(
        "no_complete_pairing",
        f"Round {request.round} has no complete pairing: without a rematch or a second bye, at best {len(matching)} of "
        f"{field.nodes // 2} tables can be filled, and then {', '.join(map(str, left)) or 'the bye'} would be left "
        "over. Let somebody pause, or end with the present standings.",
        round=request.round,
        left=left,
    )


def _pairing(request: Request, field: _Field, matching: list[tuple[int, ...]]) -> Pairing:
    order, bye_place = field.order, len(field.order)
    pairs: list[Pair] = []
    bye, total = None, Cost()
    # Sorted by the higher-standing side: that is the order of the tables.
    for high, low in matching:
        if low == bye_place:
            bye = order[high].id
            total += Cost(bye=field.bye_order.index(bye))
        else:
            pairs.append(Pair(order[high].id, order[low].id, field.cost(order[high].id, order[low].id)))
            total += pairs[-1].cost
    return Pairing(request.round, tuple(pairs), bye, total)
