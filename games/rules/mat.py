"""Reader of Jellyfish / GNU Backgammon match transcripts (`.mat`): text in, immutable values out.

Nothing here knows the rules of play: `replay.py` checks rolls, plays and results. What the text itself says is checked
here: complete rows, numbers in sequence, scores that add up, a result for every game. Player 1 (the left column) is
White, player 2 Black. The format has no standard; docs/record-format.md lists the quirks that are understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from .events import Side
from .transcript_errors import TornTranscript

CHARACTERS_MAX = 2_000_000
LINE_MAX = 1_000
NAME_MAX = 100
CANNOT_MOVE = "Cannot Move"
UNKNOWN_PLAY = "????"

# A result that stands in a row of its own is written about here when it belongs to the left column.
_LEFT_COLUMN = 5

_HEADER = re.compile(r'^\s*;\s*\[\s*(?P<key>[^"\]]+?)\s*"(?P<value>.*)"\s*\]\s*$')
_LENGTH = re.compile(r"^\s*(?P<length>\d{1,4})\s+points?\s+match\s*$", re.IGNORECASE | re.ASCII)
_GAME = re.compile(r"^\s*Game\s+(?P<number>\d{1,4})\s*$", re.IGNORECASE | re.ASCII)
_SCORES = re.compile(
    r"^\s*(?P<name1>\S.*?)\s*:\s*(?P<score1>\d{1,5})\s+(?P<name2>\S.*?)\s*:\s*(?P<score2>\d{1,5})\s*$", re.ASCII
)
_ROW = re.compile(r"^\s*(?P<number>\d{1,5})\)", re.ASCII)
_CELL = re.compile(
    r"(?P<dice>(?<![\d/])\d\d):"
    r"|(?P<double>\b(?:Doubles|Redoubles)\s*=>\s*(?P<value>\d{1,5})\b)"
    r"|(?P<beaver>\bBeavers(?:\s*=>\s*(?P<beavered>\d{1,5}))?\b)"
    r"|(?P<take>\b(?:Takes|Accepts)\b)"
    r"|(?P<drop>\b(?:Drops|Passes|Rejects)\b)"
    r"|(?P<wins>\bWins\s+(?P<won>\d{1,5})\s+points?\b(?:\s+and\s+the\s+match\b)?)"
    r"|(?P<losses>\bLoss?es\s+(?P<lost>\d{1,5})\s+points?\b)",
    re.IGNORECASE | re.ASCII,
)
_STEPS = re.compile(r"(?:bar|\d{1,2})(?:/(?:off|\d{1,2})\*?)+(?:\(\d\))?", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Cell:
    """One act of one player: a turn (roll with its play) or an act with the cube, and the line that it stands on.

    `play` is the written play in the mover's own numbering; "" (nothing written), CANNOT_MOVE or UNKNOWN_PLAY
    where no play stands. `value` is the cube's new value of a double, where one is written.
    """

    line: int
    side: Side
    kind: Literal["turn", "double", "beaver", "take", "drop"]
    dice: tuple[int, int] = (0, 0)
    play: str = ""
    value: int = 0


@dataclass(frozen=True, slots=True)
class Game:
    """One game: the score before it, its acts in order, and the result that the transcript states."""

    number: int
    line: int
    score: tuple[int, int]
    cells: tuple[Cell, ...]
    winner: Side
    points: int
    result_line: int


@dataclass(frozen=True, slots=True)
class Match:
    """A whole transcript. `length` is in points, 0 for money play; `headers` are the `; [Key "value"]` lines."""

    length: int
    player1: str
    player2: str
    headers: tuple[tuple[str, str], ...]
    games: tuple[Game, ...]


def decode(data: bytes) -> str:
    """A file's bytes as text: UTF-8 or UTF-16, with or without byte order mark. Raises TornTranscript."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise TornTranscript(line, "the file is not UTF-8 text; save it as UTF-8 and try again") from error


