"""No hit and hide (docs/rules.md#caucasian), and bearing off a hitter (docs/rules.md#bear-off-after-hit)."""

from __future__ import annotations

import pytest

from games import rules
from tests.rules.playing import code_of, play, standing


def game(white: dict[int, int], black: dict[int, int], roll: str, **options: object) -> rules.GameState:
    variant = str(options.pop("variant", "caucasian"))
    return play(standing(white, black, variant, **options), f"roll {roll}")


def test_the_hitter_may_not_hide() -> None:
    state = game({8: 1, 3: 2}, {20: 1, 12: 5}, "3-2")
    assert code_of(state.read_play, "8/5*/3") == "hit_and_hide"
    assert game({8: 1, 3: 2}, {20: 1, 12: 5}, "3-2", variant="short").read_play("8/5*/3")


def test_the_hitter_may_be_covered() -> None:
    assert game({8: 1, 7: 1}, {20: 1, 12: 5}, "3-2").read_play("8/5* 7/5")


def test_the_hitter_may_go_on_to_an_empty_point_or_another_blot() -> None:
    assert game({8: 1, 1: 2}, {20: 1, 12: 5}, "3-2").read_play("8/5*/3")
    assert game({8: 1, 1: 2}, {20: 1, 22: 1, 12: 5}, "3-2").read_play("8/5*/3*")


def test_a_hit_outside_the_home_marks_nothing() -> None:
    assert game({9: 1, 3: 2}, {18: 1, 12: 5}, "4-2").read_play("9/7*/3")


def test_covering_does_not_wipe_the_mark() -> None:
    state = game({5: 2, 1: 1, 13: 1}, {22: 1, 6: 5}, "2-2")
    assert code_of(state.read_play, "5/3*/1 5/3/1") == "hit_and_hide"
    assert state.read_play("5/3* 5/1 13/11")


def test_the_duty_to_play_is_judged_among_legal_plays() -> None:
    """Hitting with the 3 leaves no legal 2, so a turn that plays both dice must be taken."""
    state = game({8: 1, 3: 2, 7: 1}, {20: 1, 12: 5}, "3-2")
    assert code_of(state.read_play, "8/5*") == "more_dice"
    assert {len(turn.steps) for turn in state.turns()} == {2}


def plays(white: dict[int, int], roll: str, policy: str, variant: str = "short") -> set[str]:
    state = game(white, {22: 1, 12: 5}, roll, variant=variant, bear_off_after_hit=policy)
    return {turn.play for turn in state.turns()}


@pytest.mark.parametrize("variant", ["short", "caucasian"])
def test_a_hitter_that_has_another_step_is_borne_off_only_where_allowed(variant: str) -> None:
    assert "4/3*/off" in plays({6: 1, 4: 1}, "3-1", "allowed", variant)
    for policy in ("only_if_forced", "forbidden"):
        assert "4/3*/off" not in plays({6: 1, 4: 1}, "3-1", policy, variant)


def test_a_hitter_without_another_step_is_borne_off_unless_forbidden() -> None:
    for policy in ("allowed", "only_if_forced"):
        assert plays({5: 1, 6: 1}, "3-3", policy) == {"6/3*/off 5/off"}
    assert plays({5: 1, 6: 1}, "3-3", "forbidden") == {"6/3* 5/2 Ø"}


def test_forbidding_it_can_make_the_larger_die_the_only_one() -> None:
    assert plays({4: 1}, "6-1", "only_if_forced") == {"4/3*/off"}
    assert plays({4: 1}, "6-1", "forbidden") == {"4/off"}


def test_a_checker_that_covered_the_hitter_is_borne_off_freely() -> None:
    assert plays({6: 2}, "3-3", "forbidden") == {"6/3* 6/off Ø"}
