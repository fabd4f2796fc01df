"""Caucasian short nardy: no hit and hide (docs/rules.md#caucasian)."""

from .short import SHORT_START, ShortGame

CAUCASIAN = ShortGame(key="caucasian", start=SHORT_START, may_hide=False)
