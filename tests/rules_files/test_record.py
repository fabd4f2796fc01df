"""The text record of one game: exact for every variant, readable, and unforgiving."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from games import rules
from games.rules import record
from games.rules.transcript_errors import RefusedGame, TornTranscript

from .games import played

CUBE = {"cube_limit": 64, "beaver": True, "auto_double": True}


@pytest.mark.parametrize("variant", sorted(rules.VARIANTS))
@pytest.mark.parametrize("seed", range(4))
def test_every_variant_is_written_and_read_back_exactly(variant, seed):
    options = CUBE if seed % 2 else {}
    game = played(variant, seed, starter="black" if seed == 3 else None, resigns=0.005, **options)
    text = record.write(game)
    again = record.read(text)
    assert again == game
    assert again.result == game.result
    assert record.write(again) == text


def test_options_that_differ_from_the_defaults_are_kept():
    options = {"head_exception": "both_players", "endgame": "oin", "cube_limit": 4, "jacoby": True}
    game = played("long", 1, by_bot=True, **options)
    assert record.read(record.write(game)).options == rules.make_options("long", **options)


def test_a_draw_and_an_unfinished_game_can_be_held():
    unfinished = replace(played("short", 1), events=played("short", 1).events[:6])
    assert record.read(record.write(unfinished)).result is None


SHORT = """nardy game record 1
rules 1
variant short
option cube_limit 4
name white Alfa
name black Beta
start lot
lot 3 1
white 3-1: 8/5 6/5
black doubles
white drops
end black wins 1 by drop: oin with the cube at 1
"""


def test_a_record_written_by_hand_needs_only_what_differs():
    game = record.read("# a comment\n\n" + SHORT)
    assert (game.white, game.black, game.starter) == ("Alfa", "Beta", None)
    assert game.events == (rules.Lot(3, 1), rules.Play("8/5 6/5"), rules.Double(), rules.Drop())


@pytest.mark.parametrize("end", range(0, len(SHORT) - 1, 7))
def test_a_record_that_breaks_off_is_torn(end):
    with pytest.raises((TornTranscript, RefusedGame)):
        record.read(SHORT[:end])


@pytest.mark.parametrize(
    ("old", "new", "error", "line", "words"),
    [
        ("nardy game record 1", "nardy game record 2", TornTranscript, 1, "a record begins with"),
        ("rules 1", "rules 99", RefusedGame, 2, "played under rules version 99"),
        ("variant short", "variant chess", RefusedGame, 7, "There is no variant called 'chess'"),
        ("cube_limit 4", "cube_limit 5", RefusedGame, 7, "cube_limit cannot be 5"),
        ("name white Alfa", "option cube_limit 8", TornTranscript, 5, "stands here twice"),
        ("name white Alfa", "colour white", TornTranscript, 5, "is no line of a record's head"),
        ("start lot", "start now", TornTranscript, 7, "the start is lot, white or black"),
        ("lot 3 1", "lot 3", TornTranscript, 8, "a lot is two dice"),
        ("lot 3 1", "lot 7 1", RefusedGame, 8, "Dice are two whole numbers"),
        ("white 3-1: 8/5 6/5", "white 4-1: 8/4 6/5", RefusedGame, 9, "the dice of the lot are played: 3-1"),
        ("8/5 6/5", "8/6 6/5", RefusedGame, 9, "No die on the board"),
        ("8/5 6/5", "Ø", RefusedGame, 9, "A play is possible"),
        ("black doubles", "white doubles", RefusedGame, 10, "it is not the turn of white"),
        ("black doubles", "black dances", TornTranscript, 10, "cannot read “dances”"),
        ("white drops", "white resigns", RefusedGame, 11, "An answer to the double is owed"),
        ("black wins 1", "black wins 2", RefusedGame, 12, "by the rules it is “end black wins 1"),
        ("at 1\n", "at 1\nmore\n", TornTranscript, 13, "something follows the end"),
        ("white drops\n", "", RefusedGame, 11, "by the rules it is “end unfinished”"),
        ("end black wins 1 by drop: oin with the cube at 1\n", "", TornTranscript, 11, "breaks off"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(old, new, error, line, words):
    assert old in SHORT
    with pytest.raises(error, match=re.escape(words)) as caught:
        record.read(SHORT.replace(old, new, 1))
    assert caught.value.line == line


def test_a_name_with_a_line_end_is_refused():
    with pytest.raises(ValueError, match="does not fit on a line"):
        record.write(replace(record.read(SHORT), white="Al\nfa"))


def test_a_record_beyond_the_limit_is_refused_before_it_is_read():
    with pytest.raises(TornTranscript, match="longer than"):
        record.read(" " * (record.CHARACTERS_MAX + 1))


def test_the_example_of_the_documentation_is_a_record():
    documented = (Path(__file__).parents[2] / "docs" / "record-format.md").read_text(encoding="utf-8").split("```")[1]
    assert record.read(documented).result == rules.Result("black", 3, 2, 6, "koks", "resign")
