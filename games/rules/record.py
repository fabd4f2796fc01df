"""Our own text record of one game, for every variant (docs/record-format.md): readable, line by line, and exact.

A record holds everything that the game depends on: rules version, options, start, lot, rolls, plays, cube, result.
`read` plays it through the engine, so a record that was read is a game that keeps the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from . import notation
from .errors import RuleError
from .events import Beaver, Double, Drop, Event, Lot, Play, Resign, Roll, Setup, Side, Take, TimeOut
from .game import apply, new_game
from .options import GameOptions, make_options
from .results import Result
from .state import RULES_VERSION, GameState
from .transcript_errors import RefusedGame, TornTranscript

FIRST_LINE = "nardy game record 1"
CHARACTERS_MAX = 2_000_000

ACTS: dict[str, Event] = {"doubles": Double(), "takes": Take(), "drops": Drop(), "beavers": Beaver()}
LEAVING: dict[str, type[Resign] | type[TimeOut]] = {"resigns": Resign, "runs out of time": TimeOut}
_ACT_WORDS = {type(event): words for words, event in ACTS.items()}
_LEAVING_WORDS = {event: words for words, event in LEAVING.items()}

_SIDE_LINE = re.compile(r"(?P<side>white|black) (?P<act>.+)")
_ROLL_LINE = re.compile(r"(?P<dice>[1-6]-[1-6]):(?: (?P<play>.+))?")


@dataclass(frozen=True)
class Record:
    """One game as it was played: from `new_game(options, starter)` through `events`. Names may be empty."""

    options: GameOptions
    starter: Side | None
    events: tuple[Event, ...]
    white: str = ""
    black: str = ""
    rules_version: str = RULES_VERSION

    def states(self) -> Iterator[tuple[Event, GameState, GameState]]:
        """Each event with the state before and after it. Raises RuleError where an event breaks the rules."""
        state = new_game(self.options, self.starter)
        for event in self.events:
            after = apply(state, event)
            yield event, state, after
            state = after

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it is unfinished."""
        state = new_game(self.options, self.starter)
        for _, _, after in self.states():
            state = after
        return state.result


def write(record: Record) -> str:
    """The text of a record. Raises ValueError for a name that does not fit on its line, RuleError for a bad event."""
    lines = [FIRST_LINE, f"rules {record.rules_version}", f"variant {record.options.variant}"]
    for name, value in record.options.to_json().items():
        if name != "variant" and value is not None:
            lines.append(f"option {name} {_option_text(value)}")
    for side, name in (("white", record.white), ("black", record.black)):
        if name:
            lines.append(f"name {side} {one_line(name)}")
    lines.append(f"start {record.starter or 'lot'}")
    for event, before, after in record.states():
        _write_event(lines, event, before, after)
    lines.append(_result_text(record.result))
    return "\n".join(lines) + "\n"


def read(text: str) -> Record:
    """The record that `write` wrote; empty lines and lines that begin with # are passed over.

    Raises TornTranscript where the text is no record or breaks off, RefusedGame where the game breaks the rules or has
    another result than it states.
    """
    if len(text) > CHARACTERS_MAX:
        raise TornTranscript(1, f"the record is longer than {CHARACTERS_MAX} characters")
    reader = _Reader()
    line = 0
    for line, content in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        words = " ".join(content.split())
        if words and not words.startswith("#"):
            reader.feed(line, words)
    return reader.finish(max(line, 1))


def one_line(name: str) -> str:
    """The name as it is, if it fits on one line of a file; raises ValueError otherwise."""
    if not name.isprintable() or name != " ".join(name.split()) or len(name) > 100:
        raise ValueError(f"the name {name!r} does not fit on a line: printable, single spaces, at most 100 characters")
    return name


def _write_event(lines: list[str], event: Event, before: GameState, after: GameState) -> None:
    if isinstance(event, Setup):
        lines.append("setup " + " ".join(map(str, event.points)))
    elif isinstance(event, Lot):
        lines.append(f"lot {event.white} {event.black}")
        if after.phase == "play" and after.dice:
            lines.append(_roll_text(after))
    elif isinstance(event, Roll):
        passed = "" if after.phase == "play" else " Ø"
        lines.append(f"{before.turn} {notation.write_dice(event.dice)}:{passed}")
    elif isinstance(event, Play):
        # the roll's line is the last one: only a play can follow it, or the end of the game
        lines[-1] += f" {after.last_turn.play if after.last_turn else event.text}"
    elif isinstance(event, Resign | TimeOut):
        lines.append(f"{event.side} {_LEAVING_WORDS[type(event)]}")
    else:
        lines.append(f"{before.to_act} {_ACT_WORDS[type(event)]}")


def _roll_text(state: GameState) -> str:
    return f"{state.turn} {notation.write_dice(state.dice or (0, 0))}:"


def _option_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _option_value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() else text