def read(text: str) -> Match:
    """The match that a transcript records. Raises TornTranscript with the line where the text stops making sense."""
    if len(text) > CHARACTERS_MAX:
        raise TornTranscript(1, f"the file is longer than {CHARACTERS_MAX} characters")
    reader = _Reader()
    for line, content in _lines(text):
        reader.feed(line, content)
    return reader.finish()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, content in enumerate(re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")), start=1):
        if len(content) > LINE_MAX:
            raise TornTranscript(number, f"the line is longer than {LINE_MAX} characters")
        yield number, content.replace("\u00a0", " ").expandtabs(8)


@dataclass(slots=True)
class _Draft:
    """A game while its lines are being read."""

    number: int
    line: int
    names: tuple[str, str] | None = None
    score: tuple[int, int] = (0, 0)
    right_column: int = 0
    rows: int = 0
    cells: list[Cell] = field(default_factory=list)
    wins: tuple[int, Side, int] | None = None
    losses: tuple[int, int] | None = None

    def column(self, position: int, left: int) -> Side:
        """A cell belongs to the column whose beginning is nearer; an empty first column leaves only spaces."""
        return "white" if abs(position - left) < abs(position - self.right_column) else "black"


class _Reader:
    """Takes line after line; knows which kinds of line may come next."""

    def __init__(self) -> None:
        self.last_line = 1
        self.headers: list[tuple[str, str]] = []
        self.length: int | None = None
        self.names: tuple[str, str] | None = None
        self.games: list[Game] = []
        self.draft: _Draft | None = None

    def feed(self, line: int, content: str) -> None:
        if not content.strip():
            return
        self.last_line = line
        if content.lstrip().startswith(";"):
            if header := _HEADER.match(content):
                self.headers.append((header["key"], header["value"]))
        elif self.length is None:
            self._match_length(line, content)
        elif game := _GAME.match(content):
            self._start_game(line, int(game["number"]))
        elif self.draft is None:
            raise TornTranscript(line, f"“Game {len(self.games) + 1}” was expected, not {_short(content)}")
        elif self.draft.names is None:
            self._scores(self.draft, line, content)
        else:
            self._row(self.draft, line, content)

    def finish(self) -> Match:
        if self.length is None:
            raise TornTranscript(self.last_line, "there is no line “N point match”")
        self._end_game(self.last_line)
        if not self.games or self.names is None:
            raise TornTranscript(self.last_line, "the transcript holds no game")
        return Match(self.length, self.names[0], self.names[1], tuple(self.headers), tuple(self.games))

    def _match_length(self, line: int, content: str) -> None:
        found = _LENGTH.match(content)
        if not found:
            raise TornTranscript(line, f"“N point match” was expected, not {_short(content)}")
        self.length = int(found["length"])

    def _start_game(self, line: int, number: int) -> None:
        self._end_game(line)
        if self.games and number != self.games[-1].number + 1:
            raise TornTranscript(line, f"game {number} follows game {self.games[-1].number}")
        self.draft = _Draft(number, line)

    def _scores(self, draft: _Draft, line: int, content: str) -> None:
        found = _SCORES.match(content)
        if not found:
            raise TornTranscript(line, f"the players and scores of game {draft.number} were expected: “A : 0   B : 0”")
        names = (found["name1"], found["name2"])
        if max(map(len, names)) > NAME_MAX:
            raise TornTranscript(line, f"a player's name is longer than {NAME_MAX} characters")
        if names[0] == names[1]:
            raise TornTranscript(line, f"both players are called {names[0]}")
        if self.names is not None and names != self.names:
            raise TornTranscript(line, f"the players change from {self.names} to {names}")
        self.names = draft.names = names
        draft.score = (int(found["score1"]), int(found["score2"]))
        draft.right_column = found.start("name2")
        self._check_score(draft, line)

    def _check_score(self, draft: _Draft, line: int) -> None:
        if self.length and max(draft.score) >= self.length:
            raise TornTranscript(line, f"at {_score(draft.score)} a match to {self.length} is already won")
        if not self.games:
            return
        last = self.games[-1]
        won = (last.points, 0) if last.winner == "white" else (0, last.points)
        expected = (last.score[0] + won[0], last.score[1] + won[1])
        if draft.score != expected:
            raise TornTranscript(
                line,
                f"the score {_score(draft.score)} does not follow: after game {last.number} it was {_score(expected)}",
            )

    def _row(self, draft: _Draft, line: int, content: str) -> None:
        row = _ROW.match(content)
        if row:
            draft.rows += 1
            if int(row["number"]) != draft.rows:
                raise TornTranscript(line, f"row {row['number']} stands where row {draft.rows} was expected")
        start = row.end() if row else 0
        left = start + 1 if row else _LEFT_COLUMN
        found = list(_CELL.finditer(content, start))
        if not found:
            if not content[start:].strip() and draft.wins:
                return
            raise TornTranscript(line, f"cannot read {_short(content)}: the row is torn or is no row of a game")
        if content[start : found[0].start()].strip():
            raise TornTranscript(line, f"cannot read {_short(content[start : found[0].start()])}")
        acts = [cell for cell in found if not (cell["wins"] or cell["losses"])]
        if len(acts) > 2 or (acts and not row):
            raise TornTranscript(line, "a row has a number and at most two acts, one of each player")
        for at, cell in enumerate(found):
            rest = content[cell.end() : found[at + 1].start() if at + 1 < len(found) else len(content)].strip()
            if cell["wins"] or cell["losses"]:
                self._result(draft, line, cell, draft.column(cell.start(), left), rest)
                continue
            side: Side = draft.column(cell.start(), left)
            if len(acts) == 2:
                # the play of the left column may reach beyond the place where the right one usually begins
                side = "white" if cell is acts[0] else "black"
            self._act(draft, line, cell, side, rest)

    def _act(self, draft: _Draft, line: int, cell: re.Match[str], side: Side, rest: str) -> None:
        if draft.wins or draft.losses:
            raise TornTranscript(line, f"game {draft.number} goes on after its result")
        if cell["dice"]:
            draft.cells.append(Cell(line, side, "turn", _dice(line, cell["dice"]), _play(line, rest)))
            return
        if rest:
            raise TornTranscript(line, f"cannot read {_short(rest)}")
        for kind in ("double", "beaver", "take", "drop"):
            if cell[kind]:
                draft.cells.append(Cell(line, side, kind, value=int(cell["value"] or cell["beavered"] or 0)))

    def _result(self, draft: _Draft, line: int, cell: re.Match[str], side: Side, rest: str) -> None:
        if rest:
            raise TornTranscript(line, f"cannot read {_short(rest)} after the result")
        if cell["losses"]:
            # its column is unreliable (one exporter writes it at the left margin): only the points are used
            draft.losses = (line, int(cell["lost"]))
            return
        if draft.wins:
            raise TornTranscript(line, f"game {draft.number} has a second result")
        draft.wins = (line, side, int(cell["won"]))

    def _end_game(self, line: int) -> None:
        draft = self.draft
        if draft is None:
            return
        if draft.wins is None:
            raise TornTranscript(line, f"game {draft.number} breaks off without a result (“Wins N points”)")
        result_line, winner, points = draft.wins
        if draft.losses and draft.losses[1] != points:
            raise TornTranscript(draft.losses[0], f"one wins {points} points and the other loses {draft.losses[1]}")
        self.games.append(Game(draft.number, draft.line, draft.score, tuple(draft.cells), winner, points, result_line))
        self.draft = None


def _dice(line: int, text: str) -> tuple[int, int]:
    dice = int(text[0]), int(text[1])
    if not all(1 <= die <= 6 for die in dice):
        raise TornTranscript(line, f"the roll {text} does not exist")
    return dice


def _play(line: int, text: str) -> str:
    text = " ".join(text.split())
    if text.lower() in ("cannot move", "can't move", "ø"):
        return CANNOT_MOVE
    if text and not text.strip("?"):
        return UNKNOWN_PLAY
    for steps in text.split():
        if not _STEPS.fullmatch(steps):
            raise TornTranscript(line, f"cannot read the play {_short(text)}: {_short(steps)} is no step")
    return text


def _score(score: tuple[int, int]) -> str:
    return f"{score[0]} : {score[1]}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return f"“{text[:57]}…”" if len(text) > 60 else f"“{text}”"
