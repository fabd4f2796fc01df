"""`python -m games.rules`: one JSON question a line, one answer a line (docs/rules.md#machine-interface)."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games import rules
from games.rules.cli import answer, serve

ROOT = Path(__file__).parents[2]
START = list(rules.variant("short").start or ())
QUESTION: dict[str, Any] = {
    "id": 7,
    "variant": "short",
    "options": {},
    "mine": START,
    "theirs": START,
    "pinned": [],
    "pins": [],
    "dice": [3, 1],
    "first_turn": False,
    "second_starter": False,
}


def ask(**changes: Any) -> dict[str, Any]:
    return answer(json.dumps(QUESTION | changes).encode())


def refused(**changes: Any) -> str:
    said = ask(**changes)
    assert said["id"] == changes.get("id", 7)
    assert said["error"]["message"]
    return said["error"]["code"]


def row(**counts: int) -> list[int]:
    points = [0] * 26
    for name, count in counts.items():
        points[int(name[1:])] = count
    return points


def test_the_turns_of_an_opening() -> None:
    said = ask()
    assert said["id"] == 7
    assert len(said["turns"]) == 16
    best = next(turn for turn in said["turns"] if turn["play"] == "8/5 6/5")
    assert best == {"play": "8/5 6/5", "mine": row(p5=2, p6=4, p8=2, p13=5, p24=2), "theirs": START}


def test_nothing_to_play_is_an_empty_list() -> None:
    closed = row(p1=2, p2=2, p3=2, p4=2, p5=2, p6=2, p13=3)
    assert ask(mine=row(p25=1, p7=14), theirs=closed) == {"id": 7, "turns": []}


def test_what_may_be_left_out() -> None:
    short = {name: QUESTION[name] for name in ("id", "variant", "options", "mine", "theirs", "dice")}
    assert answer(json.dumps(short).encode()) == ask()


@pytest.mark.parametrize("name", ["id", "variant", "options", "mine", "theirs", "dice"])
def test_what_may_not_be_left_out(name: str) -> None:
    said = answer(json.dumps({key: value for key, value in QUESTION.items() if key != name}).encode())
    assert said["error"]["code"] == "bad_question"
    assert said["id"] == (None if name == "id" else 7)


@pytest.mark.parametrize("given", [5, "x", None, ["a"], 1.5])
def test_any_id_comes_back(given: object) -> None:
    assert ask(id=given)["id"] == given


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{",
        b"nonsense",
        b'{"id": 7,}',
        b'{"id": NaN}',
        b'{"id": 1e999}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'"\\ud8"',
    ],
    ids=lambda line: repr(line[:12]),
)
def test_lines_that_are_no_json(line: bytes) -> None:
    said = answer(line)
    assert (said["id"], said["error"]["code"]) == (None, "bad_json")


@pytest.mark.parametrize("line", [b"[]", b"5", b"null", b'"short"', b"true"])
def test_json_that_is_no_question(line: bytes) -> None:
    said = answer(line)
    assert (said["id"], said["error"]["code"]) == (None, "bad_question")


@pytest.mark.parametrize(
    "changes", [{"first_turn": 1}, {"second_starter": None}, {"first_turn": "no"}, {"frist_turn": True}]
)
def test_bad_questions(changes: dict[str, Any]) -> None:
    assert refused(**changes) == "bad_question"


@pytest.mark.parametrize("given", ["", "Short", "backgammon", 5, None, ["short"], True])
def test_unknown_variants(given: object) -> None:
    assert refused(variant=given) == "unknown_variant"


@pytest.mark.parametrize(
    ("variant", "given"),
    [
        ("short", []),
        ("short", None),
        ("short", {"unknown": 1}),
        ("short", {"bear_off_after_hit": "maybe"}),
        ("short", {"bear_off_after_hit": None}),
        ("short", {"bear_off_after_hit": ["allowed"]}),
        ("short", {"head_exception": "none"}),
        ("short", {"cube_limit": 8}),
        ("short", {"last_roll_draw": True}),
        ("short", {"variant": "short"}),
        ("first_hit", {"bear_off_after_hit": "allowed"}),
        ("long", {"opening_uses_lot": True}),
        ("tapa", {"mother_draw": 1}),
    ],
)
def test_bad_options(variant: str, given: object) -> None:
    assert refused(variant=variant, options=given) == "bad_option"


@pytest.mark.parametrize(
    "dice", [[], [1], [1, 2, 3], [0, 1], [1, 7], [True, 1], [1.0, 2], ["1", 2], "12", 12, None, {"a": 1}]
)
def test_bad_dice(dice: object) -> None:
    assert refused(dice=dice) == "bad_dice"


@pytest.mark.parametrize(
    ("variant", "changes"),
    [
        ("short", {"mine": START[:25]}),
        ("short", {"mine": [*START, 0]}),
        ("short", {"mine": "x" * 26}),
        ("short", {"mine": None}),
        ("short", {"mine": row(p6=14)}),
        ("short", {"mine": row(p6=16)}),
        ("short", {"mine": row(p6=16, p5=-1)}),
        ("short", {"mine": [True] * 15 + [0] * 11}),
        ("short", {"mine": [1.0] * 15 + [0] * 11}),
        ("short", {"mine": row(p1=15)}),
        ("hypergammon", {}),
        ("short", {"pinned": [6]}),
        ("short", {"pins": [6]}),
        ("long", {"mine": row(p25=1, p1=14), "theirs": row(p1=15)}),
        ("long", {"mine": row(p12=15), "theirs": row(p24=15)}),
        ("tapa", {"mine": row(p1=14, p25=1), "theirs": row(p1=15)}),
        ("tapa", {"mine": row(p6=15), "theirs": row(p19=15)}),
        ("tapa", {"mine": row(p6=15), "theirs": row(p5=15), "pins": [6]}),
        ("tapa", {"mine": row(p6=15), "theirs": row(p19=2, p5=13), "pins": [6]}),
        ("tapa", {"mine": row(p6=14, p7=1), "theirs": row(p19=1, p5=14), "pinned": [6]}),
        ("tapa", {"mine": row(p6=1, p7=14), "theirs": row(p19=1, p5=14), "pinned": [6], "pins": [6]}),
        ("tapa", {"mine": row(p6=1, p7=14), "theirs": row(p19=1, p5=14), "pinned": [6, 6]}),
        ("tapa", {"mine": row(p6=1, p7=14), "theirs": row(p19=1, p5=14), "pinned": ["6"]}),
        ("tapa", {"mine": row(p6=1, p7=14), "theirs": row(p19=1, p5=14), "pinned": [True]}),
        ("tapa", {"mine": row(p6=1, p7=14), "theirs": row(p19=1, p5=14), "pinned": 6}),
        ("tapa", {"mine": row(p6=1, p7=14), "theirs": row(p19=1, p5=14), "pinned": [0]}),
    ],
)
def test_bad_positions(variant: str, changes: dict[str, Any]) -> None:
    assert refused(variant=variant, **changes) == "bad_position"


@pytest.mark.parametrize(
    ("variant", "changes"),
    [
        ("short", {"mine": row(p0=15)}),
        ("short", {"theirs": row(p0=15)}),
        ("first_hit", {"mine": row(p25=1, p6=14), "theirs": row(p6=15)}),
        ("first_hit", {"mine": row(p6=15), "theirs": row(p25=1, p6=14)}),
        ("tapa", {"mine": row(p1=1, p6=14), "theirs": row(p24=1, p5=14), "pins": [1]}),
        ("tapa", {"mine": row(p24=1, p6=14), "theirs": row(p1=1, p5=14), "pinned": [24]}),
        (
            "tapa",
            {
                "mine": row(p24=1, p1=14),
                "theirs": row(p1=14, p24=1),
                "pinned": [24],
                "pins": [1],
                "options": {"mother_draw": True},
            },
        ),
    ],
)
def test_finished_games(variant: str, changes: dict[str, Any]) -> None:
    assert refused(variant=variant, **changes) == "game_over"


def test_a_pinned_mother_does_not_end_a_game_with_mother_draw_at_once() -> None:
    held = {"mine": row(p24=2, p1=13), "theirs": row(p24=1, p5=14), "pins": [1], "variant": "tapa"}
    assert refused(**held) == "game_over"
    assert ask(**held, options={"mother_draw": True})["turns"]


def test_tapa_tells_pins_in_its_results() -> None:
    said = ask(variant="tapa", mine=row(p8=1, p7=14), theirs=row(p20=1, p1=14), dice=[3, 4])
    pinning = next(turn for turn in said["turns"] if turn["play"] == "8/5 7/3")
    assert (pinning["pinned"], pinning["pins"]) == ([], [5])


def test_it_answers_in_order_and_reads_on() -> None:
    out = io.StringIO()
    lines = [
        json.dumps(QUESTION),
        "{",
        json.dumps(QUESTION | {"id": 8, "dice": [0, 0]}),
        json.dumps(QUESTION | {"id": 9}),
    ]
    serve([line.encode() for line in lines], out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [said["id"] for said in answers] == [7, None, 8, 9]
    assert ["turns" in said for said in answers] == [True, False, False, True]


def test_the_command_answers_each_line_at_once_and_without_django() -> None:
    code = "import runpy, sys; runpy.run_module('games.rules', run_name='__main__'); assert 'django' not in sys.modules"
    command = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert command.stdin is not None
    assert command.stdout is not None
    for number in range(3):
        command.stdin.write(json.dumps(QUESTION | {"id": number}).encode() + b"\n")
        command.stdin.flush()
        assert json.loads(command.stdout.readline())["id"] == number
    _, said = command.communicate()
    assert (command.returncode, said) == (0, b"")


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (b'{"id": 1,}', "bad_json", "at column 10 of this line."),
        (b'{"id": 1, "id": 2}', "bad_json", "the field 'id' is given twice."),
        (b'{"id": "\xff"}', "bad_json", "byte 9 of it is not UTF-8."),
        (b"[" * 200_000, "bad_json", "it is nested too deeply."),
        (b'{"id": ' + b"9" * 5_000 + b"}", "bad_json", "a number has too many digits."),
        (b'{"id": NaN}', "bad_json", "NaN is no JSON number."),
        (b'{"id": 1, "luck": 1, "variant": "short", "options": {}, "mine": [], "theirs": [], "dice": []}',
         "bad_question", "The fields of the question are wrong: luck is not known."),
        (b'{"id": 1, "variant": "short", "options": {}}',
         "bad_question", "The fields of the question are wrong: mine, theirs, dice are missing."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_line_is_said_of_this_line(line: bytes, code: str, said: str) -> None:
    error = answer(line)["error"]
    assert error["code"] == code and error["message"].endswith(said)
    assert "line 1" not in error["message"]
