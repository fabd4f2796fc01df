"""Hypergammon: short nardy with three checkers a side (docs/rules.md#other-starts)."""

from ..board import points_of
from .short import ShortGame

HYPERGAMMON = ShortGame(key="hypergammon", checkers=3, start=points_of({24: 1, 23: 1, 22: 1}))
