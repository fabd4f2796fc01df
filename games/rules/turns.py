"""All legal turns of one roll: as positions, as notation, and as what a text means."""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property
from typing import Any

from . import notation
from .board import Position
from .errors import Ambiguous, Illegal, Malformed
from .explain import explain
from .graph import StepGraph
from .notation import Step
from .options import GameOptions
from .search import Maximal, maximal
from .variant import Moment, Variant
from .variants import variant


class Turn:
    """One legal turn. `play` and `steps` are worked out when asked for."""

    __slots__ = ("_board", "_turns")

    def __init__(self, turns: Turns, board: int) -> None:
        self._turns = turns
        self._board = board

    @property
    def position(self) -> Position:
        """The position after it, still as the side that played it sees it."""
        return self._turns.game.position_after(self._board, self._turns.position)

    @property
    def steps(self) -> tuple[Step, ...]:
        """One legal order of its steps."""
        return self._turns.steps_to(self._board)

    @property
    def play(self) -> str:
        """Its notation in Latin letters, which read back means this turn."""
        return self.written("latin")

    def written(self, script: str) -> str:
        """Its notation in `latin`, `uk` or `ru`."""
        return self._turns.write(self._board, script)

    def __repr__(self) -> str:
        return f"<Turn {self.play}>"


class Turns:
    """The legal turns of the side to move (`position.mine`) with the dice of this moment."""

    def __init__(self, options: GameOptions, position: Position, moment: Moment) -> None:
        self.options = options
        self.position = position
        self.moment = moment
        self.game: Variant = variant(options.variant)
        self._mover = self.game.mover(position, options, moment)

    @cached_property
    def _maximal(self) -> Maximal:
        return maximal(self._mover, self.moment.dice)

    @cached_property
    def boards(self) -> Set[int]:
        """The distinct packed positions after legal turns, without what only matters within a turn."""
        keep = self.game.kept_bits
        found = {state & keep for state in self._maximal.states}
        return found | self._ended_boards if self._maximal.ended else found

    @cached_property
    def _ended_boards(self) -> set[int]:
        return {state & self.game.kept_bits for state in self._maximal.ended}

    @cached_property
    def all(self) -> tuple[Turn, ...]:
        """All legal turns, one per distinct resulting position, in an order that depends on nothing else."""
        return tuple(Turn(self, board) for board in sorted(self.boards, reverse=True))

    @property
    def positions(self) -> list[Position]:
        """The positions after the legal turns, in no particular order: faster than asking each turn."""
        after, before = self.game.position_after, self.position
        return [after(board, before) for board in self.boards]

    @cached_property
    def _graph(self) -> StepGraph:
        return StepGraph(self.game, self._mover, self.moment.dice, self._maximal)

    def steps_to(self, board: int) -> tuple[Step, ...]:
        """One legal order of the steps that lead to this packed position."""
        return self._graph.ways[board]

    def graph_json(self) -> list[dict[str, Any]]:
        """The steps of all legal turns for a page (see `StepGraph.to_json`)."""
        return self._graph.to_json()

    def write(self, board: int, script: str = "latin") -> str:
        """The notation of the turn that leads to this packed position; reading it back gives the same turn."""
        steps = self.steps_to(board)
        over = board in self._ended_boards or self._all_off(board)
        unplayed = len(steps) < len(self._graph.dice) and not over
        if not self.game.has_bar:  # pins are not marked
            steps = tuple(step._replace(hits=False) for step in steps)
        moves = notation.moves_of(steps)
        joined = sum(len(move.stops) for move in moves) < len(steps)
        if joined and len(self._graph.boards_of(tuple(moves))) > 1:
            moves = notation.moves_of(steps, keep_stops=True)
        return notation.write(moves, unplayed, script)

    def _all_off(self, board: int) -> bool:
        return board & 255 == self.game.checkers

    def read(self, text: str, stars_exact: bool = False) -> Turn:
        """The turn that a text means.

        Stars may be left out while the play stays unambiguous; with `stars_exact` (transcripts that write every hit) a
        stop without a star is taken for no hit if that fits. Raises Malformed, Illegal (its code names the rule) or
        Ambiguous.
        """
        written = notation.parse(text)
        if written.dice and sorted(written.dice) != sorted(self.moment.dice):
            raise Malformed(
                "dice_differ",
                written=notation.write_dice(written.dice),
                dice=notation.write_dice(self.moment.dice),
            )
        boards = self._graph.boards_of(written.moves, exact=True) if stars_exact else set()
        boards = boards or self._graph.boards_of(written.moves)
        if not boards and self._graph.boards_of(notation.without_stars(written.moves)):
            raise Illegal("not_a_hit", text=text)
        if not boards:
            raise explain(self.game, self._mover, self._graph.dice, self._maximal, written, text)
        if len(boards) > 1:
            raise Ambiguous("ambiguous_play", text=text)
        turn = Turn(self, boards.pop())
        if written.passes and len(turn.steps) == len(self._graph.dice):
            raise Illegal("dice_unplayable")
        return turn
