"""A transcript's game against the rules: what is accepted, which differences are named, what is refused and where."""

import re
from functools import cache

import pytest

from games import rules
from games.rules import mat, mat_writer, replay
from games.rules.transcript_errors import RefusedGame

from .games import played

OPTIONS = rules.make_options("short", cube_limit=64)


def check(*rows: str, length: int = 0, score: str = "0 0", options=OPTIONS, jacoby=False) -> replay.CheckedGame:
    one, two = score.split()
    text = "\n".join([f" {length} point match", " Game 1", f" Alfa : {one}                        Beta : {two}", *rows])
    match = mat.read(text)
    return replay.check_game(match, match.games[0], options, jacoby)


def refusal(*rows: str, **kwargs) -> RefusedGame:
    with pytest.raises(RefusedGame) as caught:
        check(*rows, **kwargs)
    return caught.value


@cache
def played_out(kind: str, word: str = "") -> str:
    """The transcript of a game without a double that ended by bearing off with this result."""
    for seed in range(1000):
        game = played("short", seed, by_bot=True)
        text = mat_writer.write([game])
        if game.result and game.result[4:] == (kind, "bear_off") and word in text.lower():
            return text
    raise AssertionError(f"no game of a thousand ended with {kind}")


def check_text(text: str, jacoby: bool = False) -> replay.CheckedGame:
    match = mat.read(text)
    return replay.check_game(match, match.games[0], OPTIONS, jacoby)


def refused_text(text: str) -> RefusedGame:
    with pytest.raises(RefusedGame) as caught:
        check_text(text)
    return caught.value


def test_a_drop_is_replayed_as_events_of_ours():
    checked = check("  1) 31: 8/5 6/5                  Doubles => 2", "  2)  Drops                       Wins 1 point")
    assert checked.events == (
        rules.Lot(3, 1),
        rules.Play("8/5 6/5"),
        rules.Double(),
        rules.Drop(),
    )
    assert checked.result == rules.Result("black", 1, 1, 1, "oin", "drop")
    assert (checked.starter, checked.transcript_points, checked.difference) == (None, 1, None)


def test_events_lead_to_the_result_from_a_new_game():
    checked = check("  1)                             31: 8/5 6/5", "  2) 66: 24/18(2) 13/7(2)", "      Wins 3 points")
    state = rules.new_game(checked.options, checked.starter)
    for event in checked.events:
        state = rules.apply(state, event)
    assert state.result == checked.result


def test_the_second_player_may_start_and_a_higher_die_goes_to_the_starter():
    checked = check("  1)                             13: 8/5 6/5", "      Wins 3 points")
    assert checked.events[0] == rules.Lot(white=1, black=3)


def test_both_exporters_give_the_same_events_and_the_same_digest():
    joined = check(
        "  1) 62: 24/18 13/11             33: 8/5(2) 6/3(2)", "  2) 64: 24/14                   63: 24/15",
        "      Wins 3 points",
    )  # fmt: skip
    apart = check(
        "1)  62: 13/11 24/18    33: 8/5 8/5 6/3 6/3", "2) 64: 24/18 18/14      63: 24/18 18/15", "      Wins 3 point",
    )  # fmt: skip
    assert joined.events == apart.events
    assert joined.text_for_digest == apart.text_for_digest


def test_the_digest_text_tells_score_plays_and_result_apart():
    rows = ("  1) 31: 8/5 6/5                 42: 8/4 6/4", "      Wins 3 points")
    other_play = ("  1) 31: 8/5 6/5                 42: 24/22 13/9", "      Wins 3 points")
    texts = {
        check(*rows).text_for_digest,
        check(*other_play).text_for_digest,
        check(*rows, score="1 0").text_for_digest,
        check(*rows, length=7).text_for_digest,
        check(rows[0], "      Wins 2 points").text_for_digest,
    }
    assert len(texts) == 5


def test_a_roll_that_was_not_played_any_more_ends_in_the_resignation():
    for cell in ("21: ????", "21:"):
        checked = check(f"  1) 31: 8/5 6/5                 {cell}", "      Wins 3 points")
        assert checked.events[-2:] == (rules.Roll((2, 1)), rules.Resign("black"))
        assert checked.result.kind == "koks"


def test_a_silent_answer_to_a_double_is_a_time_out_that_passes():
    checked = check("  1) 31: 8/5 6/5                  Doubles => 2", "                                  Wins 1 point")
    assert checked.events[-1] == rules.TimeOut("white")
    assert (checked.result.points, checked.difference) == (1, None)


@pytest.mark.parametrize(("written", "meant"), [("13/5", "13/8/5"), ("13/10*/5", "13/10*/5")])
def test_a_missing_star_on_the_way_means_that_there_was_no_hit(written, meant):
    """5-3 from 13 to 5 goes over 8, or over 10 where Alfa has a blot."""
    checked = check(f"  1) 63: 24/15                   53: {written}", "      Wins 3 points")
    assert checked.events[3] == rules.Play(meant)


def test_the_last_game_may_be_capped_at_the_points_still_needed():
    checked = check("  1) 61: 13/7 8/7", "      Wins 1 point and the match", length=3, score="2 0")
    assert (checked.result.points, checked.transcript_points, checked.difference) == (3, 1, replay.CAPPED)


def test_a_resignation_at_another_level_is_accepted_by_name():
    checked = check("  1) 61: 13/7 8/7", "      Wins 2 points", length=5)
    assert (checked.result.points, checked.difference) == (3, replay.AGREED)


def test_more_than_three_times_the_cube_is_refused_even_when_given_up():
    error = refusal("  1) 61: 13/7 8/7", "      Wins 5 points", length=5)
    assert (error.line, error.reason) == (5, "5 points are more than three times the cube (1)")


