"""The reader of `.mat` transcripts: every quirk of the wild is taken, everything torn is named with its line."""

import random
import re

import pytest

from games.rules import mat
from games.rules.transcript_errors import TornTranscript

PLAIN = """; [Site "Nowhere"]
; [Player 1 "Alfa"]

 3 point match

 Game 1
 Alfa : 0                        Beta : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2) 65: 24/18 18/13              Doubles => 2
  3)  Drops                       Wins 1 point

 Game 2
 Alfa : 0                        Beta : 1
  1)                             52: 13/8 24/22
  2) 44:                         31: 8/5 6/5
      Wins 1 point
"""


def one_game(*rows: str, length: int = 3) -> str:
    return "\n".join([f" {length} point match", "", " Game 1", " Alfa : 0                        Beta : 0", *rows, ""])


def acts(text: str) -> list[tuple]:
    (game,) = mat.read(text).games
    return [(cell.side, cell.kind, cell.dice, cell.play) for cell in game.cells]


def test_a_plain_match_is_read_with_lines_scores_and_results():
    match = mat.read(PLAIN)
    assert (match.length, match.player1, match.player2) == (3, "Alfa", "Beta")
    assert match.headers == (("Site", "Nowhere"), ("Player 1", "Alfa"))
    first, second = match.games
    assert (first.number, first.score, first.winner, first.points, first.result_line) == (1, (0, 0), "black", 1, 10)
    assert [(cell.line, cell.side, cell.kind, cell.value) for cell in first.cells[3:]] == [
        (9, "black", "double", 2),
        (10, "white", "drop", 0),
    ]
    assert (second.score, second.winner, second.points) == ((0, 1), "white", 1)


def test_an_empty_first_column_means_that_the_second_player_starts():
    assert [cell.side for cell in mat.read(PLAIN).games[1].cells] == ["black", "white", "black"]


def test_a_single_play_in_the_first_column_stays_there():
    text = one_game("  1) 61: 13/7 8/7", "                                  Wins 1 point")
    assert acts(text) == [("white", "turn", (6, 1), "13/7 8/7")]


def test_bar_and_off_may_be_numbers_and_steps_stand_apart():
    text = one_game("  1) 31: 25/22 6/5                 43: 4/0 3/0", "      Wins 1 point")
    assert [act[3] for act in acts(text)] == ["25/22 6/5", "4/0 3/0"]


def test_bar_off_hits_through_hits_and_repeats_are_read():
    text = one_game("  1) 42: bar/21* 13/7*/5           22: 6/off(2) 8/4(2)", "      Wins 1 point")
    assert [act[3] for act in acts(text)] == ["bar/21* 13/7*/5", "6/off(2) 8/4(2)"]


def test_cannot_move_an_empty_play_and_an_unknown_play_are_told_apart():
    text = one_game("  1) 31: 8/5 6/5    66: Cannot Move", "  2) 55:     21: ????", "      Wins 1 point")
    assert [act[3] for act in acts(text)] == ["8/5 6/5", mat.CANNOT_MOVE, "", mat.UNKNOWN_PLAY]


def test_a_left_play_as_wide_as_the_column_does_not_swallow_the_right_one():
    text = one_game("  1) 33: 25/22 13/10 13/10 24/21 53: 8/5 8/3", "      Wins 1 point")
    assert [act[0] for act in acts(text)] == ["white", "black"]


@pytest.mark.parametrize("ending", ["point", "points", "point and the match", "points and the match"])
def test_the_result_may_say_point_or_points_and_the_match(ending):
    (game,) = mat.read(one_game("  1) 61: 13/7 8/7", f"      Wins 2 {ending}")).games
    assert (game.winner, game.points) == ("white", 2)


@pytest.mark.parametrize(
    "rows",
    [
        ("  2)  Losses 2 point                                               Wins 2 point and the match",),
        ("                                  Wins 2 point",),
        ("  2)                              Wins 2 point",),
        ("  2)                              Wins 2 point", "  3)                    "),
        (" Losses 2 point", "", "                                  Wins 2 point"),
    ],
)
def test_the_result_of_the_second_player_in_all_its_places(rows):
    (game,) = mat.read(one_game("  1) 61: 13/7 8/7                 21: 13/11 24/23", *rows)).games
    assert (game.winner, game.points) == ("black", 2)


def test_a_losses_cell_beside_the_last_play_is_no_act():
    text = one_game("  1) 61: 13/7 8/7                 Losses 1 point", "", "      Wins 1 point and the match")
    assert acts(text) == [("white", "turn", (6, 1), "13/7 8/7")]
    assert mat.read(text).games[0].winner == "white"


def test_doubles_takes_and_beavers():
    rows = ("  1) 61: 13/7 8/7                  Doubles => 2", "  2)  Beavers => 4                Takes")
    text = one_game(*rows, "      Wins 4 points")
    assert [act[1] for act in acts(text)] == ["turn", "double", "beaver", "take"]


