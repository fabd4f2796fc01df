"""The state of one game: a value that answers what may happen next (docs/rules.md#course).

`games.rules.game.apply` makes the next state. Nothing here grows with the length of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from .board import Points, Position, pips
from .errors import NotNow, RuleError
from .events import Dice, Side, other
from .notation import Step
from .options import GameOptions, options_from_json
from .results import Result, lost_by
from .turns import Turn, Turns
from .variant import Moment, Variant
from .variants import variant

RULES_VERSION = "1"
"""Stored with each game; raised when a rule changes, so that a started game keeps its rules."""

Phase = Literal["setup", "lot", "roll", "play", "double", "beaver", "over"]


class Cube(NamedTuple):
    """The Dave cube (docs/rules.md#cube)."""

    value: int = 1
    owner: Side | None = None
    """None: in the middle."""
    offered: int | None = None
    """The value on offer while an answer is owed."""
    taken: bool = False
    """Whether any double has been taken; auto-doubles do not count."""


START_CUBE = Cube()


class LastTurn(NamedTuple):
    """The last completed turn, for the page: `play` is Ø and `steps` empty when nothing could be played."""

    side: Side
    dice: Dice
    play: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, kw_only=True)
class GameState:
    """One game at one moment. Points are in the numbering of the side that they belong to."""

    options: GameOptions
    phase: Phase
    white: Points
    black: Points
    white_pinned: frozenset[int] = frozenset()
    black_pinned: frozenset[int] = frozenset()
    turn: Side | None = None
    """Whose turn it is; None until the starter is known."""
    starter: Side | None = None
    dice: Dice | None = None
    cube: Cube = START_CUBE
    auto_doubles: int = 0
    turns_played: int = 0
    last_roll: bool = False
    """The side that started second plays its one turn after the other has borne off everything."""
    last_turn: LastTurn | None = None
    result: Result | None = None
    rules_version: str = field(default=RULES_VERSION)

    @property
    def game(self) -> Variant:
        """The variant."""
        return variant(self.options.variant)

    @property
    def to_act(self) -> Side | None:
        """Who owes the next act; None while setup or lot are awaited and after the end."""
        if self.turn is None or self.phase == "over":
            return None
        return other(self.turn) if self.phase == "double" else self.turn

    def points(self, side: Side) -> Points:
        """26 counts in the side's own numbering: 0 = borne off, 25 = bar."""
        return self.white if side == "white" else self.black

    def pinned(self, side: Side) -> frozenset[int]:
        """The points, in the side's own numbering, where a checker of that side is pinned."""
        return self.white_pinned if side == "white" else self.black_pinned

    def pips(self, side: Side) -> int:
        """The pip count of a side."""
        return pips(self.points(side))

    def position(self, side: Side) -> Position:
        """The position as this side sees it."""
        game, opponent = self.game, other(side)
        pins = frozenset(game.opposite(point) for point in self.pinned(opponent))
        return Position(self.points(side), self.points(opponent), self.pinned(side), pins)

    # -- what may happen now

    def may_roll(self, side: Side) -> bool:
        """Whether this side may roll now."""
        return self.phase == "roll" and self.turn == side

    def may_double(self, side: Side) -> bool:
        """Whether this side may offer a double now."""
        return self.may_roll(side) and self.why_no_double() is None

    def why_no_double(self) -> tuple[str, dict[str, object]] | None:
        """The rule that keeps the side to roll from doubling."""
        if not self.options.cube_in_play:
            return "cube_off", {}
        if self.last_roll:
            return "cube_last_roll", {}
        if self.cube.value * 2 > self.options.cube_limit:
            return "cube_limit", {"limit": self.options.cube_limit}
        if self.cube.owner not in (None, self.turn):
            return "cube_owner", {}
        return None

    def may_take(self, side: Side) -> bool:
        """Whether this side may take the double, or play on after a beaver."""
        return self.phase in ("double", "beaver") and self.to_act == side

    def may_drop(self, side: Side) -> bool:
        """Whether this side may pass the double or the beaver."""
        return self.may_take(side)

    def may_beaver(self, side: Side) -> bool:
        """Whether this side may answer the double with a beaver."""
        offered = self.cube.offered or 0
        within = offered * 2 <= self.options.cube_limit
        return self.phase == "double" and self.to_act == side and self.options.beaver and within

    def may_play(self, side: Side) -> bool:
        """Whether this side has dice on the board to play."""
        return self.phase == "play" and self.turn == side

    def may_resign(self, side: Side) -> bool:
        """Whether this side may resign: on either turn, but not while an answer to a double is owed."""
        return self.phase in ("roll", "play") and self.points(side)[0] < self.game.checkers

    # -- turns

    @cached_property
    def choices(self) -> Turns:
        """The legal turns of the dice on the board; only in the phase `play`."""
        if self.phase != "play" or self.turn is None or self.dice is None:
            raise NotNow("not_now", phase=self.phase)
        return self.choices_for(self.dice)

    def choices_for(self, dice: Dice) -> Turns:
        """The legal turns that these dice would give the side whose turn it is."""
        if self.turn is None:
            raise NotNow("not_now", phase=self.phase)
        moment = Moment(dice, self.turns_played < 2, self.turn != self.starter)
        return Turns(self.options, self.position(self.turn), moment)

    def turns(self) -> tuple[Turn, ...]:
        """The legal turns, distinct by resulting position; empty unless a play is owed."""
        return self.choices.all if self.phase == "play" else ()

    def turn_graph(self) -> list[dict[str, Any]]:
        """The steps of all legal turns for a page (see `Turns.graph_json`); empty unless a play is owed."""
        return self.choices.graph_json() if self.phase == "play" else []

    def read_play(self, text: str, stars_exact: bool = False) -> Turn:
        """The turn that a text means now (see `Turns.read`); raises PlayError, or NotNow when no play is owed."""
        return self.choices.read(text, stars_exact)

    # -- what leaving would cost

    def if_resigned(self, side: Side) -> Result:
        """The result if this side resigned now."""
        return lost_by(self, side, "resign")

    def if_timed_out(self, side: Side) -> Result:
        """The result if this side ran out of time now: a pass where it owes an answer to a double."""
        if self.may_drop(side):
            return self.if_dropped()
        return lost_by(self, side, "time_out")

    def if_dropped(self) -> Result:
        """The result if the offered double, or the beaver, were passed now (docs/rules.md#cube)."""
        if self.turn is None or self.cube.offered is None:
            raise NotNow("not_now", phase=self.phase)
        beaver = self.phase == "beaver"
        winner = other(self.turn) if beaver else self.turn
        cost = self.cube.offered // 2
        return Result(winner, 1, cost, cost, "oin", "drop")

    # -- storage

    def to_json(self) -> dict[str, Any]:
        """Plain JSON of constant size: the stored form of a running game."""
        return {
            "rules": self.rules_version,
            "options": self.options.to_json(),
            "phase": self.phase,
            "white": list(self.white),
            "black": list(self.black),
            "white_pinned": sorted(self.white_pinned),
            "black_pinned": sorted(self.black_pinned),
            "turn": self.turn,
            "starter": self.starter,
            "dice": list(self.dice) if self.dice else None,
            "cube": self.cube._asdict(),
            "auto_doubles": self.auto_doubles,
            "turns_played": self.turns_played,
            "last_roll": self.last_roll,
            "last_turn": _turn_json(self.last_turn),
            "result": self.result._asdict() if self.result else None,
        }