def test_a_drop_counts_the_cube_before_the_offer():
    error = refusal("  1) 31: 8/5 6/5                  Doubles => 2", "  2)  Drops                       Wins 2 points")
    assert error.line == 5
    assert "by the rules it is oin and 1" in error.reason


@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        (("  1) 33: 8/5(2) 6/3(2)",), 4, "the first roll of a game is the lot, so it cannot be 3-3"),
        (("  1)  Doubles => 2                Drops",), 4, "a game begins with a roll"),
        (("  1) 31: 8/5 6/4",), 4, "“8/5 6/4” with 3-1:"),
        (("  1) 31: 8/5",), 4, "“8/5” with 3-1: As many dice as possible"),
        (("  1) 31: Cannot Move",), 4, "a play is possible with 3-1"),
        (("  1) 31:                        42: 8/4 6/4",), 4, "no play is written for 3-1"),
        (("  1) 31: 8/5 6/5", "  2) 42: 8/4 6/4"), 5, "Alfa acts, but it is the turn of Beta"),
        (("  1) 31: 8/5 6/5                  Takes",), 4, "This is not possible now"),
        (("  1) 31: 8/5 6/5                  Doubles => 4",), 4, "the cube is turned to 2, not to 4"),
        (("  1) 31: 8/5 6/5                  Doubles => 2", "  2) 42: 8/4 6/4"), 5, "An answer to the double is owed"),
        (("  1) 31: 8/5 6/5                  Doubles => 2", "  2)  Beavers => 4"), 5, "Beavers are not agreed"),
        (("  1) 31: 8/5 6/5                 42: 8/4* 6/4",), 4, "is marked as a hit"),
        (
            ("  1) 31: 8/5 6/5                  Doubles => 2", "  2)  Drops", "  3) 31: 8/5 6/5"),
            6,
            "the game was over in line 5",
        ),
    ],
)
def test_a_broken_rule_is_refused_with_its_line(rows, line, words):
    error = refusal(*rows, "      Wins 1 point")
    assert words in error.reason
    assert error.line == line


def test_a_play_where_nothing_can_be_played_is_refused():
    closed_out = played_out("mars", "cannot move")
    error = refused_text(closed_out.replace("Cannot Move", "bar/20", 1))
    assert "nothing can be played with this roll" in error.reason


@pytest.mark.parametrize("kind", ["oin", "mars", "koks"])
def test_a_result_by_bearing_off_must_be_the_one_of_the_rules(kind):
    text = played_out(kind)
    points = {"oin": 1, "mars": 2, "koks": 3}[kind]
    assert check_text(text).result.points == points
    wrong = 2 if points != 2 else 3
    error = refused_text(re.sub(r"Wins \d points?", f"Wins {wrong} points", text))
    assert f"the transcript counts {wrong} points; by the rules it is {kind} and {points}" in error.reason
    assert text.splitlines()[error.line - 1].strip().startswith("Wins")


def test_mars_counted_once_with_an_untouched_cube_is_jacoby():
    once = re.sub(r"Wins \d points?", "Wins 1 point", played_out("mars"))
    checked = check_text(once)
    assert (checked.result.points, checked.transcript_points, checked.difference) == (2, 1, replay.JACOBY)
    agreed = check_text(once, jacoby=True)
    assert (agreed.result.points, agreed.difference, agreed.options.jacoby) == (1, None, True)


def test_mars_counted_twice_breaks_jacoby_where_that_was_agreed():
    with pytest.raises(RefusedGame, match="by the rules it is oin and 1"):
        check_text(played_out("mars"), jacoby=True)


def test_nothing_can_follow_the_last_checker():
    text = played_out("oin")
    last = max(int(number) for number in re.findall(r"^ *(\d+)\)", text, re.MULTILINE))
    longer = re.sub(r"(\n +Wins)", rf"\n {last + 1}) 31: 8/5 6/5\1", text)
    assert "the game was over" in refused_text(longer).reason


def test_a_winner_in_the_wrong_column_is_refused():
    error = refusal("  1) 31: 8/5 6/5                  Doubles => 2", "  2)  Drops", "      Wins 1 point")
    assert (error.line, error.reason) == (6, "the transcript says that Alfa won, but Beta did")


def test_nobody_gives_up_while_the_other_owes_an_answer():
    error = refusal("  1) 31: 8/5 6/5                  Doubles => 2", "      Wins 1 point")
    assert "Beta cannot give up: the other owes an answer" in error.reason


def test_the_cube_stops_at_the_limit_of_the_table():
    limited = rules.make_options("short", cube_limit=2)
    rows = ("  1) 31: 8/5 6/5                  Doubles => 2", "  2)  Takes                      42: 8/4 6/4")
    error = refusal(*rows, "  3)  Doubles => 4                Drops", "      Wins 2 points", options=limited)
    assert (error.line, error.reason) == (6, "The cube cannot go above its limit of 2.")


def test_a_game_without_any_roll_is_refused():
    assert refusal("      Wins 1 point").reason == "game 1 has no roll, so nothing was played"


def test_zero_points_are_no_win():
    assert refusal("  1) 31: 8/5 6/5", "      Wins 0 points").reason == "a won game counts at least 1 point"


def test_other_families_have_no_transcripts():
    for key in ("long", "tapa", "randgammon1"):
        assert (
            "cannot hold" in refusal("  1) 31: 8/5 6/5", "      Wins 1 point", options=rules.make_options(key)).reason
        )


def test_jacoby_needs_the_cube():
    with pytest.raises(rules.BadOption, match=re.escape("only with the cube")):
        check("  1) 31: 8/5 6/5", "      Wins 1 point", options=rules.make_options("short"), jacoby=True)
