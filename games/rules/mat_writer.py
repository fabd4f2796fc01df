"""Writer of `.mat` transcripts from our finished games, in the layout of GNU Backgammon, which reads them.

What the format cannot say is refused, never bent: draws, auto-doubles, random starts, long nardy and Tapa. The record
of `record.py` holds all of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .events import Beaver, Double, Drop, Event, Lot, Play, Resign, Roll, Side, Take, TimeOut
from .mat import CANNOT_MOVE, UNKNOWN_PLAY, read
from .record import Record, one_line
from .replay import WITHOUT_LOT
from .results import Result
from .state import GameState
from .transcript_errors import TornTranscript
from .variants import variant

LEFT_WIDTH = 27
VARIATIONS: Mapping[str, str] = {
    "short": "Backgammon",
    "nackgammon": "NackGammon",
    "hypergammon": "HyperGammon (3)",
}
"""The names that other programs know; the other variants of the family are written with our own key."""


class CannotWrite(ValueError):
    """These games have no `.mat` form; says which and why."""

    code = "cannot_write_mat"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.params = {"reason": reason}


def write(games: Sequence[Record], length: int = 0, headers: Iterable[tuple[str, str]] = ()) -> str:
    """The transcript of a finished game, or of the games of a series in order. White of the records is player 1.

    `length` is that of a points series, 0 otherwise; `headers` are written as `; [key "value"]`. Raises CannotWrite.
    """
    if not games:
        raise CannotWrite("there is no game to write")
    white, black = games[0].white, games[0].black
    if any((game.white, game.black) != (white, black) for game in games):
        raise CannotWrite("the games were not played between the same two players")
    lines = [f'; [{key} "{value}"]' for key, value in _headers(games, headers)]
    lines += ["", f" {length} point match", ""]
    score: dict[Side, int] = {"white": 0, "black": 0}
    for number, game in enumerate(games, start=1):
        _check(game, number)
        result, heading = _result(game), _heading(white, black, score)
        rows = _rows(_cells(game))
        score[_winner(result)] += result.points
        ends = length and score[_winner(result)] >= length
        lines += [f" Game {number}", heading, *_with_result(rows, result, bool(ends)), ""]
    text = "\n".join(lines)
    _check_names(text, white, black)
    return text


def _headers(games: Sequence[Record], headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    first, key = games[0], games[0].options.variant
    written = [*headers, ("Player 1", first.white), ("Player 2", first.black)]
    written.append(("Variation", VARIATIONS.get(key, key)))
    without_lot = [str(number) for number, game in enumerate(games, start=1) if game.starter]
    if without_lot:
        written.append((WITHOUT_LOT, " ".join(without_lot)))
    if not all((key + value).isprintable() for key, value in written):
        raise CannotWrite("a header or a name holds a line end or another control character")
    return written


def _check(game: Record, number: int) -> None:
    kind = variant(game.options.variant)
    if kind.family != "short" or kind.start is None:
        raise CannotWrite(f"a .mat transcript cannot hold a game of {kind.key}; use the record format")
    if game.options.auto_double and any(isinstance(event, Lot) and event.white == event.black for event in game.events):
        raise CannotWrite(f"game {number} has an auto-double, which a .mat transcript cannot say")
    if not any(isinstance(event, Lot | Roll | Double) for event in game.events):
        raise CannotWrite(f"in game {number} nothing was rolled, so a .mat transcript has nothing to say")


def _result(game: Record) -> Result:
    result = game.result
    if result is None:
        raise CannotWrite("only finished games can be written")
    return result


def _winner(result: Result) -> Side:
    if result.winner is None:
        raise CannotWrite("a .mat transcript cannot hold a drawn game; use the record format")
    return result.winner


def _heading(white: str, black: str, score: Mapping[Side, int]) -> str:
    left = f"{white} : {score['white']}"
    return f" {left:<{LEFT_WIDTH + 4}} {black} : {score['black']}"


def _cells(game: Record) -> list[tuple[Side, str]]:
    """What each side did, in order, as the text of a cell."""
    cells: list[tuple[Side, str]] = []
    for event, before, after in game.states():
        if isinstance(event, Lot):
            if after.phase == "play":
                cells.append(_rolled(after))
        elif isinstance(event, Roll):
            passed = after.phase != "play"
            cells.append((_side(before), f"{_dice(event.dice)}: {CANNOT_MOVE}") if passed else _rolled(after))
        elif isinstance(event, Play) and after.last_turn:
            side, roll = cells[-1]
            cells[-1] = (side, f"{roll.removesuffix(UNKNOWN_PLAY)}{_play(after.last_turn.play)}")
        elif not isinstance(event, Resign | TimeOut):
            cells.append((_side(before), _cube(event, after)))
    return cells


def _rolled(state: GameState) -> tuple[Side, str]:
    return _side(state), f"{_dice(state.dice or (0, 0))}: {UNKNOWN_PLAY}"


def _side(state: GameState) -> Side:
    if state.to_act is None:
        raise CannotWrite("an event stands before the starter is known")
    return state.to_act


def _dice(dice: tuple[int, int]) -> str:
    return f"{dice[0]}{dice[1]}"


def _play(play: str) -> str:
    return play.removesuffix("Ø").rstrip()


def _cube(event: Event, after: GameState) -> str:
    words: Mapping[type[Event], str] = {
        Double: f" Doubles => {after.cube.offered}", Beaver: f" Beavers => {after.cube.offered}",
        Take: " Takes", Drop: " Drops",
    }  # fmt: skip
    return words[type(event)]


def _rows(cells: Sequence[tuple[Side, str]]) -> list[str]:
    """Numbered rows of two columns; the first column stays empty where the second player starts."""
    rows: list[list[str]] = []
    for side, text in cells:
        if side == "white" or not rows or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][side == "black"] = text
    return [f"{number:3}) {left:<{LEFT_WIDTH}} {right}".rstrip() for number, (left, right) in enumerate(rows, start=1)]


def _with_result(rows: list[str], result: Result, ends_match: bool) -> list[str]:
    """The rows and the result, in the winner's column: beside a drop of the first column, else on a line of its own.
    GNU Backgammon takes a drop with its result elsewhere for a resignation."""
    plural = "" if result.points == 1 else "s"
    text = f"Wins {result.points} point{plural}{' and the match' if ends_match else ''}"
    if result.winner == "white":
        return [*rows, f"{'':6}{text}"]
    right = LEFT_WIDTH + 7
    if rows[-1].endswith("Drops"):
        return [*rows[:-1], f"{rows[-1]:<{right}}{text}"]
    return [*rows, f"{'':{right}}{text}"]


def _check_names(text: str, white: str, black: str) -> None:
    """Names are free text, and the format has no quoting: what does not read back as the same name is refused."""
    try:
        match = read(text)
        same = (match.player1, match.player2) == (one_line(white), one_line(black))
    except (ValueError, TornTranscript):
        same = False
    if not same:
        raise CannotWrite(f"the names {white!r} and {black!r} cannot be told apart from the rest of a .mat line")
