"""Shootout (Перестрілка): short nardy with a checker on every second point (docs/rules.md#other-starts)."""

from ..board import points_of
from .short import ShortGame

SHOOTOUT = ShortGame(key="shootout", start=points_of({1: 4, **dict.fromkeys(range(3, 24, 2), 1)}))
