"""Swiss pairings, rule by rule (docs/tournaments.md, "Swiss")."""

import pytest

from tests.tournaments.fields import entrants
from tournaments.core.errors import BadInput, CannotPair
from tournaments.core.results import Bye, DoubleForfeit, Entrant, Forfeit, Played
from tournaments.core.swiss import Cost, Request, default_rounds, late_entry_open, pair


def field(n):
    return tuple(Entrant(seed, seed) for seed in range(1, n + 1))


def tables(pairing):
    return " ".join([f"{p.first}-{p.second}" for p in pairing.pairs] + ([f"({pairing.bye})"] if pairing.bye else []))


def first_round(n):
    """Seed i beats seed i + n/2: the usual first round."""
    return tuple(Played(1, seed, seed + n // 2) for seed in range(1, n // 2 + 1))


def test_in_the_first_round_the_top_half_meets_the_bottom_half():
    assert tables(pair(Request(1, field(8), ()))) == "1-5 2-6 3-7 4-8"


def test_the_bye_goes_to_the_lowest_rank_of_the_lowest_score():
    assert tables(pair(Request(1, field(7), ()))) == "1-4 2-5 3-6 (7)"
    after = (Played(1, 1, 4), Played(1, 5, 2), Played(1, 3, 6), Bye(1, 7))
    assert pair(Request(2, field(7), after)).bye == 6


def test_winners_meet_winners():
    assert tables(pair(Request(2, field(8), first_round(8)))) == "1-3 2-4 5-7 6-8"


def test_the_leader_has_the_bye_before_anybody_has_a_second_one():
    after = (Played(1, 1, 2), Bye(1, 3), Played(2, 1, 3), Bye(2, 2))
    assert tables(pair(Request(3, field(3), after, past_half=True))) == "2-3 (1)"


def test_a_win_by_forfeit_bars_from_the_bye_and_a_loss_by_forfeit_does_not():
    after = (Played(1, 1, 3), Forfeit(1, winner=4, loser=2), Bye(1, 5))
    assert pair(Request(2, field(5), after)).bye == 3
    after = (Played(1, 3, 1), Forfeit(1, winner=2, loser=4), Bye(1, 5))
    assert pair(Request(2, field(5), after)).bye == 4


@pytest.mark.parametrize(
    "result",
    [Played(1, 1, 3), Forfeit(1, winner=1, loser=3), DoubleForfeit(1, 1, 3)],
    ids=["played", "forfeit", "double forfeit"],
)
def test_two_who_were_paired_are_not_paired_again(result):
    pairing = pair(Request(2, field(4), (result, Played(1, 2, 4))))
    assert {frozenset((p.first, p.second)) for p in pairing.pairs}.isdisjoint({frozenset((1, 3)), frozenset((2, 4))})


def test_two_small_gaps_are_better_than_one_large_one():
    # Scores 2, 1 1 1 1, 0: the leader meets a one-pointer and so does the last, rather than each other.
    after = (
        *(Played(1, 1, 4), Played(1, 2, 5), Played(1, 3, 6)),
        *(Played(2, 1, 2), Played(2, 4, 3), Played(2, 5, 6)),
    )
    pairing = pair(Request(3, field(6), after))
    assert [p.cost.gap for p in pairing.pairs] == [1, 0, 1]
    assert (pairing.pairs[0].first, pairing.pairs[2].second) == (1, 6)


def test_nobody_floats_the_same_way_twice_running_if_another_can():
    # In round 2 entrant 1 floated up and 6 floated down. Scores: 2 has 2; 1, 3, 4 and 6 have 1; 5 has 0.
    # By rank alone 1 would float up to 2 again, and 6 down to 5: 2-1 3-4 6-5.
    after = (
        *(Played(1, 4, 1), Played(1, 2, 5), Played(1, 6, 3)),
        *(Played(2, 2, 4), Played(2, 1, 6), Played(2, 3, 5)),
    )
    pairing = pair(Request(3, field(6), after))
    assert tables(pairing) == "2-3 1-5 4-6"
    assert pairing.cost.repeat == 0


def test_the_lowest_of_an_odd_group_floats_down_to_the_highest_below():
    # Five have won and 10 has left: 9 has the bye, so that five winners and three losers are left.
    pairing = pair(Request(2, field(9), first_round(10)))
    assert pairing.bye == 9
    assert [(p.first, p.second) for p in pairing.pairs if p.cost.gap] == [(5, 6)]


def test_between_its_floaters_a_group_is_still_folded():
    # 1 leads and meets 2, the head of the group of eight; 10 is last and meets 9, its foot.
    after = (*(Bye(1, seed) for seed in range(1, 10)), Bye(2, 1))
    assert tables(pair(Request(3, field(10), after))) == "1-2 3-6 4-7 5-8 9-10"


def test_the_distance_from_the_fold_is_squared():
    # None of 1-4, 2-5, 3-6 may come again: two tables are one place off, the third is two.
    after = (DoubleForfeit(1, 1, 4), DoubleForfeit(1, 2, 5), DoubleForfeit(1, 3, 6))
    assert sorted(table.cost.fold for table in pair(Request(2, field(6), after)).pairs) == [1, 1, 4]


def test_the_cost_of_the_pairing_is_the_sum_of_its_tables():
    pairing = pair(Request(2, field(9), (*(Played(1, s, s + 4) for s in range(1, 5)), Bye(1, 9))))
    total = Cost()
    for table in pairing.pairs:
        total += table.cost
    assert pairing.cost == total
    assert pairing.bye == 8


def test_who_has_left_is_not_paired_and_their_opponents_keep_their_points():
    after = first_round(8)
    present = tuple(entrant for entrant in field(8) if entrant.id not in (1, 5))
    pairing = pair(Request(2, present, after))
    assert tables(pairing) == "2-3 4-6 7-8"


def test_who_enters_late_starts_without_points_and_blocks_nothing():
    pairing = pair(Request(2, (*field(8), Entrant(9, 9), Entrant(10, 10)), first_round(8)))
    assert sorted(side for p in pairing.pairs for side in (p.first, p.second)) == list(range(1, 11))
    assert pairing.cost.gap == 0


@pytest.mark.parametrize(
    ("field_size", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (32, 5), (33, 6), (256, 8)]
)
def test_default_rounds(field_size, rounds):
    assert default_rounds(field_size) == rounds


def test_late_entry_closes_when_more_than_half_of_the_rounds_are_paired():
    assert [late_entry_open(paired, 5) for paired in range(6)] == [True, True, True, False, False, False]
    assert [late_entry_open(paired, 4) for paired in range(5)] == [True, True, True, False, False]


def test_beyond_half_the_field_the_director_decides():
    after = (Played(1, 1, 3), Played(1, 2, 4), Played(2, 1, 2), Played(2, 3, 4))
    with pytest.raises(CannotPair) as stop:
        pair(Request(3, field(4), after))
    assert stop.value.code == "past_half"
    assert stop.value.params["certain_until"] == 2
    assert tables(pair(Request(3, field(4), after, past_half=True))) == "1-4 2-3"


def test_when_all_have_met_the_reason_names_who_is_left():
    after = (
        *(Played(1, 1, 3), Played(1, 2, 4)),
        *(Played(2, 1, 2), Played(2, 3, 4)),
        *(Played(3, 1, 4), Played(3, 2, 3)),
    )
    with pytest.raises(CannotPair) as stop:
        pair(Request(4, field(4), after, past_half=True))
    assert stop.value.code == "no_complete_pairing"
    assert stop.value.params["left"] == (1, 2, 3, 4)


def test_when_nobody_may_have_the_bye_the_reason_says_so():
    after = (Bye(1, 1), Forfeit(1, 2, 5), Forfeit(1, 3, 4), Bye(2, 4), Bye(3, 5))
    with pytest.raises(CannotPair) as stop:
        pair(Request(4, field(5), after, past_half=True))
    assert stop.value.code == "no_bye_receiver"


@pytest.mark.parametrize("n", [0, 1])
def test_an_empty_hall_is_not_paired(n):
    with pytest.raises(CannotPair) as stop:
        pair(Request(1, entrants(n), ()))
    assert stop.value.code == "too_few"


@pytest.mark.parametrize(
    ("number", "present", "results", "code"),
    [
        (0, field(4), (), "bad_round"),
        (1, field(4), first_round(4), "round_has_results"),
        (1, (*field(4), Entrant(4, 5)), (), "entrant_twice"),
        (1, (*field(4), Entrant(5, 4)), (), "entrant_twice"),
        (2, field(4), (Played(1, 1, 2), Played(1, 1, 3)), "result_twice"),
        (2, field(4), (Played(1, 1, 1),), "against_oneself"),
        (2, field(4), (Played(0, 1, 2),), "bad_round"),
        (2, field(4), (Played(1, 1, 2, 2, 3),), "bad_score"),
        (2, field(4), (Played(1, 1, 2, 2, 2),), "bad_score"),
    ],
)
def test_contradictory_values_are_refused(number, present, results, code):
    with pytest.raises(BadInput) as error:
        pair(Request(number, present, results))
    assert error.value.code == code
