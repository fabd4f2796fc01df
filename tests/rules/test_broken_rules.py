"""An illegal play is refused with the rule that it breaks, in a form that pages translate by code."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import games.rules
from games import rules
from games.rules import errors
from tests.rules.playing import play, standing, started

HOME = dict.fromkeys(range(1, 7), 2)


class Case(NamedTuple):
    """A play, the rule that it breaks, and where."""

    code: str
    roll: str
    text: str
    white: dict[int, int]
    black: dict[int, int]
    more: dict[str, Any] = {}
    says: str = ""


CASES = [
    Case("must_play", "4-2", "Ø", {8: 3, 6: 5}, {6: 5}),
    Case("more_dice", "4-2", "8/4", {8: 3, 6: 5}, {6: 5}, says="2 can be played, this plays 1"),
    Case("more_dice", "2-2", "8/6(3)", {8: 3, 6: 5}, {6: 5}, says="4 can be played, this plays 3"),
    Case("larger_die", "6-5", "13/8", {13: 1}, {23: 2}, says="the larger die, 6, must be played"),
    Case("bar_first", "4-2", "8/4 6/4", {25: 1, 8: 3, 6: 5}, {6: 5}, says="A checker is on the bar"),
    Case("bar_first", "4-2", "bar/21 6/4", {25: 2, 6: 5}, {6: 5}),
    Case("no_bar_checker", "4-2", "bar/21 6/4", {8: 3, 6: 5}, {6: 5}),
    Case("no_checker", "4-2", "9/5 6/4", {8: 3, 6: 5}, {6: 5}, says="no checker on point 9"),
    Case("no_die", "4-2", "8/5 6/4", {8: 3, 6: 5}, {6: 5}, says="from 8 to 5"),
    Case("no_die", "4-1", "6/off", {6: 5}, {6: 5}, says="from 6 to off"),
    Case("too_many_steps", "4-2", "6/off 6/4", {6: 5}, {6: 5}),
    Case("too_many_steps", "4-2", "8/4 6/4 6/2", {8: 3, 6: 5}, {6: 5}),
    Case("closed_point", "4-2", "8/4 6/4", {8: 3, 6: 5}, {21: 2}, says="Point 4 is closed"),
    Case("closed_point", "6-5", "bar/20 13/7", {25: 1, 13: 5}, {5: 2}, says="Point 20 is closed"),
    Case("closed_point", "6-1", "24/23 24/18", {24: 5}, {11: 1}, {"variant": "long"}, says="Point 23 is closed"),
    Case("not_home", "4-2", "4/off 13/11", {13: 1, 4: 2}, {6: 5}),
    Case("higher_checker", "4-1", "3/off 6/5", {6: 2, 5: 1, 3: 2}, {6: 5}, says="stands on 6"),
    Case("not_a_hit", "4-2", "8/4* 6/4", {8: 3, 6: 5}, {6: 5}),
    Case("dice_unplayable", "4-2", "8/4 6/4 Ø", {8: 3, 6: 5}, {6: 5}),
    Case(
        "hit_and_hide", "4-2", "7/3*/1", {7: 1, 1: 2, 20: 1}, {22: 1, 12: 5}, {"variant": "caucasian"}, says="point 1"
    ),
    Case("off_after_hit", "6-1", "3/2*/off", {3: 1, 1: 2}, {23: 1, 12: 5}, {"bear_off_after_hit": "forbidden"}),
    Case("off_after_hit_unforced", "2-1", "3/2*/off", {3: 2}, {23: 1, 12: 5}, {"bear_off_after_hit": "only_if_forced"}),
    Case("head", "5-4", "24/19 24/20", {24: 15}, {24: 15}, {"variant": "long"}, says="At most 1 may leave the head"),
    Case("block", "5-1", "21/20 19/14", {21: 2, 19: 2, 18: 2, 17: 2, 16: 2, 15: 2}, {24: 15}, {"variant": "long"}),
    Case("pinned", "5-1", "6/5 6/1", {6: 1, 5: 3}, {19: 2, 1: 3}, {"variant": "tapa", "white_pinned": (6,)}),
    Case("game_ended", "5-1", "24/23*/18", {24: 1, 6: 3}, {2: 1}, {"variant": "first_hit"}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code} {case.text}")
def test_the_broken_rule_is_named(case: Case) -> None:
    game = play(standing(case.white, case.black, **case.more), f"roll {case.roll}")
    with pytest.raises(rules.Illegal) as refused:
        game.read_play(case.text)
    assert refused.value.code == case.code, str(refused.value)
    assert case.says in str(refused.value)


def test_an_opening_play_is_refused_with_its_rule() -> None:
    with pytest.raises(rules.Illegal, match=r"^Point 1 is closed by the opponent\.$"):
        play(started(), "roll 5-1", "6/1 8/7")


def test_errors_tell_malformed_illegal_and_ambiguous_apart() -> None:
    for kind in (rules.Malformed, rules.Illegal, rules.Ambiguous):
        assert issubclass(kind, rules.PlayError)
        assert issubclass(kind, rules.RuleError)
    assert not issubclass(rules.Illegal, rules.Malformed)


def test_every_message_is_used_and_every_code_has_a_message() -> None:
    folder = Path(games.rules.__file__).parent
    source = "".join(path.read_text() for path in folder.rglob("*.py") if path.name != "errors.py")
    source += (folder / "errors.py").read_text().partition("class RuleError")[2]
    for code in errors.MESSAGES.keys() - {"not_your_turn"}:  # events carry no person; the players' actions raise it
        assert f'"{code}"' in source, code
    for raised in re.findall(r'(?:Illegal|Malformed|Ambiguous|NotNow|BadOption|BadPosition)\(\s*"(\w+)"', source):
        assert raised in errors.MESSAGES


def test_a_translation_has_the_params_that_its_message_needs() -> None:
    with pytest.raises(rules.Illegal) as refused:
        play(started(), "roll 5-1", "6/1 8/7")
    error = refused.value
    needed = {name for _, name, _, _ in string.Formatter().parse(errors.MESSAGES[error.code]) if name}
    assert needed == set(error.params) == {"point"}
    assert "Пункт {point} закритий.".format(**error.params) == "Пункт 1 закритий."
