"""Magriel notation, read and written (docs/rules.md#notation)."""

from __future__ import annotations

import pytest

from games import rules
from tests.rules.games import rolls
from tests.rules.playing import code_of, play, standing, started


def rolled(
    roll: str, white: dict[int, int], black: dict[int, int], variant: str = "short", **more: object
) -> rules.Turns:
    return play(standing(white, black, variant, **more), f"roll {roll}").choices


@pytest.mark.parametrize("text", ["4-2", "4:2", "4–2", "4—2", "4−2", " 4 - 2 ", "42"])
def test_dice_are_read(text: str) -> None:
    assert rules.notation.read_dice(text) == (4, 2)


@pytest.mark.parametrize("text", ["", "7-1", "4-2-1", "4", "a-b", "4-2: 8/4"])
def test_bad_dice(text: str) -> None:
    assert code_of(rules.notation.read_dice, text) == "bad_notation"


@pytest.mark.parametrize(
    "text", ["4-2: 8/4 6/4", "4:2: 8/4, 6/4", "4–2: 6/4 8/4", "2-4: 8/4 6/4", "8/4 6/4", " 8/4  6/4 ", "8/4,6/4"]
)
def test_a_whole_turn_is_read(text: str) -> None:
    assert play(started(), "roll 4-2").read_play(text).play == "8/4 6/4"


def test_a_whole_turn_is_written() -> None:
    assert rules.notation.write_turn((4, 2), "8/4 6/4") == "4-2: 8/4 6/4"


def test_other_dice_than_those_on_the_board() -> None:
    assert code_of(play(started(), "roll 4-2").read_play, "4-3: 8/4 6/4") == "dice_differ"


@pytest.mark.parametrize(
    ("roll", "white", "black", "texts"),
    [
        # the first text is how it is written
        ("4-2", {8: 3, 6: 5}, {6: 5}, ["8/4 6/4"]),
        ("2-2", {8: 4, 6: 5}, {6: 5}, ["8/4(2)", "8/6(2) 6/4(2)", "8/6/4(2)", "8/6 8/6 6/4 6/4", "8/4 8/6 6/4"]),
        ("6-2", {13: 2}, {18: 1, 1: 14}, ["13/7*/5", "13/7* 7/5", "13/7*/5 "]),
        ("6-1", {13: 2}, {18: 1, 1: 14}, ["13/12 13/7*", "13/7 13/12", "13/7* 13/12"]),
        (
            "3-1",
            {25: 1, 22: 1},
            {6: 2},
            ["bar/21", "Bar/22 22/21", "БАР/22 22/21", "25/22, 22/21", "бар/22/21", "Бар/24/21"],
        ),
        ("6-5", {6: 2, 5: 2}, {1: 3}, ["6/off 5/off", "6/OFF 5/Off", "5/0 6/0", "6/знято 5/СНЯТО"]),
        ("6-3", {20: 1}, {8: 2, 14: 2}, ["20/14 Ø", "20/14", "20/14, Ø", "20/14 ø", "20/14 ∅"]),
        ("5-5", {24: 2}, {11: 2, 1: 5}, ["24/19(2) Ø", "24/19 24/19"]),
        (
            "1-1",
            {8: 2, 6: 2},
            {18: 1, 1: 14},
            ["8/7*(2) 6/5(2)", "8/7(2) 6/5(2)", "8/7* 8/7 6/5 6/5", "8/7(2)* 6/5(2)"],
        ),
    ],
)
def test_plays_are_written_and_read(roll: str, white: dict[int, int], black: dict[int, int], texts: list[str]) -> None:
    turns = rolled(roll, white, black)
    for text in texts:
        assert turns.read(text).play == texts[0]


def test_cyrillic_is_written_with_its_bar() -> None:
    turn = rolled("3-1", {25: 1, 6: 5}, {6: 2}).read("bar/22 6/5")
    assert (turn.written("uk"), turn.written("ru"), turn.written("latin")) == (
        "Бар/22 6/5",
        "Бар/22 6/5",
        "bar/22 6/5",
    )


