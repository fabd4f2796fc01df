"""Magriel notation, read and written, in Latin and Cyrillic (docs/rules.md#notation).

This module knows text only; which turn a text means is decided by `games.rules.turns`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from .board import BAR, OFF
from .errors import Malformed

BAR_WORDS = {"bar", "бар", "25"}
OFF_WORDS = {"off", "офф", "знято", "снято", "0"}
PASS_SIGNS = {"ø", "∅", "⌀"}
BAR_WRITTEN = {"latin": "bar", "uk": "Бар", "ru": "Бар"}

_MOVE = re.compile(r"(?P<stops>[^\s,()*/]+\*?(?:/[^\s,()*/]+\*?)+)(?:\((?P<times>[1-4])\)(?P<late_star>\*?))?$")
_DICE = re.compile(r"\s*([1-6])\s*[-:\u2010-\u2015\u2212]?\s*([1-6])\s*(?::|(?=$))")
_MOST_STEPS = 4


class Step(NamedTuple):
    """One checker moved by one die, points in the mover's numbering; `hits`: it hit a blot, in Tapa it pinned one."""

    start: int
    end: int
    die: int
    hits: bool


class Stop(NamedTuple):
    """A point written in a move, and whether a star follows it."""

    point: int
    star: bool


class Move(NamedTuple):
    """The written way of one checker: `13/7*/5` starts at 13, stops at 7 with a hit, and at 5."""

    start: int
    stops: tuple[Stop, ...]


def without_stars(moves: Iterable[Move]) -> tuple[Move, ...]:
    """The same moves with no hit marked."""
    return tuple(Move(move.start, tuple(Stop(stop.point, False) for stop in move.stops)) for move in moves)


class Written(NamedTuple):
    """A play as it was written: its moves, repeats spelt out; `passes`: it ends in Ø; `dice`: if they were written."""

    moves: tuple[Move, ...]
    passes: bool
    dice: tuple[int, int] | None


def parse(text: str) -> Written:
    """Reads a play, or a whole turn with its dice.

    >>> parse("4-2: 8/4 6/4").dice
    (4, 2)

    Raises Malformed.
    """
    dice, play = split_dice(text)
    moves: list[Move] = []
    passes = False
    for word in play.replace(",", " ").split():
        if word.lower() in PASS_SIGNS:
            passes = True
        elif passes:
            raise Malformed("bad_notation", text=word)
        else:
            moves.extend(_moves(word))
    if not moves and not passes:
        raise Malformed("empty_play")
    if sum(len(move.stops) for move in moves) > _MOST_STEPS:
        raise Malformed("too_many_steps")
    return Written(tuple(moves), passes, dice)


def split_dice(text: str) -> tuple[tuple[int, int] | None, str]:
    """The dice at the head of a turn (`4-2:`, `4:2:`, `4–2`, `42:`), if there are any, and the rest."""
    found = _DICE.match(text)
    if not found:
        return None, text
    return (int(found[1]), int(found[2])), text[found.end() :]


def read_dice(text: str) -> tuple[int, int]:
    """`4-2`, `4:2`, `4–2` or `42` as two numbers; raises Malformed."""
    dice, rest = split_dice(text)
    if dice is None or rest.strip():
        raise Malformed("bad_notation", text=text)
    return dice


def _moves(word: str) -> list[Move]:
    found = _MOVE.match(word)
    if not found:
        raise Malformed("bad_notation", text=word)
    first, *rest = found["stops"].split("/")
    if "*" in first:
        raise Malformed("bad_notation", text=word)
    stops = [Stop(_point(word, stop.rstrip("*")), stop.endswith("*")) for stop in rest]
    if found["late_star"]:
        stops[-1] = Stop(stops[-1].point, True)
    move = Move(_point(word, first), tuple(stops))
    ways = [move.start, *(stop.point for stop in stops)]
    if any(later >= earlier for earlier, later in pairwise(ways)):
        raise Malformed("wrong_direction", text=word)
    # Only the first of the repeated checkers can hit a blot.
    return [move, *without_stars([move]) * (int(found["times"] or 1) - 1)]


def _point(word: str, name: str) -> int:
    lower = name.lower()
    if lower in BAR_WORDS:
        return BAR
    if lower in OFF_WORDS:
        return OFF
    if not (name.isascii() and name.isdigit()):
        raise Malformed("bad_notation", text=word)
    if not 1 <= int(name) <= 24:
        raise Malformed("bad_point", text=word, point=name)
    return int(name)


def moves_of(steps: Sequence[Step], keep_stops: bool = False) -> list[Move]:
    """Joins steps of one checker into moves, by descending start; stops without a hit are left out unless kept."""
    moves: list[Move] = []
    for step in steps:
        stop = Stop(step.end, step.hits)
        joinable = [move for move in moves if move.stops[-1].point == step.start]
        # A checker that has not hit goes on rather than the hitter, which in some games may not.
        earlier = min(joinable, key=lambda move: move.stops[-1].star, default=None)
        if earlier is None:
            moves.append(Move(step.start, (stop,)))
            continue
        moves.remove(earlier)
        kept = earlier.stops if keep_stops or earlier.stops[-1].star else earlier.stops[:-1]
        moves.append(Move(earlier.start, (*kept, stop)))
    return sorted(moves, key=lambda move: (move.start, [stop.point for stop in move.stops], move.stops), reverse=True)


def write(moves: Iterable[Move], unplayed: bool = False, script: str = "latin") -> str:
    """The text of a play; `unplayed`: dice were left that could not be played. `script`: latin, uk or ru.

    >>> write([Move(13, (Stop(7, True), Stop(5, False))), Move(6, (Stop(5, False),))])
    '13/7*/5 6/5'
    """
    words: list[str] = []
    counts: dict[tuple[int, ...], list[Move]] = {}
    for move in moves:
        counts.setdefault((move.start, *(stop.point for stop in move.stops)), []).append(move)
    for same in counts.values():
        words.append(_word(same, script))
    return " ".join(words + ["Ø"] * unplayed)


def _word(same: list[Move], script: str) -> str:
    stars = [any(copy.stops[index].star for copy in same) for index in range(len(same[0].stops))]
    points = [f"{_name(stop.point, script)}{'*' * star}" for stop, star in zip(same[0].stops, stars, strict=True)]
    return "/".join([_name(same[0].start, script), *points]) + (f"({len(same)})" if len(same) > 1 else "")


def _name(point: int, script: str) -> str:
    if point == BAR:
        return BAR_WRITTEN[script]
    return "off" if point == OFF else str(point)


def write_dice(dice: tuple[int, int]) -> str:
    """`4-2`."""
    return f"{dice[0]}-{dice[1]}"


def write_turn(dice: tuple[int, int], play: str) -> str:
    """A whole turn: `4-2: 8/4 6/4`."""
    return f"{write_dice(dice)}: {play}"