@pytest.mark.parametrize(
    "change", [lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r")]
)
def test_line_ends_and_a_byte_order_mark_change_nothing(change):
    assert mat.read(change(PLAIN)) == mat.read(PLAIN)


def test_tabs_divide_columns_too():
    rows = ("1)\t\t\t\t52: 13/8 24/22", "2)\t44: 24/20(2)\t\t31: 8/5 6/5", "\tWins 1 point")
    text = "\n".join([" 3 point match", "", " Game 1", " Alfa : 0\t\t\tBeta : 0", *rows])
    assert [act[0] for act in acts(text)] == ["black", "white", "black"]
    assert mat.read(text).games[0].winner == "white"


def test_names_may_hold_spaces_digits_and_colons():
    text = PLAIN.replace("Alfa :", "Al: fa 7 :").replace("Beta", "Бета і Ко")
    match = mat.read(text)
    assert (match.player1, match.player2) == ("Al: fa 7", "Бета і Ко")


def test_money_play_has_length_0_and_its_scores_run_on():
    assert mat.read(PLAIN.replace(" 3 point match", " 0 point match")).length == 0


def test_bytes_in_utf_8_and_utf_16_are_decoded():
    assert mat.decode(b"\xef\xbb\xbf" + "Бета".encode()) == "Бета"
    assert mat.decode("Бета".encode("utf-16")) == "Бета"


def test_bytes_that_are_no_text_name_their_line():
    with pytest.raises(TornTranscript, match="line 2: the file is not UTF-8"):
        mat.decode(b" 3 point match\n\xff\xfe\xfa")


def test_a_thousand_rolls_are_no_limit():
    rows = [f"{number:3}) 66:                          66:" for number in range(1, 2001)]
    (game,) = mat.read(one_game(*rows, "      Wins 1 point")).games
    assert len(game.cells) == 4000


def test_every_cut_of_a_file_is_torn_or_a_shorter_match():
    """A prefix never turns into a different game: it is refused, or it holds the games that were complete."""
    whole = mat.read(PLAIN)
    accepted = 0
    for end in range(len(PLAIN.rstrip())):
        try:
            part = mat.read(PLAIN[:end])
        except TornTranscript:
            continue
        accepted += 1
        assert part.games in (whole.games[:1], whole.games)
    assert accepted


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "there is no line “N point match”"),
        ("hello\n", 1, "“N point match” was expected"),
        (" 3 point match\n", 1, "holds no game"),
        (" 3 point match\n 1) 61: 13/7 8/7\n", 2, "“Game 1” was expected"),
        (" 3 point match\n Game 1\n 1) 61: 13/7 8/7\n", 3, "players and scores of game 1 were expected"),
        (" 3 point match\n Game 1\n Alfa : 0   Alfa : 0\n", 3, "both players are called Alfa"),
        (" 3 point match\n Game 1\n Alfa : 0   " + "B" * 101 + " : 0\n", 3, "longer than 100"),
        (" 3 point match\n Game 1\n" + " a : 1" * 200, 3, "the line is longer than 1000"),
        (one_game("  1) 61: 13/7 8/7"), 5, "breaks off without a result"),
        (one_game("  1) 61: 13/7 8/", "      Wins 1 point"), 5, "“8/” is no step"),
        (one_game("  1) 71: 13/7 8/7", "      Wins 1 point"), 5, "the roll 71 does not exist"),
        (one_game("  1) 61: 13/7 8/7", "  3) 61: 13/7", "      Wins 1 point"), 6, "row 3 stands where row 2"),
        (one_game("  1) 61: 13/7 8/7", "  2)", "      Wins 1 point"), 6, "cannot read"),
        (one_game("  1) 61: 13/7 8/7", "what", "      Wins 1 point"), 6, "cannot read “what”"),
        (one_game("  1) so 61: 13/7 8/7", "      Wins 1 point"), 5, "cannot read “so”"),
        (one_game("  1) 61: 13/7 8/7", "  2)  Takes it", "      Wins 1 point"), 6, "cannot read “it”"),
        (one_game("  1) 61: 13/7 8/7", "      Wins 1 point or so"), 6, "after the result"),
        (one_game("  1) 61: 13/7 21: 6/4 31: 8/5", "      Wins 1 point"), 5, "at most two acts"),
        (one_game("  1) 61: 13/7 8/7", "      Wins 1 point", "  2) 31: 8/5 6/5"), 7, "goes on after its result"),
        (one_game("  1) 61: 13/7 8/7", "      Wins 1 point", "      Wins 1 point"), 7, "a second result"),
        (
            one_game("  1) 61: 13/7 8/7   Losses 2 point", "      Wins 1 point"),
            5,
            "one wins 1 points and the other loses 2",
        ),
        (PLAIN.replace("Beta : 1", "Beta : 2"), 13, "the score 0 : 2 does not follow: after game 1 it was 0 : 1"),
        (PLAIN.replace(" 3 point match", " 1 point match"), 13, "at 0 : 1 a match to 1 is already won"),
        (PLAIN.replace("Game 2", "Game 3"), 12, "game 3 follows game 1"),
        (PLAIN.replace("Beta : 1", "Gama : 1"), 13, "the players change"),
        (PLAIN.rstrip().removesuffix("int"), 16, "cannot read “Wins 1 po”"),
    ],
)
def test_torn_text_is_named_with_its_line(text, line, words):
    with pytest.raises(TornTranscript, match=re.escape(words)) as caught:
        mat.read(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


def test_a_file_beyond_the_limit_is_refused_before_it_is_read():
    with pytest.raises(TornTranscript, match="longer than"):
        mat.read(" " * (mat.CHARACTERS_MAX + 1))


def test_no_damage_ends_in_anything_but_a_named_refusal():
    """A thousand random damages: each is refused as a transcript error, or is still a readable match."""
    chance = random.Random(12)
    outcomes = set()
    for _ in range(1000):
        at = chance.randrange(len(PLAIN))
        put = chance.choice(["", *"0123456789/:()*\n =>?x"])
        try:
            mat.read(PLAIN[:at] + put + PLAIN[at + chance.randint(0, 2) :])
            outcomes.add("read")
        except TornTranscript as error:
            assert 1 <= error.line <= PLAIN.count("\n") + 2
            outcomes.add("torn")
    assert outcomes == {"read", "torn"}
