"""Usual tournaments, to begin a draft from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Preset(NamedTuple):
    """A name for directors, and the fields it fills in."""

    name: Promise
    fields: Mapping[str, Any]


PRESETS: Mapping[str, Preset] = {
    "evening_swiss": Preset(
        _("Evening Swiss: short nardy to 3 points, half an hour a round"),
        {"format": "swiss", "variant": "short", "options": {"cube_limit": 8}, "count_by": "points", "target": 3,
         "clock": "fast", "no_show_minutes": 10, "min_field": 4, "max_field": 64},
    ),
    "quick_knockout": Preset(
        _("Quick knockout: hypergammon, best of 3"),
        {"format": "knockout", "variant": "hypergammon", "count_by": "games", "target": 2, "clock": "fast",
         "no_show_minutes": 5, "min_field": 4, "max_field": 32, "third_place": False},
    ),
    "club_round_robin": Preset(
        _("Club round robin: long nardy, best of 3, everybody meets everybody"),
        {"format": "round_robin", "variant": "long", "count_by": "games", "target": 2, "clock": "normal",
         "no_show_minutes": 15, "min_field": 3, "max_field": 12},
    ),
    "cup_with_third_place": Preset(
        _("Cup: short nardy to 5 points with cube and Crawford, third place played for"),
        {"format": "knockout", "variant": "short", "options": {"cube_limit": 64}, "count_by": "points", "target": 5,
         "clock": "normal", "no_show_minutes": 15, "min_field": 8, "max_field": 64, "third_place": True},
    ),
}  # fmt: skip
