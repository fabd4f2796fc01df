"""What a variant is: the object that fills in everything in which games differ (docs/new-variant.md)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from .board import BAR, BOARD_MASK, THEIR_BAR, Points, Position, unpack
from .errors import BadPosition
from .search import Mover

if TYPE_CHECKING:
    from .options import GameOptions

Family = Literal["short", "long", "tapa"]
Kind = Literal["oin", "mars", "koks", "draw"]
Reason = Literal["bear_off", "first_hit", "mother", "drop", "resign", "time_out", "draw"]

FACTOR: Mapping[str, int] = {"draw": 0, "oin": 1, "mars": 2, "koks": 3}

CUBE_OPTIONS = ("cube_limit", "crawford_game", "jacoby", "beaver", "auto_double", "auto_doubles_max")


class Moment(NamedTuple):
    """What the legality of a turn may depend on beside the position."""

    dice: tuple[int, int]
    first_turn: bool = False
    """The side to move plays its first roll of the game."""
    second_starter: bool = False
    """The side to move is the one that started second."""


class Ending(NamedTuple):
    """How a turn ended the game otherwise than by bearing off; the winner is the side that moved, unless a draw."""

    kind: Kind
    reason: Reason


@dataclass(frozen=True, kw_only=True)
class Variant(ABC):
    """One game: its start, its steps, its results. Instances live in `games/rules/variants/`, one file each."""

    key: str
    family: Family
    start: Points | None
    """Where each side's checkers stand at first, in its own numbering; None: drawn at random."""
    checkers: int = 15
    has_bar: bool = True
    """Whether blots are hit; without a bar nothing is ever hit."""
    has_pins: bool = False
    endgames: tuple[str, ...] = ("oin", "mars", "koks")
    """The settings of `endgame` that it offers, ascending (docs/rules.md#results)."""
    own_options: Mapping[str, object] = field(default_factory=dict)
    """Options beside `endgame` and the cube's, with this variant's defaults."""
    turn_options: tuple[str, ...] = ()
    """Which of them change the legal turns."""

    @property
    def options(self) -> tuple[str, ...]:
        """The names of all options that a table of this variant can set."""
        return (*CUBE_OPTIONS, "endgame", *self.own_options)

    def opposite(self, point: int) -> int:
        """The opponent's number for my point (docs/rules.md#coordinates)."""
        return 25 - point

    @abstractmethod
    def mover(self, position: Position, options: GameOptions, moment: Moment) -> Mover:
        """The single steps of the side to move."""

    @property
    def kept_bits(self) -> int:
        """The part of a packed position that outlives the turn."""
        return BOARD_MASK

    def struck(self, before: int, after: int) -> bool:
        """Whether the step between two packed positions hit a blot (in Tapa: pinned one)."""
        return (after ^ before) >> 8 * THEIR_BAR & 255 != 0

    def position_after(self, state: int, before: Position) -> Position:
        """The position that a packed one stands for; `before` is where the turn began."""
        mine, theirs = unpack(state)
        return Position(mine, theirs)

    def ending(self, position: Position, options: GameOptions) -> Ending | None:
        """Whether the side shown as `mine` has just ended the game otherwise than by bearing off."""
        return None

    def loses(self, loser: Points) -> Kind:
        """What this position of the loser's checkers costs before any cap (docs/rules.md#results)."""
        if loser[0]:
            return "oin"
        return "koks" if loser[BAR] or any(loser[19:25]) else "mars"

    def check_start(self, points: Points) -> None:
        """Raises BadPosition unless a game may be set up like this; only for random starts."""
        raise BadPosition("start_not_random", variant=self.key)

    def draw_start(self, draw: Callable[[int], int]) -> Points:
        """A random start; `draw(n)` gives a uniform int in range(n). Raises BadPosition where the start is fixed."""
        raise BadPosition("start_not_random", variant=self.key)
