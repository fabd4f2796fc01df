"""Pinning (docs/rules.md#tapa)."""

from __future__ import annotations

from games import rules
from tests.rules.playing import code_of, play, standing


def tapa(white: dict[int, int], black: dict[int, int], roll: str, **more: object) -> rules.GameState:
    return play(standing(white, black, "tapa", **more), f"roll {roll}")


def test_landing_on_a_single_checker_pins_it() -> None:
    game = play(tapa({8: 2, 7: 3}, {20: 1, 1: 5}, "3-1"), "8/5 7/6")
    assert game.pinned("black") == {20}
    assert game.points("black")[20] == 1
    assert game.last_turn is not None
    assert [step.hits for step in game.last_turn.steps] == [True, False]


def test_a_pinned_checker_may_not_move_and_is_freed_when_the_last_pinning_one_leaves() -> None:
    pinned = tapa({5: 1, 9: 3}, {20: 1, 13: 1}, "3-1", black_pinned=(20,), turn="black")
    assert code_of(pinned.read_play, "20/17 13/12") == "pinned"
    freed = play(tapa({5: 2, 9: 3}, {20: 1, 1: 5}, "3-1", black_pinned=(20,)), "5/2 5/4")
    assert freed.pinned("black") == frozenset()
    held = play(tapa({5: 2, 9: 3}, {20: 1, 1: 5}, "3-1", black_pinned=(20,)), "5/2 9/8")
    assert held.pinned("black") == {20}


def test_a_point_with_a_pin_is_closed_to_the_pinned_side_and_open_to_the_other() -> None:
    closed = tapa({5: 1, 9: 3}, {20: 1, 23: 2, 1: 5}, "3-1", black_pinned=(20,), turn="black")
    assert code_of(closed.read_play, "23/20 23/22") == "closed_point"
    assert tapa({5: 1, 9: 3}, {20: 1, 1: 5}, "4-1", black_pinned=(20,)).read_play("9/5 9/8")


def test_bearing_off_waits_for_pinned_checkers_outside() -> None:
    game = tapa({12: 1, 4: 3}, {13: 2, 1: 5}, "4-1", white_pinned=(12,))
    assert code_of(game.read_play, "4/off 4/3") == "not_home"


def test_a_pinned_checker_counts_for_the_larger_number_rule_and_stays() -> None:
    game = tapa({6: 1, 4: 3}, {19: 2, 1: 5}, "5-6", white_pinned=(6,))
    assert game.phase == "roll"  # nothing could be played: 6 is pinned, and 4 is not the highest
    assert game.last_turn is not None
    assert game.last_turn.play == "Ø"


def test_pins_go_with_the_stored_state() -> None:
    game = tapa({5: 1, 9: 3}, {20: 1, 1: 5}, "4-1", black_pinned=(20,))
    assert rules.state_from_json(game.to_json()) == game
    assert (game.position("white").pins, game.position("black").pinned) == ({5}, {20})
