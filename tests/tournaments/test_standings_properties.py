"""What holds for the standings of every tournament (docs/tournaments.md, "Standings")."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.fields import entrants, play_round_robin, play_swiss
from tournaments.core.standings import ROUND_ROBIN_KEYS, SWISS_KEYS, Ranking, standings
from tournaments.core.tiebreaks import Key

SEEDS = st.integers(0, 2**32)
swisses = st.builds(
    play_swiss, st.integers(2, 14), st.integers(1, 6), SEEDS,
    leaves=st.sampled_from([0, 0.1]), late=st.sampled_from([0, 0.2]), forfeits=st.sampled_from([0, 0.2]),
    past_half=st.just(True),
)  # fmt: skip
key_lists = st.permutations(list(Key)).flatmap(lambda keys: st.integers(1, len(keys)).map(lambda n: tuple(keys[:n])))


@settings(max_examples=80, deadline=None)
@given(swisses, key_lists, st.randoms(use_true_random=False))
def test_standings_do_not_depend_on_the_order_of_results_or_entrants(tournament, keys, chance):
    ranking = Ranking(keys, 3)
    before = standings(tournament.entrants, tournament.results, ranking)
    mixed_entrants, mixed_results = list(tournament.entrants), list(tournament.results)
    chance.shuffle(mixed_entrants)
    chance.shuffle(mixed_results)
    assert standings(mixed_entrants, mixed_results, ranking) == before


@settings(max_examples=80, deadline=None)
@given(swisses, key_lists)
def test_places_are_complete_and_follow_the_keys(tournament, keys):
    rows = standings(tournament.entrants, tournament.results, Ranking(keys, 3)).rows
    assert sorted(row.entrant for row in rows) == [entrant.id for entrant in tournament.entrants]
    for place, row in enumerate(rows, start=1):
        assert row.place <= place <= row.last_place
        assert sum(other.place == row.place for other in rows) == row.last_place - row.place + 1
    first = keys[0]
    if first not in (Key.DIRECT, Key.DIRECT_IF_ALL_MET):
        values = [row.numbers[0].value for row in rows]
        assert values == sorted(values, reverse=True)


@settings(max_examples=80, deadline=None)
@given(st.integers(2, 9), SEEDS, st.booleans())
def test_who_shares_a_place_is_equal_in_every_number(n, seed, swiss):
    results = play_swiss(n, 5, seed, past_half=True).results if swiss else play_round_robin(n, seed)
    rows = standings(entrants(n), results, Ranking(SWISS_KEYS if swiss else ROUND_ROBIN_KEYS, 3)).rows
    for row in rows:
        for other in rows:
            if row.place == other.place:
                assert [(x.key, x.value) for x in row.numbers] == [(x.key, x.value) for x in other.numbers]


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 9), SEEDS)
def test_a_longer_list_only_splits_what_a_shorter_one_left_tied(n, seed):
    results = play_round_robin(n, seed)
    places: dict[int, int] = {entrant.id: 1 for entrant in entrants(n)}
    for length in range(1, len(ROUND_ROBIN_KEYS) + 1):
        rows = standings(entrants(n), results, Ranking(ROUND_ROBIN_KEYS[:length], 3)).rows
        longer = {row.entrant: row.place for row in rows}
        assert all(longer[a] < longer[b] for a in places for b in places if places[a] < places[b])
        places = longer
