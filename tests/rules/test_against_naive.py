"""The engine and brute force agree on the rolls of random games, for every variant and option that changes turns."""

from __future__ import annotations

from itertools import product

import pytest

from games import rules
from tests.rules.games import OWN_CHOICES, rolls
from tests.rules.naive_turns import assert_same

SETTINGS = [
    (key, dict(zip(game.turn_options, values, strict=True)))
    for key, game in rules.VARIANTS.items()
    for values in product(*(OWN_CHOICES.get(name, (False, True)) for name in game.turn_options))
]
ROLLS = 200


@pytest.mark.parametrize(("key", "given"), SETTINGS, ids=lambda value: str(value))
def test_random_games(key: str, given: dict[str, object]) -> None:
    for turns in rolls(rules.make_options(key, **given), ROLLS, seed=hash_free_seed(key, given)):
        assert_same(turns)


def hash_free_seed(key: str, given: dict[str, object]) -> int:
    """The same games at every run, other ones for each setting."""
    return sum(ord(letter) * place for place, letter in enumerate(f"{key}{given}", 1))