def _result_text(result: Result | None) -> str:
    if result is None:
        return "end unfinished"
    if result.winner is None:
        return f"end draw by {result.reason}"
    return f"end {result.winner} wins {result.points} by {result.reason}: {result.kind} with the cube at {result.cube}"


class _Reader:
    """Takes line after line and plays the game along."""

    def __init__(self) -> None:
        self.began = False
        self.ended = False
        self.given: dict[str, Any] = {}
        self.variant = ""
        self.names: dict[str, str] = {}
        self.starter: Side | None = None
        self.state: GameState | None = None
        self.events: list[Event] = []

    def feed(self, line: int, words: str) -> None:
        if self.ended:
            raise TornTranscript(line, "something follows the end of the record")
        if not self.began:
            if words != FIRST_LINE:
                raise TornTranscript(line, f"a record begins with “{FIRST_LINE}”")
            self.began = True
        elif self.state is None:
            self._head(line, words)
        else:
            self._event(line, words, self.state)

    def finish(self, line: int) -> Record:
        if self.state is None or not self.ended:
            raise TornTranscript(line, "the record breaks off: it has no line “end …”")
        names = self.names
        return Record(
            self.state.options, self.starter, tuple(self.events), names.get("white", ""), names.get("black", "")
        )

    def _head(self, line: int, words: str) -> None:
        key, _, value = words.partition(" ")
        if key == "rules":
            if value != RULES_VERSION:
                raise RefusedGame(line, f"played under rules version {value}; this program knows {RULES_VERSION}")
        elif key == "variant":
            self.variant = value
        elif key == "option":
            name, _, setting = value.partition(" ")
            if name in self.given:
                raise TornTranscript(line, f"the option {name} stands here twice")
            self.given[name] = _option_value(setting)
        elif key == "name":
            side, _, name = value.partition(" ")
            self.names[side] = name
        elif key == "start":
            self._start(line, value)
        else:
            raise TornTranscript(line, f"“{words}” is no line of a record's head; it ends with “start …”")

    def _start(self, line: int, value: str) -> None:
        if value not in ("lot", "white", "black"):
            raise TornTranscript(line, f"“start {value}”: the start is lot, white or black")
        self.starter = "white" if value == "white" else "black" if value == "black" else None
        try:
            self.state = new_game(make_options(self.variant, **self.given), self.starter)
        except RuleError as error:
            raise RefusedGame(line, str(error)) from error

    def _event(self, line: int, words: str, state: GameState) -> None:
        key, _, rest = words.partition(" ")
        numbers = rest.split()
        if key == "end":
            self._end(line, words, state)
        elif key in ("setup", "lot") and all(number.isascii() and number.isdigit() for number in numbers):
            points = tuple(map(int, numbers))
            if key == "lot" and len(points) != 2:
                raise TornTranscript(line, "a lot is two dice, White's first")
            self._apply(line, lambda: Setup(points) if key == "setup" else Lot(*points))
        elif found := _SIDE_LINE.fullmatch(words):
            side: Side = "white" if found["side"] == "white" else "black"
            self._act(line, side, found["act"], state)
        else:
            raise TornTranscript(line, f"cannot read “{words[:60]}”")

    def _act(self, line: int, side: Side, act: str, state: GameState) -> None:
        if act in LEAVING:
            self._apply(line, lambda: LEAVING[act](side))
            return
        if state.to_act != side:
            raise RefusedGame(line, f"it is not the turn of {side}")
        if act in ACTS:
            self._apply(line, lambda: ACTS[act])
        elif roll := _ROLL_LINE.fullmatch(act):
            self._turn(line, notation.read_dice(roll["dice"]), roll["play"], state)
        else:
            raise TornTranscript(line, f"cannot read “{act[:60]}”")

    def _turn(self, line: int, dice: tuple[int, int], play: str | None, state: GameState) -> None:
        if state.phase == "play":
            if state.dice != dice:
                raise RefusedGame(line, f"the dice of the lot are played: {notation.write_dice(state.dice or (0, 0))}")
        else:
            state = self._apply(line, lambda: Roll(dice))
        if state.phase == "play":
            if play is not None:
                self._apply(line, lambda: Play(play))
        elif play != "Ø":
            raise RefusedGame(line, "nothing can be played with this roll; it is written Ø")

    def _apply(self, line: int, make: Callable[[], Event]) -> GameState:
        if self.state is None:
            raise TornTranscript(line, "an event stands before “start …”")
        try:
            event: Event = make()
            self.state = apply(self.state, event)
        except RuleError as error:
            raise RefusedGame(line, str(error)) from error
        self.events.append(event)
        return self.state

    def _end(self, line: int, words: str, state: GameState) -> None:
        expected = _result_text(state.result)
        if words != expected:
            raise RefusedGame(line, f"the record says “{words}”; by the rules it is “{expected}”")
        self.ended = True
