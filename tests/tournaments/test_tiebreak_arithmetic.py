"""Every number shows how it came about (docs/tournaments.md, "Ranking keys", "Unplayed rounds")."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.fields import entrants, lettered, play_round_robin, play_swiss, results_of
from tournaments.core.results import Bye, DoubleForfeit, Forfeit, Missed, Played
from tournaments.core.standings import Ranking, standings
from tournaments.core.tiebreaks import Key

#: Four rounds of five: A 4 points, B 2 (a bye), C 2 (a win by forfeit), D 1, E 1 (a bye); E missed the first round.
FOUR_ROUNDS = [
    *(Played(1, 1, 4), Played(1, 3, 2), Missed(1, 5)),
    *(Played(2, 1, 3), Played(2, 4, 5), Bye(2, 2)),
    *(Played(3, 1, 2), Forfeit(3, 3, 4), Bye(3, 5)),
    *(Played(4, 1, 5), Played(4, 2, 4), Missed(4, 3)),
]


def number(entrant, key, results=FOUR_ROUNDS, field="ABCDE"):
    table = standings(lettered(field), results, Ranking((key,), 7))
    return next(row for row in table.rows if row.entrant == "-ABCDEF".index(entrant)).number(key)


@pytest.mark.parametrize(
    ("entrant", "key", "formula"),
    [
        ("A", Key.POINTS, "1 + 1 + 1 + 1 = 4"),
        ("B", Key.POINTS, "0 + 1 + 0 + 1 = 2"),
        ("B", Key.WINS, "0 + 0 + 1 = 1"),
        ("B", Key.SERIES_WON, "0 + 0 + 1 = 1"),
        ("C", Key.WINS, "1 + 0 = 1"),
        ("C", Key.SERIES_WON, "1 + 0 + 1 = 2"),
        ("A", Key.BUCHHOLZ, "1 + 2 + 2 + 1 = 6"),
        ("A", Key.BUCHHOLZ_CUT_1, "(1) + 2 + 2 + 1 = 5"),
        ("A", Key.SONNEBORN_BERGER, "1 + 2 + 2 + 1 = 6"),
        # Round 2: a bye, min(2 own points, 4 rounds / 2).
        ("B", Key.BUCHHOLZ, "2 + 2 + 4 + 1 = 9"),
        ("B", Key.BUCHHOLZ_CUT_1, "2 + 2 + 4 + (1) = 8"),
        ("B", Key.SONNEBORN_BERGER, "0 × 2 + 2 + 0 × 4 + 1 = 3"),
        # Round 3: a win by forfeit over D, min(2, 1). Round 4: missed, min(2, 2).
        ("C", Key.BUCHHOLZ, "2 + 4 + 1 + 2 = 9"),
        ("C", Key.SONNEBORN_BERGER, "2 + 0 × 4 + 1 + 0 × 2 = 3"),
        # Round 3: lost by forfeit to C, min(1, 2).
        ("D", Key.BUCHHOLZ, "4 + 1 + 1 + 2 = 8"),
        # Round 1: missed, min(1, 2). Round 3: a bye, min(1, 2).
        ("E", Key.BUCHHOLZ, "1 + 1 + 1 + 4 = 7"),
        ("E", Key.BEATEN, "0 = 0"),
    ],
)
def test_the_formula_of_a_number(entrant, key, formula):
    assert number(entrant, key).formula() == formula


def test_a_bye_is_worth_no_more_than_half_a_point_per_round():
    results = [Bye(1, 1), Played(2, 1, 2), Played(3, 1, 3)]
    bye = number("A", Key.BUCHHOLZ, results, "ABC").terms[0]
    assert (bye.amount, bye.of) == (Decimal("1.5"), (Decimal(3), Decimal("1.5")))


def test_a_forfeit_is_worth_no_more_than_ones_own_score():
    results = [Forfeit(1, 2, 1), Played(2, 2, 3), DoubleForfeit(3, 1, 2)]
    assert [t.amount for t in number("A", Key.BUCHHOLZ, results, "ABC").terms] == [0, 0]
    assert [t.of for t in number("A", Key.BUCHHOLZ, results, "ABC").terms] == [(0, 2), (0, 2)]


def test_a_player_beaten_twice_is_shown_twice_and_counts_once():
    beaten = number("A", Key.BEATEN, results_of("A>B A>C A>B"), "ABC")
    assert beaten.formula() == "1 + 1 + (1) = 2"
    terms = [(term.round, term.opponent, term.counts) for term in beaten.terms]
    assert terms == [(1, 2, True), (2, 3, True), (3, 2, False)]


def test_of_equal_lowest_opponents_the_earliest_is_cut():
    cut = number("A", Key.BUCHHOLZ_CUT_1, results_of("A>B A>C A>D"), "ABCD")
    assert [term.counts for term in cut.terms] == [False, True, True]


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 12), st.integers(1, 6), st.integers(0, 2**32), st.sampled_from([Key.BUCHHOLZ, Key.DIFFERENCE]))
def test_a_number_is_the_sum_of_its_terms(n, rounds, seed, key):
    tournament = play_swiss(n, rounds, seed, leaves=0.1, forfeits=0.2, past_half=True)
    keys = (key, *(other for other in Key if other is not key))
    for row in standings(entrants(n), tournament.results, Ranking(keys, 3)).rows:
        for computed in row.numbers:
            assert computed.value == sum(term.amount * term.times for term in computed.terms if term.counts)
            assert Decimal(computed.formula().split(" = ")[1]) == computed.value


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 10), st.integers(0, 2**32))
def test_a_round_robin_in_full_has_as_many_points_as_series(n, seed):
    results = play_round_robin(n, seed)
    rows = standings(entrants(n), results, Ranking((Key.POINTS, Key.SERIES_WON, Key.BEATEN, Key.WINS))).rows
    for row in rows:
        assert len({computed.value for computed in row.numbers}) == 1
    assert sum(row.numbers[0].value for row in rows) == n * (n - 1) // 2
