"""Which rule a written play breaks, once it fits no legal turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from .board import BAR, ENDED, OFF
from .errors import Illegal, PlayError
from .matching import moves_after, step_between
from .notation import Move, Stop, Written
from .search import Maximal, Mover
from .variant import Variant


class Reached(NamedTuple):
    """How far legal single steps lead into a written play."""

    state: int
    left: tuple[int, ...]
    moves: tuple[Move, ...]


def explain(
    game: Variant, mover: Mover, dice: tuple[int, ...], legal: Maximal, written: Written, text: str
) -> PlayError:
    """The error that names what is wrong; to be raised by the caller."""
    if not written.moves:
        return Illegal("must_play")
    if not _dice_fit(written.moves, dice):
        return _no_dice(written.moves, dice)
    reached = _reach(game, mover, Reached(mover.start, dice, written.moves))
    complete = [one for one in reached if not one.moves]
    if complete:
        played = max(len(dice) - len(one.left) for one in complete)
        if played < legal.dice:
            return Illegal("more_dice", possible=legal.dice, played=played)
        return Illegal("larger_die", die=max(dice))
    furthest = min((one for one in reached if _dice_fit(one.moves, one.left)), key=lambda one: len(one.left))
    return _next_fault(mover, furthest, text)


def _dice_fit(moves: tuple[Move, ...], dice: tuple[int, ...]) -> bool:
    """Whether the dice cover the written distances, whatever stands on the board."""
    if not moves:
        return True
    return any(_dice_fit(left + moves[1:], rest) for _, left, rest in _uses(moves[0], dice))


def _uses(move: Move, dice: tuple[int, ...]) -> Iterator[tuple[int, tuple[Move, ...], tuple[int, ...]]]:
    """The dice that lead along this move: each with what is then left of the move and of the dice."""
    stop = move.stops[0].point
    for die in dict.fromkeys(dice):
        rest = list(dice)
        rest.remove(die)
        end = max(move.start - die, OFF)
        if end > stop:
            yield die, (Move(end, move.stops),), tuple(rest)
        elif end == stop:
            yield die, (Move(end, move.stops[1:]),) if move.stops[1:] else (), tuple(rest)


def _no_dice(moves: tuple[Move, ...], dice: tuple[int, ...]) -> Illegal:
    """Names a move that the dice do not cover by themselves, or says that they are too many together."""
    for move in moves:
        for start, end in pairwise((move.start, *(stop.point for stop in move.stops))):
            if not _dice_fit((Move(start, (Stop(end, False),)),), dice):
                return Illegal("no_die", start=_name(start), end=_name(end))
    return Illegal("too_many_steps")


def _reach(game: Variant, mover: Mover, start: Reached) -> list[Reached]:
    """Everything that legal single steps reach along the written moves, in any order."""
    seen = {start: None}
    todo = [start]
    while todo:
        state, left, moves = todo.pop()
        if state & ENDED:
            continue
        for die in dict.fromkeys(left):
            rest = list(left)
            rest.remove(die)
            for after in mover.steps(state, die):
                step = step_between(game, state, after, die)
                if not game.has_bar:
                    step = step._replace(hits=False)
                for moves_left in moves_after(moves, step):
                    reached = Reached(after, tuple(rest), moves_left)
                    if reached not in seen:
                        seen[reached] = None
                        todo.append(reached)
    return list(seen)


def _next_fault(mover: Mover, reached: Reached, text: str) -> Illegal:
    """Why the highest of the moves that are left cannot go on from here, with dice that cover them all."""
    state, left, moves = reached
    if state & ENDED:
        return Illegal("game_ended")
    for move in sorted(moves, reverse=True):
        others = list(moves)
        others.remove(move)
        for die, going_on, rest in _uses(move, left):
            if _dice_fit((*going_on, *others), rest) and not _is_step(mover, state, move.start, die):
                code, params = mover.why_not(state, move.start, die)
                return Illegal(code, **params)
    return Illegal("not_a_hit", text=text)


def _is_step(mover: Mover, state: int, start: int, die: int) -> bool:
    lost = 255 << 8 * start
    return any((after & lost) < (state & lost) for after in mover.steps(state, die))


def _name(point: int) -> str:
    return {OFF: "off", BAR: "bar"}.get(point, str(point))
