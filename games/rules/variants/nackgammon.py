"""Nackgammon: short nardy from another start (docs/rules.md#other-starts)."""

from ..board import points_of
from .short import ShortGame

NACKGAMMON = ShortGame(key="nackgammon", start=points_of({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}))
