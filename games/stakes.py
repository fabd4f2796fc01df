"""What a result costs: the one place for stake × points, never more than what was blocked."""

from __future__ import annotations

from moneyed import Money

from ledger import money


def cost(stake: Money, points: int, factor_cap: int) -> Money:
    """What the loser of a game of `points` pays; `factor_cap`: the most stakes that a game can cost."""
    return money.quantize(stake * min(points, factor_cap))


def largest(stake: Money, factor_cap: int) -> Money:
    """The largest possible loss: what each player has blocked."""
    return cost(stake, factor_cap, factor_cap)
