"""Knockouts: brackets, byes, absences, places (docs/tournaments.md, "Knockout")."""

import random

import pytest

from tournaments.core.errors import BadInput
from tournaments.core.knockout import THIRD, Seed, State, WinnerOf, bracket, progress, seed_slots

SIZES = range(2, 65)


def play(drawn, chance, absent=0.0):
    """Play the ready series in any order until none is left."""
    outcomes = {}
    while ready := progress(drawn, outcomes).ready:
        match = chance.choice(ready)
        outcomes[match.series.key] = None if chance.random() < absent else chance.choice((match.first, match.second))
    return outcomes


def test_slots_of_eight():
    assert seed_slots(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 64])
def test_the_best_meet_as_late_as_they_can(size):
    slots = seed_slots(size)
    best = size
    while best > 1:
        # Divided into `best` equal parts, every part has exactly one of the best `best` seeds.
        part = size // best
        assert [sum(seed <= best for seed in slots[i : i + part]) for i in range(0, size, part)] == [1] * best
        best //= 2


@pytest.mark.parametrize("n", SIZES)
def test_every_size_ends_with_one_winner_after_n_minus_1_series(n):
    entrants = tuple(range(101, 101 + n))
    drawn = bracket(entrants)
    outcomes = play(drawn, random.Random(n))
    end = progress(drawn, outcomes)
    assert len(drawn.series) == len(outcomes) == n - 1
    assert end.finished
    assert end.places[0] == (end.champion,)
    assert sorted(entrant for group in end.places for entrant in group) == list(entrants)
    lost = [entrant for match in end.matches for entrant in match.out]
    assert sorted(lost) == sorted(set(entrants) - {end.champion})


@pytest.mark.parametrize("n", SIZES)
def test_the_top_seeds_have_the_byes_and_a_bye_is_no_series(n):
    drawn = bracket(range(1, n + 1))
    in_round_1 = {side.seed for s in drawn.series if s.round == 1 for side in (s.first, s.second)}
    byes = (1 << (n - 1).bit_length()) - n
    assert in_round_1 == set(range(byes + 1, n + 1))
    assert all(
        isinstance(side, WinnerOf) or (s.round <= 2 and isinstance(side, Seed))
        for s in drawn.series
        for side in (s.first, s.second)
    )


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("third_place", [False, True])
def test_however_many_stay_away_the_bracket_comes_to_its_end(n, third_place):
    entrants = tuple(range(101, 101 + n))
    drawn = bracket(entrants, third_place=third_place)
    for seed in range(4):
        outcomes = play(drawn, random.Random(seed), absent=0.4)
        end = progress(drawn, outcomes)
        assert end.finished
        assert sorted(entrant for group in end.places for entrant in group) == list(entrants)
        states = [match.state for match in end.matches]
        assert states.count(State.DONE) == len(outcomes)
        assert states.count(State.DONE) + states.count(State.WALKOVER) + states.count(State.EMPTY) == len(states)


def test_six_entrants_and_the_places_they_share():
    drawn = bracket([1, 2, 3, 4, 5, 6])
    assert [s.key for s in drawn.series] == ["1.2", "1.4", "2.1", "2.2", "3.1"]
    end = progress(drawn, {"1.2": 5, "1.4": 3, "2.1": 1, "2.2": 3, "3.1": 3})
    assert end.places == ((3,), (1,), (2, 5), (4, 6))
    assert end.champion == 3


def test_a_series_is_ready_when_both_sides_are_known():
    drawn = bracket([1, 2, 3, 4, 5, 6])
    now = progress(drawn, {"1.2": 5})
    assert [(m.series.key, m.state, m.first, m.second) for m in now.matches] == [
        ("1.2", State.DONE, 4, 5),
        ("1.4", State.READY, 3, 6),
        ("2.1", State.READY, 1, 5),
        ("2.2", State.WAITING, 2, None),
        ("3.1", State.WAITING, None, None),
    ]
    assert [match.series.key for match in now.ready] == ["1.4", "2.1"]
    assert not now.finished
    assert now.champion is None
    assert now.places == ()


def test_with_a_third_place_series_three_and_four_are_places_of_their_own():
    drawn = bracket([1, 2, 3, 4], third_place=True)
    semis = {"1.1": 1, "1.2": 3}
    assert {m.series.key: (m.first, m.second) for m in progress(drawn, semis).ready} == {THIRD: (4, 2), "2.1": (1, 3)}
    before = progress(drawn, {**semis, "2.1": 1})
    assert before.champion == 1
    assert not before.finished
    assert progress(drawn, {**semis, "2.1": 1, THIRD: 2}).places == ((1,), (3,), (2,), (4,))
    assert progress(drawn, {**semis, "2.1": 1, THIRD: None}).places == ((1,), (3,), (2, 4))


def test_three_entrants_have_one_semi_final_so_no_third_place_series():
    drawn = bracket([1, 2, 3], third_place=True)
    assert len(drawn.series) == 2
    assert progress(drawn, {"1.2": 2, "2.1": 1}).places == ((1,), (2,), (3,))


def test_when_both_are_absent_the_next_opponent_walks_over():
    drawn = bracket([1, 2, 3, 4])
    now = progress(drawn, {"1.1": None, "1.2": 3})
    final = now.matches[-1]
    assert (final.state, final.winner) == (State.WALKOVER, 3)
    assert now.finished
    assert now.places == ((3,), (1, 2, 4))


def test_a_walkover_reaches_the_third_place_series_too():
    drawn = bracket([1, 2, 3, 4], third_place=True)
    assert progress(drawn, {"1.1": None, "1.2": 3}).places == ((3,), (2,), (1, 4))


def test_a_final_that_neither_comes_to_has_no_champion_and_shares_the_first_two_places():
    end = progress(bracket([1, 2, 3, 4]), {"1.1": 1, "1.2": 2, "2.1": None})
    assert (end.finished, end.champion, end.places) == (True, None, ((1, 2), (3, 4)))


def test_nobody_comes_at_all():
    end = progress(bracket([1, 2, 3, 4]), {"1.1": None, "1.2": None})
    assert (end.finished, end.champion, end.places) == (True, None, ((1, 2, 3, 4),))
    assert end.matches[-1].state is State.EMPTY


def test_a_corrected_outcome_corrects_what_follows():
    drawn = bracket([1, 2, 3, 4])
    assert progress(drawn, {"1.1": 1, "1.2": 2}).ready[0].first == 1
    assert progress(drawn, {"1.1": 4, "1.2": 2}).ready[0].first == 4
    with pytest.raises(BadInput) as error:
        progress(drawn, {"1.1": 4, "1.2": 2, "2.1": 1})
    assert error.value.code == "not_a_side"


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ({"9.1": 1}, "no_such_series"),
        ({"1.1": 2}, "not_a_side"),
        ({"1.1": 1, "2.1": 1}, "no_two_sides"),
        ({"1.1": None, "1.2": 2, "2.1": 2}, "no_two_sides"),
    ],
)
def test_an_outcome_that_cannot_be_is_refused(outcomes, code):
    with pytest.raises(BadInput) as error:
        progress(bracket([1, 2, 3, 4]), outcomes)
    assert error.value.code == code


@pytest.mark.parametrize(("entrants", "code"), [([], "too_few"), ([1], "too_few"), ([1, 1], "entrant_twice")])
def test_a_field_that_cannot_play_is_refused(entrants, code):
    with pytest.raises(BadInput) as error:
        bracket(entrants)
    assert error.value.code == code
