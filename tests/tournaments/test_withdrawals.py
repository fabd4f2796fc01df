"""Who leaves a round robin, and what that does to the results (docs/tournaments.md, "Leaving a round robin")."""

import pytest

from tests.tournaments.fields import lettered, letters, results_of
from tournaments.core.berger import Fixture, round_robin
from tournaments.core.errors import BadInput
from tournaments.core.results import DoubleForfeit, Forfeit, Played
from tournaments.core.standings import ROUND_ROBIN_KEYS, Ranking, standings
from tournaments.core.tiebreaks import Key
from tournaments.core.withdrawals import absent_twice, count

FOUR = [fixture for once in round_robin([1, 2, 3, 4]) for fixture in once.fixtures]
FIVE = [fixture for once in round_robin([1, 2, 3, 4, 5]) for fixture in once.fixtures]


def played(fixtures, text):
    """`A>B C>D`: the series played, each in the round its fixture is in."""
    rounds = {frozenset((f.first, f.second)): f.round for f in fixtures}
    return [Played(rounds[frozenset((r.winner, r.loser))], r.winner, r.loser) for r in results_of(text)]


def ranked(letters_, counted, *keys):
    entrants = [e for e in lettered(letters_) if e.id not in counted.unranked]
    rows = standings(entrants, counted.results, Ranking(keys)).rows
    return {letters((row.entrant,)): int(row.numbers[0].value) for row in rows}


def test_who_leaves_before_half_of_the_series_is_unranked_and_counts_for_nobody():
    results = played(FOUR, "D>A A>B A>C B>C")
    counted = count(FOUR, results, withdrawn=[4])
    assert counted.unranked == (4,)
    assert counted.void == (results[0],)
    assert ranked("ABCD", counted, Key.POINTS) == {"A": 2, "B": 1, "C": 0}
    table = standings(lettered("ABC"), counted.results, Ranking(ROUND_ROBIN_KEYS, 7))
    assert [letters(group) for group in table.groups] == ["A", "B", "C"]


def test_who_leaves_after_half_of_the_series_forfeits_the_rest_and_stays_ranked():
    counted = count(FOUR, played(FOUR, "D>A D>B A>B A>C B>C"), withdrawn=[4])
    assert counted.unranked == ()
    assert counted.void == ()
    assert [r for r in counted.results if isinstance(r, Forfeit)] == [Forfeit(2, winner=3, loser=4)]
    assert ranked("ABCD", counted, Key.POINTS) == {"D": 2, "A": 2, "B": 1, "C": 1}


def test_exactly_half_is_not_fewer_than_half():
    assert count(FIVE, played(FIVE, "E>A E>B"), withdrawn=[5]).unranked == ()
    assert count(FIVE, played(FIVE, "E>A"), withdrawn=[5]).unranked == (5,)


def test_forfeits_do_not_count_as_played():
    results = [*played(FIVE, "E>A"), *(Forfeit(r.round, r.winner, r.loser) for r in played(FIVE, "B>E C>E D>E"))]
    counted = count(FIVE, results, withdrawn=[5])
    assert counted.unranked == (5,)
    assert len(counted.void) == 4


def test_two_who_left_late_forfeit_to_each_other_both():
    counted = count(FIVE, played(FIVE, "D>A D>B E>A E>B"), withdrawn=[4, 5])
    assert [r for r in counted.results if isinstance(r, DoubleForfeit)] == [DoubleForfeit(3, 4, 5)]
    assert {(r.winner, r.loser) for r in counted.results if isinstance(r, Forfeit)} == {(3, 4), (3, 5)}


def test_one_who_left_early_changes_nothing_in_what_another_has_played():
    # E has played two of four when leaving, one of them against D, who is void: E is still past half.
    counted = count(FIVE, played(FIVE, "E>D E>A"), withdrawn=[4, 5])
    assert counted.unranked == (4,)
    assert {(r.winner, r.loser) for r in counted.results if isinstance(r, Forfeit)} == {(2, 5), (3, 5)}
    assert not any(4 in (getattr(r, "winner", 0), getattr(r, "loser", 0)) for r in counted.results)


def test_nobody_left_nothing_changes():
    results = tuple(played(FIVE, "E>D E>A"))
    counted = count(FIVE, results, withdrawn=[])
    assert (counted.results, counted.void, counted.unranked) == (results, (), ())


def test_of_a_double_round_robin_both_series_are_forfeited():
    double = [fixture for once in round_robin([1, 2, 3], double=True) for fixture in once.fixtures]
    results = [Played(f.round, 1, f.first + f.second - 1) for f in double if 1 in (f.first, f.second)]
    counted = count(double, results, withdrawn=[1])
    assert counted.unranked == ()
    results = [r for r in results if r.loser == 2]
    counted = count(double, results, withdrawn=[1])
    assert [(r.winner, r.loser) for r in counted.results if isinstance(r, Forfeit)] == [(3, 1), (3, 1)]


def test_two_forfeits_and_one_is_withdrawn():
    assert absent_twice([Forfeit(1, 1, 2), DoubleForfeit(2, 2, 3), Forfeit(3, 3, 1), Played(4, 1, 3)]) == {2}


@pytest.mark.parametrize(
    ("results", "withdrawn", "code"),
    [([Played(1, 1, 2)], [], "no_such_fixture"), ([], [9], "unknown_entrant")],
)
def test_contradictory_values_are_refused(results, withdrawn, code):
    with pytest.raises(BadInput) as error:
        count([Fixture(1, 1, 4), Fixture(1, 2, 3)], results, withdrawn)
    assert error.value.code == code
