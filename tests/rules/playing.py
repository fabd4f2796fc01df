"""Short ways to bring a game to a moment, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games import rules
from games.rules.board import points_of

EVENTS: Mapping[str, Any] = {
    "double": rules.Double(),
    "take": rules.Take(),
    "drop": rules.Drop(),
    "beaver": rules.Beaver(),
}


def play(state: rules.GameState, *said: str) -> rules.GameState:
    """Applies events written as text: "double", "take", …, "roll 3-1", "lot 3-1" (white's die first), or a play."""
    for text in said:
        word, _, rest = text.partition(" ")
        if word in ("roll", "lot"):
            dice = rules.notation.read_dice(rest)
            event: rules.Event = rules.Roll(dice) if word == "roll" else rules.Lot(*dice)
        else:
            event = EVENTS.get(text) or rules.Play(text)
        state = rules.apply(state, event)
    return state


def started(variant: str = "short", starter: rules.Side = "white", **options: Any) -> rules.GameState:
    """A game in which `starter` is to roll a fresh pair."""
    return rules.new_game(rules.make_options(variant, **options), starter)


def standing(
    white: dict[int, int],
    black: dict[int, int],
    variant: str = "short",
    turn: rules.Side = "white",
    starter: rules.Side = "white",
    white_pinned: tuple[int, ...] = (),
    black_pinned: tuple[int, ...] = (),
    **options: Any,
) -> rules.GameState:
    """A game long under way with these checkers, each side in its own numbering; what is missing is borne off."""
    checkers = rules.variant(variant).checkers
    white_off, black_off = (checkers - sum(points.values()) for points in (white, black))
    return replace(
        started(variant, starter, **options),
        white=points_of({0: white_off, **white}),
        black=points_of({0: black_off, **black}),
        white_pinned=frozenset(white_pinned),
        black_pinned=frozenset(black_pinned),
        turn=turn,
        turns_played=20,
    )


def code_of(act: Any, *args: Any) -> str:
    """The code of the RuleError that a call raises."""
    try:
        act(*args)
    except rules.RuleError as error:
        assert str(error)
        return error.code
    raise AssertionError("no rule was broken")
