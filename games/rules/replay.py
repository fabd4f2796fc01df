"""Checks one game of a transcript by the rules: its rolls, plays and cube, and the result that it states.

Money follows our rules (a resignation is scored by the position, docs/rules.md#results), so a transcript may state
other points than we do. Three such differences are named and accepted; everything else is refused with its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from . import mat
from .errors import Ambiguous, RuleError
from .events import Beaver, Double, Drop, Event, Lot, Play, Resign, Roll, Side, Take, TimeOut, other
from .game import apply, new_game
from .options import GameOptions, make_options
from .results import Result
from .state import GameState
from .transcript_errors import RefusedGame
from .variants import variant

CAPPED = "match capped at the points still needed"
JACOBY = "Jacoby: mars and koks count 1 with an untouched cube"
AGREED = "resignation or time-out agreed at another level"

MOST_FACTOR = 3
CUBE_ACTS: Mapping[str, type[Event]] = {"double": Double, "beaver": Beaver, "take": Take, "drop": Drop}
WITHOUT_LOT = "Games without lot"
"""Our exports name in this header the games that began without a lot: their starter rolled a fresh pair."""


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """A game that keeps the rules. White is player 1 of the match.

    Played from `new_game(options, starter)`, `events` lead to `result`. `transcript_points` are those the transcript
    states, `difference` names why they differ from `result.points` (CAPPED, JACOBY, AGREED), None when they agree.
    `text_for_digest` tells the whole game in one fixed form, whichever program wrote the transcript.
    """

    options: GameOptions
    starter: Side | None
    events: tuple[Event, ...]
    result: Result
    transcript_points: int
    difference: str | None
    text_for_digest: str


def check_game(match: mat.Match, game: mat.Game, options: GameOptions, jacoby: bool = False) -> CheckedGame:
    """The game as events of ours, each checked. `jacoby`: the match was played with that rule, and so do we play it.

    Raises RefusedGame(line, reason): an illegal roll, play or cube act, an act after the end, a result that bearing
    off or a drop cannot have, or one above three times the cube. Raises BadOption for Jacoby without the cube.
    """
    if variant(options.variant).family != "short" or variant(options.variant).start is None:
        raise RefusedGame(game.line, f"a .mat transcript cannot hold a game of {options.variant}")
    if jacoby:
        options = make_options(**{**options.to_json(), "jacoby": True})
    if not game.cells:
        raise RefusedGame(game.line, f"game {game.number} has no roll, so nothing was played")
    starter = game.cells[0].side if _has_no_lot(match, game) else None
    player = _Player(match, game, options, starter)
    for cell in game.cells:
        player.act(cell)
    player.end()
    difference = _difference(match, game, options, player)
    text = _text_for_digest(match, game, player)
    return CheckedGame(options, starter, tuple(player.events), player.result, game.points, difference, text)


def _has_no_lot(match: mat.Match, game: mat.Game) -> bool:
    return str(game.number) in dict(match.headers).get(WITHOUT_LOT, "").split()


class _Player:
    """Plays the cells of one game through the engine and keeps the events."""

    def __init__(self, match: mat.Match, game: mat.Game, options: GameOptions, starter: Side | None) -> None:
        self.game = game
        self.names: dict[Side, str] = {"white": match.player1, "black": match.player2}
        self.state: GameState = new_game(options, starter)
        self.events: list[Event] = []
        self.told: list[str] = []
        self.given_up = False
        self.last_line = game.line

    @property
    def result(self) -> Result:
        if self.state.result is None:
            raise RefusedGame(self.last_line, "the game is not over")
        return self.state.result

    def act(self, cell: mat.Cell) -> None:
        if self.state.result is not None:
            raise RefusedGame(cell.line, f"the game was over in line {self.last_line}; nothing can follow")
        self.last_line = cell.line
        if self.state.phase == "lot":
            self._lot(cell)
        if self.state.to_act != cell.side:
            waits = "nobody" if self.state.to_act is None else self.names[self.state.to_act]
            raise RefusedGame(cell.line, f"{self.names[cell.side]} acts, but it is the turn of {waits}")
        if cell.kind == "turn":
            self._turn(cell)
        else:
            self._apply(CUBE_ACTS[cell.kind](), cell.line)
            if cell.value and cell.value != self.state.cube.offered:
                raise RefusedGame(cell.line, f"the cube is turned to {self.state.cube.offered}, not to {cell.value}")
        self.told.append(f"{cell.side} {self._tell(cell)}")

    def end(self) -> None:
        """Brings a game that was given up to its end, and checks who won."""
        if self.state.result is None:
            self._give_up(other(self.game.winner))
        winner = self.result.winner
        if winner != self.game.winner:
            ours = "nobody" if winner is None else self.names[winner]
            theirs = self.names[self.game.winner]
            raise RefusedGame(self.game.result_line, f"the transcript says that {theirs} won, but {ours} did")

    def _give_up(self, loser: Side) -> None:
        self.given_up = True
        line = self.game.result_line
        if self.state.phase in ("double", "beaver"):
            if self.state.to_act != loser:
                raise RefusedGame(line, f"{self.names[loser]} cannot give up: the other owes an answer to a double")
            self._apply(TimeOut(loser), line)
        else:
            self._apply(Resign(loser), line)

    def _apply(self, event: Event, line: int) -> None:
        try:
            self.state = apply(self.state, event)
        except RuleError as error:
            raise RefusedGame(line, str(error)) from error
        self.events.append(event)

    def _lot(self, cell: mat.Cell) -> None:
        """A transcript does not write the lot: the first roll is it, and whoever plays it has the higher die."""
        if cell.kind != "turn":
            raise RefusedGame(cell.line, "a game begins with a roll")
        high, low = max(cell.dice), min(cell.dice)
        if high == low:
            raise RefusedGame(cell.line, f"the first roll of a game is the lot, so it cannot be {high}-{low}")
        self._apply(Lot(high, low) if cell.side == "white" else Lot(low, high), cell.line)

    def _turn(self, cell: mat.Cell) -> None:
        if self.state.phase != "play":
            self._apply(Roll(cell.dice), cell.line)
        if self.state.phase == "play" and self.state.to_act == cell.side:
            self._play(cell)
        elif cell.play not in ("", mat.CANNOT_MOVE, mat.UNKNOWN_PLAY):
            raise RefusedGame(cell.line, f"“{cell.play}” with {_dice(cell)}: nothing can be played with this roll")

    def _play(self, cell: mat.Cell) -> None:
        if cell.play in ("", mat.UNKNOWN_PLAY):
            if cell is not self.game.cells[-1]:
                raise RefusedGame(cell.line, f"no play is written for {_dice(cell)}, though one is possible")
            return
        if cell.play == mat.CANNOT_MOVE:
            raise RefusedGame(cell.line, f"a play is possible with {_dice(cell)}, so the turn may not be passed")
        try:
            play = self._meaning(cell.play)
        except RuleError as error:
            raise RefusedGame(cell.line, f"“{cell.play}” with {_dice(cell)}: {error}") from error
        self._apply(Play(play), cell.line)

    def _meaning(self, text: str) -> str:
        """Our notation of a written play. Exporters that join steps star every hit, so where a play could be read
        with or without a hit on the way, a missing star means that there was none."""
        try:
            return self.state.read_play(text).play
        except Ambiguous:
            return self.state.read_play(text, stars_exact=True).play

    def _tell(self, cell: mat.Cell) -> str:
        if cell.kind != "turn":
            return cell.kind
        last = self.events[-1]
        return f"{max(cell.dice)}{min(cell.dice)}: {last.text if isinstance(last, Play) else ''}".rstrip()


def _difference(match: mat.Match, game: mat.Game, options: GameOptions, player: _Player) -> str | None:
    """Names why the transcript's points differ from ours; raises RefusedGame where they may not."""
    result = player.result
    stated, ours, line = game.points, result.points, game.result_line
    if stated > MOST_FACTOR * result.cube:
        raise RefusedGame(line, f"{stated} points are more than three times the cube ({result.cube})")
    if stated == 0:
        raise RefusedGame(line, "a won game counts at least 1 point")
    if stated == ours:
        return None
    needed = match.length - game.score[0 if game.winner == "white" else 1]
    if match.length and game is match.games[-1] and stated == needed < ours:
        return CAPPED
    if player.given_up:
        return AGREED
    if not options.jacoby and result.reason == "bear_off" and result.cube == 1 == stated:
        return JACOBY
    raise RefusedGame(line, f"the transcript counts {stated} points; by the rules it is {result.kind} and {ours}")


def _text_for_digest(match: mat.Match, game: mat.Game, player: _Player) -> str:
    score = f"{game.score[0]}:{game.score[1]}"
    head = f"match {match.length} game {game.number} score {score}"
    return "\n".join([head, *player.told, f"{game.winner} wins {game.points}", ""])


def _dice(cell: mat.Cell) -> str:
    return f"{cell.dice[0]}-{cell.dice[1]}"
