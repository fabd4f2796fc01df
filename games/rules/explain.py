"""Which rule a written play breaks, once it fits no legal turn."""

from __future__ import annotations

from typing import NamedTuple

from .board import BAR, ENDED, OFF
from .errors import Illegal, PlayError
from .matching import moves_after, step_between
from .notation import Move, Written
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
    reached = _reach(game, mover, Reached(mover.start, dice, written.moves))
    complete = [one for one in reached if not one.moves]
    if complete:
        played = max(len(dice) - len(one.left) for one in complete)
        if played < legal.dice:
            return Illegal("more_dice", possible=legal.dice, played=played)
        return Illegal("larger_die", die=max(dice))
    furthest = min(len(one.left) for one in reached)
    return min(
        (_next_fault(mover, one, text) for one in reached if len(one.left) == furthest),
        key=lambda error: error.code in {"no_die", "no_checker"},
    )


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
    """Why none of the moves that are left can go on from here; the first one's fault is named."""
    state, left, moves = reached
    if state & ENDED:
        return Illegal("game_ended")
    if not left:
        return Illegal("too_many_steps")
    move = max(moves, key=lambda one: one.start)
    end = move.stops[0].point
    fitting = [die for die in dict.fromkeys(left) if _may_lead(move.start, end, die, left)]
    if not fitting:
        return Illegal("no_die", start=_name(move.start), end=_name(end))
    for die in fitting:
        if not _is_step(mover, state, move.start, die):
            code, params = mover.why_not(state, move.start, die)
            return Illegal(code, **params)
    return Illegal("not_a_hit", text=text)


def _may_lead(start: int, end: int, die: int, left: tuple[int, ...]) -> bool:
    """Whether this die, with others of those left, moves a checker over the written distance."""
    rest = list(left)
    rest.remove(die)
    sums = {die}
    for other in rest:
        sums |= {one + other for one in sums}
    distance = start - end
    return any(one == distance or (end == OFF and one > distance) for one in sums)


def _is_step(mover: Mover, state: int, start: int, die: int) -> bool:
    lost = 255 << 8 * start
    return any((after & lost) < (state & lost) for after in mover.steps(state, die))


def _name(point: int) -> str:
    return {OFF: "off", BAR: "bar"}.get(point, str(point))
