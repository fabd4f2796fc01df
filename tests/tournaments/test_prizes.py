"""Prizes: every unit of the pool is paid, to the right places (docs/tournaments.md, "Prizes")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.errors import BadInput
from tournaments.core.prizes import Payout, share, split, table_for

POOLS = st.integers(0, 10**12)
TABLES = st.lists(st.integers(1, 1000), min_size=1, max_size=40).map(lambda table: sorted(table, reverse=True))


@st.composite
def places(draw):
    """Entrants 1 … n in groups that share a place."""
    n = draw(st.integers(1, 60))
    ends = sorted(draw(st.sets(st.integers(1, n))) | {n})
    return [list(range(start + 1, end + 1)) for start, end in zip([0, *ends], ends, strict=False)]


def paid(payouts):
    return {payout.entrant: payout.amount for payout in payouts}


@pytest.mark.parametrize(
    ("groups", "amounts"),
    [
        ([[1], [2], [3]], {1: 5001, 2: 3000, 3: 2000}),
        ([[1], [2, 3]], {1: 5001, 2: 2500, 3: 2500}),
        ([[1, 2, 3]], {1: 3334, 2: 3334, 3: 3333}),
    ],
    ids=["no tie", "second and third tied", "all three tied"],
)
def test_a_pool_of_100_01(groups, amounts):
    assert paid(share(100_01, (50, 30, 20), groups)) == amounts


def test_a_unit_left_over_goes_to_the_largest_remainder():
    assert split(8, (50, 30, 20)) == (4, 2, 2)  # 4.0, 2.4, 1.6
    assert split(2, (1, 1, 1)) == (1, 1, 0)  # equal remainders: the better place first


def test_a_payout_shows_the_places_it_is_for_and_its_odd_unit():
    assert share(100_00, (45, 30, 15, 10), [[9], [7, 5, 8]]) == (
        Payout(9, 4500, 1, 1, (4500,)),
        Payout(7, 1834, 2, 4, (3000, 1500, 1000), odd_units=1),
        Payout(5, 1833, 2, 4, (3000, 1500, 1000)),
        Payout(8, 1833, 2, 4, (3000, 1500, 1000)),
    )


def test_a_tie_across_the_last_paid_place_shares_what_is_left_of_the_table():
    assert paid(share(100, (50, 30, 20), [[1], [2], [3, 4, 5]])) == {1: 50, 2: 30, 3: 7, 4: 7, 5: 6}


def test_with_fewer_places_than_prizes_the_whole_pool_is_paid_all_the_same():
    assert paid(share(100, (50, 30, 20), [[1], [2]])) == {1: 63, 2: 37}


def test_nobody_is_paid_nothing():
    assert paid(share(1, (50, 30, 20), [[1], [2], [3]])) == {1: 1}
    assert share(0, (1,), [[1]]) == ()


@given(POOLS, TABLES)
def test_a_split_always_sums_to_the_pool_and_never_favours_a_worse_place(pool, table):
    parts = split(pool, table)
    assert sum(parts) == pool
    assert list(parts) == sorted(parts, reverse=True)
    whole = sum(table)
    for part, weight in zip(parts, table, strict=True):
        assert abs(part * whole - pool * weight) < whole  # less than a unit away from the exact share


@given(POOLS, TABLES, places())
def test_payouts_always_sum_to_the_pool_and_a_worse_place_never_gets_more(pool, table, groups):
    payouts = share(pool, table, groups)
    assert sum(payout.amount for payout in payouts) == pool
    amounts = paid(payouts)
    assert len(amounts) == len(payouts)
    in_order = [amounts.get(entrant, 0) for group in groups for entrant in group]
    assert in_order == sorted(in_order, reverse=True)
    for group in groups:
        shares = [amounts.get(entrant, 0) for entrant in group]
        assert max(shares) - min(shares) <= 1


@pytest.mark.parametrize(
    ("smallest", "largest", "table"),
    [(2, 3, (100,)), (4, 7, (70, 30)), (8, 15, (50, 30, 20)), (16, 31, (45, 30, 15, 10))],
)
def test_default_tables_by_field(smallest, largest, table):
    assert {table_for(field) for field in range(smallest, largest + 1)} == {table}


def test_large_fields_pay_about_an_eighth_in_inverse_proportion_to_the_place():
    assert table_for(32) == (12, 6, 4, 3)
    assert [len(table_for(field)) for field in (32, 41, 42, 64, 100, 256, 1000)] == [4, 5, 5, 8, 12, 31, 120]
    for field in range(32, 1001):
        table = table_for(field)
        assert abs(100 * len(table) - 12 * field) <= 50
        assert all(first == table[place - 1] * place for place, first in enumerate([table[0]] * len(table), start=1))


def test_every_paid_place_of_a_default_table_gets_more_than_an_entry():
    for field in range(2, 1001):
        pool = 100_00 * field
        assert split(pool, table_for(field))[-1] > 100_00


@pytest.mark.parametrize(
    ("pool", "table", "groups", "code"),
    [
        (-1, (1,), [[1]], "bad_pool"),
        (1, (), [[1]], "bad_prize_table"),
        (1, (1, 2), [[1], [2]], "bad_prize_table"),
        (1, (1, 0), [[1], [2]], "bad_prize_table"),
        (1, (1,), [], "nobody_to_pay"),
        (1, (1,), [[], []], "nobody_to_pay"),
        (1, (1,), [[1], [2, 1]], "entrant_twice"),
    ],
)
def test_what_cannot_be_paid_is_refused(pool, table, groups, code):
    with pytest.raises(BadInput) as error:
        share(pool, table, groups)
    assert error.value.code == code


def test_a_field_of_one_has_no_prizes():
    with pytest.raises(BadInput):
        table_for(1)
