"""Longgammon: short nardy with all checkers on point 24 at first (docs/rules.md#other-starts)."""

from ..board import points_of
from .short import ShortGame

LONGGAMMON = ShortGame(key="longgammon", start=points_of({24: 15}))
