"""The options of a game (docs/rules.md#options)."""

from __future__ import annotations

import pytest

from games import rules
from tests.rules.playing import code_of

DEFAULTS = {
    "short": {"endgame": "koks", "bear_off_after_hit": "allowed", "opening_uses_lot": True},
    "caucasian": {"endgame": "koks", "bear_off_after_hit": "allowed"},
    "long": {"endgame": "mars", "head_exception": "second_player", "opening_uses_lot": False},
    "tapa": {"endgame": "mars", "mother_draw": False, "bear_off_after_hit": None},
    "first_hit": {"endgame": "oin", "bear_off_after_hit": None},
}


@pytest.mark.parametrize("key", DEFAULTS)
def test_defaults(key: str) -> None:
    values = rules.make_options(key).to_json()
    assert DEFAULTS[key].items() <= values.items()
    off = ("cube_limit", "last_roll_draw", "jacoby", "beaver", "auto_double", "crawford_game")
    assert [values[name] for name in off] == [1, False, False, False, False, False]


@pytest.mark.parametrize(
    ("key", "given", "most"),
    [
        ("short", {"cube_limit": 64}, 192),
        ("short", {"endgame": "mars"}, 2),
        ("short", {"cube_limit": 8, "endgame": "oin"}, 8),
        ("short", {"cube_limit": 64, "crawford_game": True}, 3),
        ("long", {}, 2),
        ("long", {"cube_limit": 4}, 8),
        ("tapa", {"endgame": "oin"}, 1),
        ("first_hit", {"cube_limit": 16}, 16),
    ],
)
def test_the_most_that_can_be_lost(key: str, given: dict[str, object], most: int) -> None:
    assert rules.make_options(key, **given).max_points == most


@pytest.mark.parametrize(
    ("key", "given", "code"),
    [
        ("short", {"cube_limit": 3}, "option_value"),
        ("short", {"cube_limit": True}, "option_value"),
        ("short", {"cube_limit": "8"}, "option_value"),
        ("short", {"cube_limit": 128}, "option_value"),
        ("short", {"endgame": "gammon"}, "option_value"),
        ("short", {"endgame": None}, "option_value"),
        ("long", {"endgame": "koks"}, "option_value"),
        ("tapa", {"endgame": "koks"}, "option_value"),
        ("first_hit", {"endgame": "mars"}, "option_value"),
        ("short", {"last_roll_draw": 1}, "option_value"),
        ("short", {"bear_off_after_hit": "never"}, "option_value"),
        ("short", {"head_exception": "none"}, "option_not_offered"),
        ("short", {"mother_draw": True}, "option_not_offered"),
        ("short", {"opening_uses_lot": False}, "option_not_offered"),
        ("first_hit", {"bear_off_after_hit": "allowed"}, "option_not_offered"),
        ("long", {"last_roll_draw": True}, "option_not_offered"),
        ("short", {"jacobi": True}, "unknown_option"),
        ("short", {"max_points": 3}, "unknown_option"),
        ("short", {"jacoby": True}, "option_needs_cube"),
        ("short", {"beaver": True}, "option_needs_cube"),
        ("short", {"auto_double": True}, "option_needs_cube"),
        ("short", {"cube_limit": 8, "auto_doubles_max": 2}, "option_needs_auto_double"),
        ("short", {"cube_limit": 8, "auto_double": True, "auto_doubles_max": 0}, "option_value"),
        ("shrot", {}, "unknown_variant"),
        (None, {}, "unknown_variant"),
    ],
)
def test_bad_options(key: str, given: dict[str, object], code: str) -> None:
    assert code_of(lambda: rules.make_options(key, **given)) == code


def test_a_bad_option_names_its_field() -> None:
    with pytest.raises(rules.BadOption) as refused:
        rules.make_options("short", cube_limit=5)
    assert refused.value.field == "cube_limit"
    assert str(refused.value) == "The option cube_limit cannot be 5; choose from 1, 2, 4, 8, 16, 32, 64."


@pytest.mark.parametrize("key", rules.VARIANTS)
def test_options_are_stored_and_read_back(key: str) -> None:
    options = rules.make_options(key, cube_limit=8, beaver=True, auto_double=True, auto_doubles_max=2)
    assert rules.options_from_json(options.to_json()) == options


@pytest.mark.parametrize("key", rules.VARIANTS)
def test_every_option_that_a_variant_names_can_be_set(key: str) -> None:
    values = rules.make_options(key).to_json()
    for name in rules.variant(key).options:
        assert rules.make_options(key, **{name: values[name]}).to_json() == values
