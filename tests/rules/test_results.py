"""What the end of a game costs (docs/rules.md#results)."""

from __future__ import annotations

import pytest

from games import rules
from tests.rules.playing import play, standing

OUT: dict[int, int] = {1: 1}


def won(loser: dict[int, int], variant: str = "short", **options: object) -> rules.Result:
    game = play(standing(OUT, loser, variant, **options), "roll 6-1", "1/off")
    assert game.phase == "over"
    assert game.result is not None
    return game.result


def test_oin_when_the_loser_has_borne_off_a_checker() -> None:
    assert won({25: 1, 24: 13}) == rules.Result("white", 1, 1, 1, "oin", "bear_off")


def test_mars_when_the_loser_has_borne_off_none() -> None:
    assert won({18: 1, 6: 14}) == rules.Result("white", 2, 1, 2, "mars", "bear_off")


@pytest.mark.parametrize("last", [25, 24, 19])
def test_koks_with_a_checker_on_the_bar_or_in_the_winners_home(last: int) -> None:
    place = {last: 1, 6: 14} if last != 24 else {23: 1, 6: 14}
    assert won(place) == rules.Result("white", 3, 1, 3, "koks", "bear_off")


@pytest.mark.parametrize(("endgame", "factor"), [("oin", 1), ("mars", 2), ("koks", 3)])
def test_the_setting_caps_the_factor(endgame: str, factor: int) -> None:
    result = won({25: 1, 6: 14}, endgame=endgame)
    assert (result.factor, result.kind, result.points) == (factor, endgame, factor)


def test_the_cube_multiplies() -> None:
    game = play(standing({1: 2}, {18: 1, 6: 14}, cube_limit=8), "double", "take", "roll 6-1", "1/off(2)")
    assert game.result == rules.Result("white", 2, 2, 4, "mars", "bear_off")


def test_long_nardy_knows_no_koks() -> None:
    assert won({24: 15}, "long").points == 2
    assert won({24: 14}, "long").points == 1


def test_a_first_hit_wins_oin_at_once_and_leaves_the_other_die() -> None:
    game = play(standing({24: 1, 6: 14}, {2: 1, 6: 14}, "first_hit"), "roll 1-5", "24/23*")
    assert game.result == rules.Result("white", 1, 1, 1, "oin", "first_hit")
    assert game.last_turn is not None
    assert game.last_turn.play == "24/23*"


def test_bearing_off_wins_oin_where_no_hit_happened() -> None:
    assert won({24: 14, 23: 1}, "first_hit") == rules.Result("white", 1, 1, 1, "oin", "bear_off")


def test_a_hit_may_be_declined() -> None:
    game = play(standing({24: 1, 6: 14}, {2: 1, 6: 14}, "first_hit"), "roll 1-5")
    assert {turn.play for turn in game.turns()} >= {"24/23*", "6/5 6/1"}


def test_pinning_the_mother_wins_mars_at_once() -> None:
    game = play(standing({5: 1, 8: 14}, {24: 1, 1: 14}, "tapa"), "roll 4-6", "5/1")
    assert game.result == rules.Result("white", 2, 1, 2, "mars", "mother")
    assert game.pinned("black") == {24}


def test_a_pin_on_the_start_of_more_than_one_checker_is_closed() -> None:
    game = play(standing({5: 1, 8: 14}, {24: 2, 1: 13}, "tapa"), "roll 4-6")
    assert not any("5/1" in turn.play for turn in game.turns())


def test_a_table_that_plays_for_oin_counts_the_mother_as_oin() -> None:
    game = standing({5: 1, 8: 14}, {24: 1, 1: 14}, "tapa", endgame="oin")
    assert play(game, "roll 4-6", "5/1").result == rules.Result("white", 1, 1, 1, "oin", "mother")


def test_mother_draw_when_both_mothers_are_pinned() -> None:
    game = standing({24: 1, 5: 14}, {1: 14, 24: 1}, "tapa", white_pinned=(24,), mother_draw=True)
    assert play(game, "roll 4-6", "5/1").result == rules.Result(None, 0, 1, 0, "draw", "mother")


def test_with_mother_draw_a_pinned_mother_wins_once_no_own_checker_is_left_on_the_start() -> None:
    mothers = {24: 1, 8: 14}
    away = standing({23: 1, 5: 14}, mothers, "tapa", mother_draw=True)
    assert play(away, "roll 4-6", "5/1").result == rules.Result("white", 2, 1, 2, "mars", "mother")
    there = play(standing({24: 2, 5: 13}, mothers, "tapa", mother_draw=True), "roll 4-6", "24/18 5/1")
    assert (there.phase, there.pinned("black")) == ("roll", {24})
    leaving = standing({24: 1, 1: 1, 5: 13}, mothers, "tapa", black_pinned=(24,), mother_draw=True)
    assert play(leaving, "roll 4-6", "24/18").result == rules.Result("white", 2, 1, 2, "mars", "mother")
