"""Series: games between the same two on the same terms (docs/rules.md#series). Values in, values out.

A money series and a points series share the question who starts next; a points series also keeps the score and knows
when the Crawford game is played.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from .errors import RuleError
from .events import Side, other
from .options import GameOptions, make_options
from .results import Result

FirstMove = Literal["loser", "alternate", "lot"]
FIRST_MOVES: tuple[FirstMove, ...] = ("loser", "alternate", "lot")

MONEY_OPTIONS = {"jacoby": False, "beaver": False, "auto_double": False, "auto_doubles_max": 1}
"""Off in points series (docs/rules.md#series)."""


def next_starter(first_move: FirstMove, starter: Side, result: Result | None) -> Side | None:
    """Who starts the game after one that `starter` started; None: the lot decides.

    `result` None stands for a void game, which is replayed with the same starter. After a draw under `loser` the side
    that started second starts.

    >>> next_starter("loser", "white", Result("black", 1, 1, 1, "oin", "bear_off"))
    'white'
    """
    if result is None:
        return starter
    if first_move == "lot":
        return None
    if first_move == "alternate" or result.winner is None:
        return other(starter)
    return other(result.winner)


@dataclass(frozen=True, kw_only=True)
class PointsSeries:
    """A series to `length` points, after some games. Immutable; `after` gives the next one."""

    options: GameOptions
    length: int
    crawford: bool = True
    first_move: FirstMove = "loser"
    white: int = 0
    black: int = 0
    crawford_over: bool = False
    """The Crawford game has been played."""
    starter: Side | None = None
    """Who starts the next game; None: the lot decides."""

    @property
    def winner(self) -> Side | None:
        """The side that has reached the length."""
        if max(self.white, self.black) < self.length:
            return None
        return "white" if self.white > self.black else "black"

    @property
    def is_crawford_game(self) -> bool:
        """Whether the next game is the Crawford game: the first after a side came within one point of the length."""
        return self.crawford and not self.crawford_over and max(self.white, self.black) == self.length - 1

    @property
    def next_options(self) -> GameOptions:
        """What the next game is played under: the Crawford game has no cube, mars and koks counting in full."""
        return replace(self.options, crawford_game=self.is_crawford_game)

    def after(self, result: Result | None, starter: Side) -> PointsSeries:
        """The series after a game that `starter` started; `result` None: it was void and is replayed.

        A drawn Crawford game was the Crawford game. Raises RuleError (`series_over`) after the end.
        """
        if self.winner is not None:
            raise RuleError("series_over")
        following = next_starter(self.first_move, starter, result)
        if result is None:
            return replace(self, starter=following)
        return replace(
            self,
            white=self.white + (result.points if result.winner == "white" else 0),
            black=self.black + (result.points if result.winner == "black" else 0),
            crawford_over=self.crawford_over or self.is_crawford_game,
            starter=following,
        )


def points_series(
    options: GameOptions, length: int, crawford: bool = True, first_move: FirstMove = "loser"
) -> PointsSeries:
    """A new points series. The money options are off in it, and a series to 1 point has no cube.

    Raises RuleError (`series_length`, `series_first_move`).
    """
    if type(length) is not int or length < 1:
        raise RuleError("series_length", value=length)
    if first_move not in FIRST_MOVES:
        raise RuleError("series_first_move", value=first_move, choices=", ".join(FIRST_MOVES))
    terms: dict[str, Any] = options.to_json() | MONEY_OPTIONS | {"crawford_game": False}
    if length == 1:
        terms["cube_limit"] = 1
    return PointsSeries(options=make_options(**terms), length=length, crawford=crawford, first_move=first_move)
