"""The steps of all legal turns of one roll as a graph: for notation, for reading a text, and for pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from .board import ENDED
from .matching import moves_after, step_between
from .notation import Move, Step
from .search import Maximal, Mover
from .variant import Variant

Node = tuple[int, tuple[int, ...]]
"""A packed position within a turn, and the dice left to play."""


class StepGraph:
    """From a roll to the packed positions after its legal turns (`legal`), step by step."""

    def __init__(self, game: Variant, mover: Mover, dice: tuple[int, int], legal: Maximal) -> None:
        self.game = game
        self.mover = mover
        self.legal = legal
        high, low = max(dice), min(dice)
        self.dice = (high,) * 4 if high == low else (high, low)
        self.start: Node = (mover.start, self.dice)

    def _is_end(self, node: Node) -> bool:
        state, left = node
        if state & ENDED:
            return state in self.legal.ended
        return len(self.dice) - len(left) == self.legal.dice and state in self.legal.states

    @cached_property
    def edges(self) -> dict[Node, list[tuple[Step, Node]]]:
        """Every node on the way to a legal turn, with its steps, from the start on."""
        edges: dict[Node, list[tuple[Step, Node]]] = {}
        layers = [[self.start]]
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
        return {node: steps for node, steps in edges.items() if node in useful or node == self.start}

    def _steps_from(self, node: Node) -> Iterator[tuple[Step, Node]]:
        state, left = node
        if state & ENDED:
            return
        for die in dict.fromkeys(left):
            rest = list(left)
            rest.remove(die)
            for after in self.mover.steps(state, die):
                yield step_between(self.game, state, after, die), (after, tuple(rest))

    @cached_property
    def ways(self) -> dict[int, tuple[Step, ...]]:
        """To each resulting position the first way, larger die and higher points before others."""
        ways: dict[Node, tuple[Step, ...]] = {self.start: ()}
        boards: dict[int, tuple[Step, ...]] = {}
        queue = [self.start]
        for node in queue:
            if self._is_end(node):
                boards.setdefault(node[0] & self.game.kept_bits, ways[node])
            for step, after in self.edges[node]:
                if after not in ways:
                    ways[after] = (*ways[node], step)
                    queue.append(after)
        return boards

    def to_json(self) -> list[dict[str, Any]]:
        """For pages: node 0 is now; every step leads on to a complete legal turn, and no two steps look alike.

        A node is `{"end": bool, "steps": [[from, to, die, hits, next node], …]}`. Where two checkers of one point
        differ only in what they did before (docs/rules.md#caucasian), a page cannot tell them apart; so a node stands
        for all positions within the turn that the same visible steps lead to.
        """
        start = frozenset([self.start])
        numbers = {start: 0}
        nodes: list[dict[str, Any]] = []
        for alike in (queue := [start]):
            following: dict[Step, set[Node]] = {}
            for node in sorted(alike):
                for step, after in self.edges[node]:
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

    def boards_of(self, moves: tuple[Move, ...], exact: bool = False) -> set[int]:
        """The packed positions of all legal turns that fit the written moves; `exact`: no star, no hit."""
        start: tuple[Node, tuple[Move, ...]] = (self.start, moves)
        seen = {start}
        todo = [start]
        boards: set[int] = set()
        while todo:
            node, left = todo.pop()
            if not left and self._is_end(node):
                boards.add(node[0] & self.game.kept_bits)
            starts = {move.start for move in left}
            for step, after in self.edges[node]:
                if step.start not in starts:
                    continue
                if not self.game.has_bar:
                    step = step._replace(hits=False)
                for rest in moves_after(left, step, exact):
                    if (after, rest) not in seen:
                        seen.add((after, rest))
                        todo.append((after, rest))
        return boards
