"""All legal turns of one roll: as positions, as notation, as a graph of steps, and as what a text means."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cached_property
from typing import Any

from . import notation
from .board import ENDED, Position
from .errors import Ambiguous, Illegal, Malformed
from .explain import explain
from .matching import moves_after, step_between
from .notation import Move, Step
from .options import GameOptions
from .search import Maximal, maximal
from .variant import Moment, Variant
from .variants import variant

Node = tuple[int, tuple[int, ...]]
"""A packed position within a turn, and the dice left to play."""


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

    # -- the graph of steps

    @cached_property
    def _all_dice(self) -> tuple[int, ...]:
        high, low = max(self.moment.dice), min(self.moment.dice)
        return (high,) * 4 if high == low else (high, low)

    def _is_end(self, node: Node) -> bool:
        state, left = node
        if state & ENDED:
            return state in self._maximal.ended
        return len(self._all_dice) - len(left) == self._maximal.dice and state in self._maximal.states

    @cached_property
    def _graph(self) -> dict[Node, list[tuple[Step, Node]]]:
        """Every node on the way to a legal turn, with its steps, from the start on."""
        start = (self._mover.start, self._all_dice)
        edges: dict[Node, list[tuple[Step, Node]]] = {}
        layers = [[start]]
        while layers[-1]:
            following: dict[Node, None] = {}
            for node in layers[-1]:
                edges[node] = list(self._steps_from(node))
                following.update(dict.fromkeys(after for _, after in edges[node]))
            layers.append([node for node in following if node not in edges])
        useful: set[Node] = set()
        for layer in reversed(layers):
            for node in layer:
                edges[node] = [(step, after) for step, after in edges[node] if after in useful]
                if edges[node] or self._is_end(node):
                    useful.add(node)
        return {node: steps for node, steps in edges.items() if node in useful or node == start}

    def _steps_from(self, node: Node) -> Iterator[tuple[Step, Node]]:
        state, left = node
        if state & ENDED:
            return
        for die in dict.fromkeys(left):
            rest = list(left)
            rest.remove(die)
            for after in self._mover.steps(state, die):
                yield step_between(self.game, state, after, die), (after, tuple(rest))

    @cached_property
    def _ways(self) -> dict[int, tuple[Step, ...]]:
        """To each resulting position the first way, larger die and higher points before others."""
        start = (self._mover.start, self._all_dice)
        ways: dict[Node, tuple[Step, ...]] = {start: ()}
        boards: dict[int, tuple[Step, ...]] = {}
        queue = [start]
        for node in queue:
            if self._is_end(node):
                boards.setdefault(node[0] & self.game.kept_bits, ways[node])
            for step, after in self._graph[node]:
                if after not in ways:
                    ways[after] = (*ways[node], step)
                    queue.append(after)
        return boards

    def steps_to(self, board: int) -> tuple[Step, ...]:
        """One legal order of the steps that lead to this packed position."""
        return self._ways[board]

    def graph_json(self) -> list[dict[str, Any]]:
        """For pages: node 0 is now; every step leads on to a complete legal turn, and no two steps look alike.

        A node is `{"end": bool, "steps": [[from, to, die, hits, next node], …]}`. Where two checkers of one point
        differ only in what they did before (docs/rules.md#caucasian), a page cannot tell them apart; so a node stands
        for all positions within the turn that the same visible steps lead to.
        """
        start = frozenset([(self._mover.start, self._all_dice)])
        numbers = {start: 0}
        nodes: list[dict[str, Any]] = []
        for alike in (queue := [start]):
            following: dict[Step, set[Node]] = {}
            for node in sorted(alike):
                for step, after in self._graph[node]:
                    following.setdefault(step, set()).add(after)
            steps = []
            for step, after_all in following.items():
                target = frozenset(after_all)
                if target not in numbers:
                    numbers[target] = len(queue)
                    queue.append(target)
                steps.append([*step, numbers[target]])
            nodes.append({"end": any(map(self._is_end, alike)), "steps": steps})
        return nodes

    # -- notation

    def write(self, board: int, script: str = "latin") -> str:
        """The notation of the turn that leads to this packed position; reading it back gives the same turn."""
        steps = self.steps_to(board)
        over = board in self._ended_boards or self._all_off(board)
        unplayed = len(steps) < len(self._all_dice) and not over
        if not self.game.has_bar:  # pins are not marked
            steps = tuple(step._replace(hits=False) for step in steps)
        moves = notation.moves_of(steps)
        joined = sum(len(move.stops) for move in moves) < len(steps)
        if joined and len(self._results(tuple(moves), exact=False)) > 1:
            moves = notation.moves_of(steps, keep_stops=True)
        return notation.write(moves, unplayed, script)

    def _all_off(self, board: int) -> bool:
        return board & 255 == self.game.checkers

    def read(self, text: str, stars_exact: bool = False) -> Turn:
        """The turn that a text means.

        Stars may be left out while the play stays unambiguous; with `stars_exact` (transcripts that write every hit) a
        stop without a star is read as no hit. Raises Malformed, Illegal (its code names the rule) or Ambiguous.
        """
        written = notation.parse(text)
        if written.dice and sorted(written.dice) != sorted(self.moment.dice):
            raise Malformed(
                "dice_differ",
                written=notation.write_dice(written.dice),
                dice=notation.write_dice(self.moment.dice),
            )
        boards = self._results(written.moves, stars_exact)
        if not boards and self._results(notation.without_stars(written.moves), False):
            raise Illegal("not_a_hit", text=text)
        if not boards:
            raise explain(self.game, self._mover, self._all_dice, self._maximal, written, text)
        if len(boards) > 1:
            raise Ambiguous("ambiguous_play", text=text)
        turn = Turn(self, boards.pop())
        if written.passes and len(turn.steps) == len(self._all_dice):
            raise Illegal("dice_unplayable")
        return turn

    def _results(self, moves: tuple[Move, ...], exact: bool) -> set[int]:
        """The packed positions of all legal turns that fit the written moves."""
        start: tuple[Node, tuple[Move, ...]] = ((self._mover.start, self._all_dice), moves)
        seen = {start}
        todo = [start]
        boards: set[int] = set()
        while todo:
            node, left = todo.pop()
            if not left and self._is_end(node):
                boards.add(node[0] & self.game.kept_bits)
            starts = {move.start for move in left}
            for step, after in self._graph[node]:
                if step.start not in starts:
                    continue
                if not self.game.has_bar:
                    step = step._replace(hits=False)
                for rest in moves_after(left, step, exact):
                    if (after, rest) not in seen:
                        seen.add((after, rest))
                        todo.append((after, rest))
        return boards
