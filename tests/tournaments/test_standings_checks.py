"""Standings: tournaments worked out by hand (docs/tournaments.md, "Standings")."""

import pytest

from tests.tournaments.fields import lettered, letters, results_of
from tournaments.core.errors import BadInput
from tournaments.core.results import Bye, DoubleForfeit, Entrant, Forfeit, Played
from tournaments.core.standings import ROUND_ROBIN_KEYS, SWISS_KEYS, Ranking, standings
from tournaments.core.tiebreaks import Key

FIVE = results_of("A>B A>C B>C D>A E>A B>D E>B C>D C>E E>D")


def order(entrants, results, *keys, cap=None):
    return " ".join(letters(group) for group in standings(entrants, results, Ranking(keys, cap)).groups)


def values(entrants, results, *keys):
    ranking = Ranking(keys)
    return {
        letters((row.entrant,)): tuple(int(number.value) for number in row.numbers)
        for row in standings(entrants, results, ranking).rows
    }


def test_round_robin_of_five_by_points_direct_encounter_sonneborn_berger():
    assert order(lettered("ABCDE"), FIVE, Key.POINTS, Key.DIRECT, Key.SONNEBORN_BERGER) == "E A B C D"


def test_round_robin_of_five_by_points_sonneborn_berger_direct_encounter():
    assert order(lettered("ABCDE"), FIVE, Key.POINTS, Key.SONNEBORN_BERGER, Key.DIRECT) == "E A C B D"
    numbers = values(lettered("ABCDE"), FIVE, Key.POINTS, Key.SONNEBORN_BERGER)
    assert numbers == {"E": (3, 5), "A": (2, 4), "C": (2, 4), "B": (2, 3), "D": (1, 2)}


def test_double_round_robin_of_four_by_different_players_beaten_then_series_won():
    results = results_of("A>B A>B A>C A>C D>A D>A B>D D>B C>D D>C B>C B>C")
    numbers = values(lettered("ABCD"), results, Key.BEATEN, Key.SERIES_WON)
    assert numbers == {"D": (3, 4), "A": (2, 4), "B": (2, 3), "C": (1, 1)}
    assert order(lettered("ABCD"), results, Key.BEATEN, Key.SERIES_WON) == "D A B C"


def test_a_cycle_is_a_tie_and_shares_the_place():
    table = standings(lettered("ABC"), results_of("A>B B>C C>A"), Ranking((Key.POINTS, Key.DIRECT)))
    assert [(letters((row.entrant,)), row.place, row.last_place) for row in table.rows] == [
        ("A", 1, 3),
        ("B", 1, 3),
        ("C", 1, 3),
    ]
    assert table.groups == ((1, 2, 3),)


def test_a_shared_place_is_in_the_order_of_the_seeding():
    entrants = (Entrant(1, 3), Entrant(2, 1), Entrant(3, 2))
    table = standings(entrants, results_of("A>B B>C C>A"), Ranking((Key.POINTS, Key.DIRECT)))
    assert table.groups == ((2, 3, 1),)


def test_direct_encounter_is_applied_again_within_what_stays_tied():
    # A, B, C and D have 3 points each. Among the four, A and B have 2, C and D have 1; then A > B and C > D.
    results = results_of("A>B A>C B>C B>D C>D D>A C>E D>E E>A E>B A>F B>F C>F D>F F>E")
    table = standings(lettered("ABCDEF"), results, Ranking((Key.POINTS, Key.DIRECT)))
    assert " ".join(letters(group) for group in table.groups) == "A B C D E F"
    mini_tables = [(letters(n.among), int(n.value)) for n in table.rows[0].numbers if n.key is Key.DIRECT]
    assert mini_tables == [("ABCD", 2), ("AB", 1)]
    assert table.rows[5].number(Key.DIRECT) is None  # F was tied with nobody


def test_the_list_is_walked_once_and_never_starts_again():
    # A > B > C > A is a cycle, so that direct encounter splits nothing. Sonneborn-Berger puts A first (5, 3, 3) and
    # leaves B and C tied: that B beat C is not asked again, unless the list asks for it later.
    results = results_of("A>B B>C C>A A>D D>B D>C E>A B>E C>E D>E")
    assert order(lettered("ABCDE"), results, Key.POINTS, Key.DIRECT, Key.SONNEBORN_BERGER) == "D A BC E"
    assert order(lettered("ABCDE"), results, Key.POINTS, Key.SONNEBORN_BERGER, Key.DIRECT) == "D A B C E"