def test_a_turn_ended_by_the_game_has_no_sign_of_a_pass() -> None:
    assert rolled("6-5", {1: 1}, {6: 5}).all[0].play == "1/off"
    assert "24/23*" in [turn.play for turn in rolled("5-1", {24: 1}, {2: 1}, "first_hit").all]


def test_the_last_checker_uses_both_dice() -> None:
    assert [turn.play for turn in rolled("3-1", {2: 1}, {6: 5}).all] == ["2/off"]
    assert rolled("3-1", {2: 1}, {6: 5}).read("2/1/off").steps == ((2, 1, 1, False), (1, 0, 3, False))


def test_pins_are_not_marked() -> None:
    turns = rolled("4-3", {24: 15}, {4: 1, 24: 14}, "tapa")
    assert "24/21 24/20" in [turn.play for turn in turns.all]
    assert turns.read("24/21 24/20").steps[1].hits
    assert code_of(turns.read, "24/21* 24/20") == "not_a_hit"


def test_a_written_star_must_be_true() -> None:
    turns = play(started(), "roll 4-2").choices
    assert code_of(turns.read, "8/4* 6/4") == "not_a_hit"


TWO_WAYS = {"white": {13: 1, 6: 14}, "black": {18: 1, 1: 14}}
"""13/5 with 6-2 either hits on 7 or passes by 11."""


def test_an_ambiguous_play_is_never_accepted() -> None:
    turns = rolled("6-2", **TWO_WAYS)
    with pytest.raises(rules.Ambiguous) as refused:
        turns.read("13/5")
    assert refused.value.code == "ambiguous_play"
    assert turns.read("13/7/5").steps[0].hits
    assert turns.read("13/7*/5").steps[0].hits
    assert not turns.read("13/11/5").steps[0].hits


def test_what_is_written_is_never_ambiguous() -> None:
    plays = {turn.play for turn in rolled("6-2", **TWO_WAYS).all}
    assert {"13/7*/5", "13/11/5"} <= plays


def test_a_transcript_that_marks_every_hit_means_no_hit_without_a_star() -> None:
    turns = rolled("6-2", **TWO_WAYS)
    assert turns.read("13/5", stars_exact=True).play == "13/11/5"
    assert turns.read("13/7*/5", stars_exact=True).play == "13/7*/5"


def test_a_transcript_without_any_stars_is_read_where_only_one_position_fits() -> None:
    turns = rolled("6-1", **TWO_WAYS)
    assert turns.read("13/7 6/5", stars_exact=True).play == "13/7* 6/5"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty_play"),
        ("   ", "empty_play"),
        ("4-2:", "empty_play"),
        ("hello", "bad_notation"),
        ("8", "bad_notation"),
        ("8/", "bad_notation"),
        ("/4", "bad_notation"),
        ("8/4(5)", "bad_notation"),
        ("8/4(0)", "bad_notation"),
        ("8*/4", "bad_notation"),
        ("8/4**", "bad_notation"),
        ("8/4 Ø 6/4", "bad_notation"),
        ("8/four", "bad_notation"),
        ("8/²", "bad_notation"),
        ("26/4", "bad_point"),
        ("99/4", "bad_point"),
        ("4/8", "wrong_direction"),
        ("8/8", "wrong_direction"),
        ("8/bar", "wrong_direction"),
        ("off/4", "wrong_direction"),
        ("8/4(4) 6/4", "too_many_steps"),
        ("24/23/22/21/20/19", "too_many_steps"),
    ],
)
def test_malformed_plays(text: str, code: str) -> None:
    game = play(started(), "roll 4-2")
    with pytest.raises(rules.Malformed) as refused:
        game.read_play(text)
    assert refused.value.code == code


def test_every_play_of_random_games_reads_back_as_the_same_turn() -> None:
    for key in rules.VARIANTS:
        for turns in rolls(rules.make_options(key), 20, seed=21):
            for turn in turns.all:
                assert turns.read(turn.play).position == turn.position
                assert turns.read(turn.play, stars_exact=True).position == turn.position
