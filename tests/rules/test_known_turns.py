"""Rolls whose complete legal turns are known from other programs (tests/rules/data/README.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games import rules

CASES = [json.loads(line) for line in (Path(__file__).parent / "data" / "turns.jsonl").read_text().splitlines()]


def points(counts: dict[str, int]) -> tuple[int, ...]:
    return tuple(counts.get(str(point), 0) for point in range(26))


def turns_of(case: dict[str, Any]) -> rules.Turns:
    position = rules.Position(
        points(case["mine"]),
        points(case["theirs"]),
        frozenset(case.get("pinned", [])),
        frozenset(case.get("pins", [])),
    )
    moment = rules.Moment(tuple(case["dice"]), case.get("first_turn", False), case.get("second_starter", False))
    return rules.Turns(rules.make_options(case["variant"], **case.get("options", {})), position, moment)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_complete_turns(case: dict[str, Any]) -> None:
    expected = {
        (points(case["mine"] | mine), points(case["theirs"] | theirs), frozenset(pins[0] if pins else []))
        for mine, theirs, *pins in case["after"]
    }
    turns = turns_of(case).all
    assert {(turn.position.mine, turn.position.theirs, turn.position.pins) for turn in turns} == expected
    assert len(turns) == len(expected)


def test_the_order_of_the_dice_does_not_matter() -> None:
    for case in CASES:
        swapped = case | {"dice": case["dice"][::-1]}
        assert [turn.play for turn in turns_of(swapped).all] == [turn.play for turn in turns_of(case).all]


def test_every_play_reads_back_as_the_same_turn_in_each_script() -> None:
    for case in CASES:
        turns = turns_of(case)
        for turn in turns.all:
            for script in ("latin", "uk", "ru"):
                assert turns.read(turn.written(script).upper()).position == turn.position
