"""Round robins: Berger's tables as printed, and everybody meets everybody (docs/tournaments.md, "Round robin")."""

from collections import Counter

import pytest

from tournaments.core.berger import round_robin
from tournaments.core.errors import BadInput

PRINTED = {
    4: "1-4 2-3 · 4-3 1-2 · 2-4 3-1",
    5: "2-5 3-4 (1) · 5-3 1-2 (4) · 3-1 4-5 (2) · 1-4 2-3 (5) · 4-2 5-1 (3)",
    6: "1-6 2-5 3-4 · 6-4 5-3 1-2 · 2-6 3-1 4-5 · 6-5 1-4 2-3 · 3-6 4-2 5-1",
}


def printed(rounds):
    return " · ".join(
        " ".join([f"{f.first}-{f.second}" for f in r.fixtures] + ([f"({r.free})"] if r.free else [])) for r in rounds
    )


@pytest.mark.parametrize("n", PRINTED)
def test_the_tables_are_those_in_print(n):
    assert printed(round_robin(range(1, n + 1))) == PRINTED[n]


@pytest.mark.parametrize("n", range(2, 41))
def test_everybody_meets_everybody_once_and_plays_once_a_round(n):
    rounds = round_robin(range(1, n + 1))
    assert len(rounds) == n - 1 + n % 2
    met = Counter()
    for once in rounds:
        sides = [side for f in once.fixtures for side in (f.first, f.second)] + ([once.free] if once.free else [])
        assert sorted(sides) == list(range(1, n + 1))
        met.update(frozenset((f.first, f.second)) for f in once.fixtures)
    assert len(met) == n * (n - 1) // 2
    assert set(met.values()) == {1}


@pytest.mark.parametrize("n", range(2, 41))
def test_pairs_and_first_named_follow_the_rule_of_sums(n):
    last = n + n % 2
    for once in round_robin(range(1, n + 1)):
        for f in once.fixtures:
            low, high = sorted((f.first, f.second))
            if high == last:
                assert (2 * low - once.number - 1) % (last - 1) == 0
                assert f.first == (high if once.number % 2 == 0 else low)
            else:
                assert (low + high - once.number - 1) % (last - 1) == 0
                assert f.first == (low if (low + high) % 2 else high)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 13])
def test_a_double_round_robin_turns_every_pair_round(n):
    rounds = round_robin(range(1, n + 1), double=True)
    pairs = [(f.first, f.second) for once in rounds for f in once.fixtures]
    assert len(pairs) == len(set(pairs)) == n * (n - 1)
    assert [once.number for once in rounds] == list(range(1, 2 * (n - 1 + n % 2) + 1))
    assert all(f.round == once.number for once in rounds for f in once.fixtures)


def test_nobody_is_named_first_much_more_often_than_second():
    for n in range(2, 41):
        first = Counter(f.first for once in round_robin(range(1, n + 1)) for f in once.fixtures)
        assert max(first[e] for e in range(1, n + 1)) - min(first[e] for e in range(1, n + 1)) <= 1


def test_ids_stand_for_the_seeds():
    assert printed(round_robin([70, 30, 50, 20])) == "70-20 30-50 · 20-50 70-30 · 30-20 50-70"


@pytest.mark.parametrize(("entrants", "code"), [([], "too_few"), ([1], "too_few"), ([1, 2, 1], "entrant_twice")])
def test_a_field_that_cannot_play_is_refused(entrants, code):
    with pytest.raises(BadInput) as error:
        round_robin(entrants)
    assert error.value.code == code
