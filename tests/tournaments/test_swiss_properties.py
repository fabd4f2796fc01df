"""What holds for every Swiss tournament, however it goes (docs/tournaments.md, "Swiss")."""

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.fields import play_swiss
from tournaments.core.results import Bye, Forfeit
from tournaments.core.swiss import pair

SEEDS = st.integers(0, 2**32)
troubled = st.builds(
    play_swiss,
    st.integers(2, 20),
    st.integers(1, 8),
    SEEDS,
    leaves=st.sampled_from([0, 0.1]),
    late=st.sampled_from([0, 0.2]),
    forfeits=st.sampled_from([0, 0.2]),
    past_half=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(troubled)
def test_no_rematch_no_second_bye_and_complete_rounds(tournament):
    met = Counter(frozenset((p.first, p.second)) for pairing in tournament.pairings for p in pairing.pairs)
    assert all(times == 1 for times in met.values())
    byes = Counter(pairing.bye for pairing in tournament.pairings if pairing.bye is not None)
    assert all(times == 1 for times in byes.values())
    for request, pairing in zip(tournament.requests, tournament.pairings, strict=True):
        sides = [side for p in pairing.pairs for side in (p.first, p.second)]
        assert sorted(sides + [pairing.bye] * (pairing.bye is not None)) == sorted(e.id for e in request.present)
        had_free_point = {r.entrant for r in request.results if isinstance(r, Bye)}
        had_free_point |= {r.winner for r in request.results if isinstance(r, Forfeit)}
        assert pairing.bye not in had_free_point


@settings(max_examples=80, deadline=None)
@given(st.integers(2, 24), SEEDS)
def test_until_half_the_field_there_is_always_a_pairing(n, seed):
    rounds = (n + n % 2) // 2
    tournament = play_swiss(n, rounds, seed)
    assert tournament.stopped is None
    assert len(tournament.pairings) == rounds


@settings(max_examples=60, deadline=None)
@given(troubled, st.randoms(use_true_random=False))
def test_the_order_of_the_lists_does_not_matter(tournament, chance):
    for request, pairing in zip(tournament.requests, tournament.pairings, strict=True):
        present, results = list(request.present), list(request.results)
        chance.shuffle(present)
        chance.shuffle(results)
        assert pair(replace(request, present=tuple(present), results=tuple(results))) == pairing


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 8), st.integers(1, 5), SEEDS, st.sampled_from([0, 0.2]), st.sampled_from([0, 0.15]))
def test_no_other_pairing_is_better(n, rounds, seed, forfeits, leaves):
    """Against all pairings there are, judged by a judge of its own."""
    tournament = play_swiss(n, rounds, seed, forfeits=forfeits, leaves=leaves, past_half=True)
    for request, pairing in zip(tournament.requests, tournament.pairings, strict=True):
        judge = Judge(request)
        chosen = [(p.first, p.second) for p in pairing.pairs] + [(pairing.bye, None)] * (pairing.bye is not None)
        assert judge.cost(chosen) == min(map(judge.cost, judge.legal()))
        assert pairing.cost.columns == judge.cost(chosen)


class Judge:
    """The rules of the pairing once more, in the plainest words, for small fields."""

    def __init__(self, request):
        self.score = {e.id: 0 for e in request.present}
        self.history = {e.id: [] for e in request.present}
        self.free_point, self.met = set(), set()
        everybody = Counter()
        self.last = {}
        for number in range(1, request.round):
            before = dict(everybody)
            for result in (r for r in request.results if r.round == number):
                self._take(result, everybody, before, number == request.round - 1)
        self.score = {e.id: everybody[e.id] for e in request.present}
        self.standing = [e.id for e in sorted(request.present, key=lambda e: (-self.score[e.id], e.seed))]

    def _take(self, result, score, before, last_round):
        name = type(result).__name__
        if name == "Bye":
            score[result.entrant] += 1
            self.free_point.add(result.entrant)
            if last_round:
                self.last[result.entrant] = "down"
            return
        if name == "Missed":
            return
        one, two = (result.first, result.second) if name == "DoubleForfeit" else (result.winner, result.loser)
        self.met.add(frozenset((one, two)))
        if name != "DoubleForfeit":
            score[one] += 1
        if name == "Forfeit":
            self.free_point.add(one)
        for own, other in ((one, two), (two, one)):
            if last_round and before.get(own, 0) != before.get(other, 0):
                self.last[own] = "down" if before.get(own, 0) > before.get(other, 0) else "up"

    def legal(self):
        yield from self._complete(self.standing if len(self.standing) % 2 == 0 else [*self.standing, None])

    def _complete(self, waiting):
        if not waiting:
            yield []
            return
        one = waiting[0]
        for two in waiting[1:]:
            if (two is None and one in self.free_point) or frozenset((one, two)) in self.met:
                continue
            for others in self._complete([other for other in waiting[1:] if other != two]):
                yield [(one, two), *others]

    def cost(self, pairs):
        sums = [0] * 5
        for one, two in pairs:
            for column, value in enumerate(self._one(one, two)):
                sums[column] += value
        return tuple(sums)

    def _one(self, one, two):
        if two is None:
            may = [entrant for entrant in reversed(self.standing) if entrant not in self.free_point]
            return may.index(one), 0, 0, 0, 0
        group_one = [e for e in self.standing if self.score[e] == self.score[one]]
        group_two = [e for e in self.standing if self.score[e] == self.score[two]]
        if group_one == group_two:
            distance = group_one.index(two) - group_one.index(one)
            return 0, 0, 0, 0, (distance - len(group_one) // 2) ** 2
        gap = self.score[one] - self.score[two]
        repeat = (self.last.get(one) == "down") + (self.last.get(two) == "up")
        return 0, gap**2, repeat, group_one[::-1].index(one) + group_two.index(two), 0