def _turn_json(turn: LastTurn | None) -> dict[str, Any] | None:
    if turn is None:
        return None
    return {"side": turn.side, "dice": list(turn.dice), "play": turn.play, "steps": [list(step) for step in turn.steps]}


def state_from_json(data: Mapping[str, Any]) -> GameState:
    """The state that `to_json` wrote; raises RuleError (`bad_state`) when it is torn."""
    try:
        last = data["last_turn"]
        return GameState(
            options=options_from_json(data["options"]),
            phase=data["phase"],
            white=tuple(data["white"]),
            black=tuple(data["black"]),
            white_pinned=frozenset(data["white_pinned"]),
            black_pinned=frozenset(data["black_pinned"]),
            turn=data["turn"],
            starter=data["starter"],
            dice=tuple(data["dice"]) if data["dice"] else None,
            cube=Cube(**data["cube"]),
            auto_doubles=data["auto_doubles"],
            turns_played=data["turns_played"],
            last_roll=data["last_roll"],
            last_turn=last
            and LastTurn(last["side"], tuple(last["dice"]), last["play"], tuple(Step(*step) for step in last["steps"])),
            result=data["result"] and Result(**data["result"]),
            rules_version=data["rules"],
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise RuleError("bad_state", reason=f"{error}.") from error
