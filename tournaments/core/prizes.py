"""Prizes: a pool split by places to the last unit (docs/tournaments.md, "Prizes").

Amounts are whole minor units of the tournament's one currency (kopiykas for UAH, whole chips for play chips).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

from tournaments.core.errors import BadInput

#: Smallest field -> what the places get of each other; the next row's field ends it.
_BY_FIELD = ((2, (100,)), (4, (70, 30)), (8, (50, 30, 20)), (16, (45, 30, 15, 10)))
_LARGE_FIELD = 32


@dataclass(frozen=True, slots=True)
class Payout:
    """What an entrant gets. `pooled` are the prizes of all the places shared, `first_place` … `last_place`;
    `odd_units` of `amount` are this entrant's part of what did not divide."""

    entrant: int
    amount: int
    first_place: int
    last_place: int
    pooled: tuple[int, ...]
    odd_units: int = 0


def table_for(field: int) -> tuple[int, ...]:
    """The default prize table for a field: the weights of the paid places, best first.

    From 32 entrants on, 12 % of the field (to the nearest place) are paid, each in inverse proportion to the place.
    Raises BadInput for a field below two.
    """
    if field < 2:
        raise BadInput("too_few", f"A field of {field} has no prizes; a tournament needs two entrants.", field=field)
    if field < _LARGE_FIELD:
        return next(weights for smallest, weights in reversed(_BY_FIELD) if field >= smallest)
    places = (12 * field + 50) // 100
    whole = lcm(*range(1, places + 1))
    return tuple(whole // place for place in range(1, places + 1))


def split(pool: int, weights: Sequence[int]) -> tuple[int, ...]:
    """`pool` in proportion to `weights`, by largest remainder (of equal ones, the better place first).

    The parts always sum to `pool`, and a better place never gets less. Raises BadInput for a negative pool, no
    weights, a weight below 1, or one above the weight of a better place.
    """
    if pool < 0:
        raise BadInput("bad_pool", f"A pool cannot be negative ({pool}).", pool=pool)
    if not weights or min(weights) < 1 or list(weights) != sorted(weights, reverse=True):
        raise BadInput("bad_prize_table", "A prize table has at least one place, and no place above a better one.")
    whole = sum(weights)
    parts = [pool * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda place: (-(pool * weights[place] % whole), place))
    for place in by_remainder[: pool - sum(parts)]:
        parts[place] += 1
    return tuple(parts)


def share(pool: int, weights: Sequence[int], groups: Sequence[Sequence[int]]) -> tuple[Payout, ...]:
    """Pay out `pool`: the prizes of shared places are put together and shared equally.

    `groups` are the entrants by place, best first; within a group they are in the order in which odd units go out (the
    better final tie-break, then the seed; `Standings.groups` and `Progress.places` are so). With fewer entrants than
    paid places, the places there are share the whole pool. Nobody is listed with nothing. Raises BadInput when there is
    nobody to pay, an entrant is listed twice, or for what `split` refuses.
    """
    entrants = [entrant for group in groups for entrant in group]
    if not entrants:
        raise BadInput("nobody_to_pay", "Nobody has a place, so a pool cannot be paid out; it has to be refunded.")
    if len(set(entrants)) != len(entrants):
        raise BadInput("entrant_twice", "An entrant has two places; each is paid once.")
    prizes = split(pool, weights[: len(entrants)])
    payouts: list[Payout] = []
    first = 1
    for group in groups:
        last = first + len(group) - 1
        payouts += _shared(group, prizes[first - 1 : last], first, last)
        first = last + 1
    return tuple(payout for payout in payouts if payout.amount)


def _shared(group: Sequence[int], pooled: tuple[int, ...], first: int, last: int) -> list[Payout]:
    if not group:
        return []
    each, odd = divmod(sum(pooled), len(group))
    extra = [1 if i < odd else 0 for i in range(len(group))]
    return [Payout(entrant, each + unit, first, last, pooled, unit) for entrant, unit in zip(group, extra, strict=True)]
