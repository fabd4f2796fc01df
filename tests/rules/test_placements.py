"""The engine and brute force agree on checkers placed at random, reachable in a game or not."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import rules
from tests.rules.naive_turns import assert_same
from tests.rules.placements import questions
from tests.rules.test_against_naive import SETTINGS


@pytest.mark.parametrize(("key", "given_options"), SETTINGS, ids=lambda value: str(value))
def test_placements(key: str, given_options: dict[str, object]) -> None:
    options = rules.make_options(key, **given_options)

    @settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
    @given(st.data())
    def agree(data: st.DataObject) -> None:
        assert_same(data.draw(questions(options)))

    agree()
