"""Asks the naive generator of the right family the same question as the engine, and compares."""

from __future__ import annotations

from typing import Any

from games import rules
from tests.rules import naive_long, naive_short, naive_tapa


def naive_answer(turns: rules.Turns) -> set[Any]:
    """The positions after every legal turn, by brute force."""
    position, moment, options = turns.position, turns.moment, turns.options
    mine, theirs = position.mine, position.theirs
    family = rules.variant(options.variant).family
    if family == "long":
        return naive_long.legal_positions(
            mine, theirs, moment.dice, options.head_exception or "", moment.first_turn, moment.second_starter
        )
    if family == "tapa":
        return naive_tapa.legal_positions(
            mine, theirs, position.pinned, position.pins, moment.dice, options.mother_draw
        )
    return naive_short.legal_positions(
        mine,
        theirs,
        moment.dice,
        after_hit=options.bear_off_after_hit or "allowed",
        may_hide=options.variant != "caucasian",
        first_hit_wins=options.variant == "first_hit",
    )


def engine_answer(turns: rules.Turns) -> set[Any]:
    """The engine's positions in the naive form of the family."""
    after = [turn.position for turn in turns.all]
    if rules.variant(turns.options.variant).family == "tapa":
        return {naive_tapa.stacked(one.mine, one.theirs, one.pinned, one.pins) for one in after}
    return {(one.mine, one.theirs) for one in after}


def assert_same(turns: rules.Turns) -> None:
    """Engine and brute force agree, and the engine lists nothing twice."""
    ours, theirs = engine_answer(turns), naive_answer(turns)
    assert ours == theirs, (turns.options, turns.position, turns.moment, ours ^ theirs)
    assert len(turns.all) == len(ours)