def test_for_a_swiss_direct_encounter_counts_only_if_all_tied_have_met():
    met = results_of("A>B C>D B>C", 1, 1, 2)
    # After the first round A and C have a point each and have not met; B and D likewise.
    assert order(lettered("ABCD"), met[:2], Key.POINTS, Key.DIRECT_IF_ALL_MET) == "AC BD"
    # A, B and C have one each: A and C have not met, so that A's win over B settles nothing.
    assert order(lettered("ABCD"), met, Key.POINTS, Key.DIRECT_IF_ALL_MET) == "ABC D"
    # A and B have one each and have met.
    assert order(lettered("BAC"), results_of("A>B B>C"), Key.POINTS, Key.DIRECT_IF_ALL_MET) == "A B C"


def test_a_forfeit_is_no_meeting_and_no_player_beaten_but_a_series_won():
    results = [Forfeit(1, 1, 2), Bye(1, 3), Played(2, 2, 3)]
    numbers = values(lettered("ABC"), results, Key.POINTS, Key.BEATEN, Key.SERIES_WON, Key.WINS)
    assert numbers == {"B": (1, 1, 1, 1), "A": (1, 0, 1, 0), "C": (1, 0, 0, 0)}
    # A and B have a point each; A's came without playing B.
    assert order(lettered("AB"), [Forfeit(1, 1, 2), Bye(2, 2)], Key.POINTS, Key.DIRECT_IF_ALL_MET) == "AB"


def test_in_a_round_robin_a_forfeit_counts_in_the_direct_encounter():
    results = [Forfeit(1, winner=2, loser=1), *results_of("A>C C>B", 2, 3)]
    assert order(lettered("ABC"), results, Key.POINTS, Key.DIRECT) == "ABC"
    assert order(lettered("ABC"), results[:2], Key.POINTS, Key.DIRECT) == "B A C"


def test_both_absent_get_nothing():
    numbers = values(lettered("AB"), [DoubleForfeit(1, 1, 2)], Key.POINTS, Key.BEATEN, Key.SERIES_WON, Key.WINS)
    assert numbers == {"A": (0, 0, 0, 0), "B": (0, 0, 0, 0)}


def test_one_series_cannot_bring_more_difference_than_the_cap():
    results = [Played(1, 1, 2, 7, 0), Played(2, 2, 1, 5, 3), Played(3, 2, 1, 5, 4)]
    assert order(lettered("AB"), results, Key.DIFFERENCE, cap=7) == "A B"
    assert order(lettered("AB"), results, Key.DIFFERENCE, cap=2) == "B A"
    row = standings(lettered("AB"), results, Ranking((Key.DIFFERENCE,), 2)).rows[1]
    assert row.number(Key.DIFFERENCE).formula() == "2 + -2 + -1 = -1"
    assert [tuple(map(int, term.of)) for term in row.number(Key.DIFFERENCE).terms] == [(7, 2), (), ()]


def test_default_lists():
    assert ROUND_ROBIN_KEYS == ("beaten", "series_won", "direct", "sonneborn_berger", "difference")
    assert SWISS_KEYS == ("points", "direct_if_all_met", "buchholz_cut_1", "buchholz", "sonneborn_berger", "wins")


@pytest.mark.parametrize(
    ("keys", "cap", "code"),
    [
        ((), None, "bad_ranking"),
        ((Key.POINTS, Key.POINTS), None, "bad_ranking"),
        ((Key.DIFFERENCE,), 0, "no_difference_cap"),
        (ROUND_ROBIN_KEYS, None, "no_difference_cap"),
    ],
)
def test_a_list_of_keys_that_cannot_rank_is_refused(keys, cap, code):
    with pytest.raises(BadInput) as error:
        Ranking(keys, cap)
    assert error.value.code == code


@pytest.mark.parametrize(
    ("entrants", "results", "code"),
    [
        (lettered("AB"), results_of("A>C"), "unknown_entrant"),
        (lettered("AB"), results_of("A>B A>B", 1, 1), "result_twice"),
        ((Entrant(1, 1), Entrant(1, 2)), [], "entrant_twice"),
        ((Entrant(1, 1), Entrant(2, 1)), [], "entrant_twice"),
    ],
)
def test_contradictory_results_are_refused(entrants, results, code):
    with pytest.raises(BadInput) as error:
        standings(entrants, results, Ranking(SWISS_KEYS))
    assert error.value.code == code


def test_nobody_and_nothing():
    assert standings((), [], Ranking(SWISS_KEYS)).rows == ()
    assert standings(lettered("ABC"), [], Ranking(SWISS_KEYS)).groups == ((1, 2, 3),)
