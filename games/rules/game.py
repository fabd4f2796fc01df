"""The course of a game: `new_game` and `apply`, a fold over events (docs/rules.md#course)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from . import results
from .board import Points, Position, points_of
from .errors import NotNow
from .events import (
    Beaver,
    Dice,
    Double,
    Drop,
    Event,
    Lot,
    Play,
    Resign,
    Roll,
    Setup,
    Side,
    Take,
    TimeOut,
    other,
)
from .options import GameOptions
from .state import Cube, GameState, LastTurn
from .variants import variant

EMPTY: Points = points_of({})


def new_game(options: GameOptions, starter: Side | None = None) -> GameState:
    """A game before its first event. `starter` None: the opening lot decides; else that side rolls a fresh pair."""
    start = variant(options.variant).start
    state = GameState(
        options=options, phase="setup", white=start or EMPTY, black=start or EMPTY, turn=starter, starter=starter
    )
    return state if start is None else _await_start(state)


def draw_start(key: str, draw: Callable[[int], int]) -> Points:
    """A random start for the event Setup; `draw(n)` gives a uniform int in range(n). Raises BadPosition."""
    return variant(key).draw_start(draw)


def apply(state: GameState, event: Event) -> GameState:
    """The state after the event. Raises a RuleError that names the broken rule; the given state never changes."""
    if state.phase == "over":
        raise NotNow("game_over")
    return _ACTS[type(event)](state, event)


def _await_start(state: GameState) -> GameState:
    return replace(state, phase="lot" if state.starter is None else "roll")


def _set_up(state: GameState, event: Setup) -> GameState:
    state.game.check_start(event.points)
    _expect(state, "setup")
    return _await_start(replace(state, white=event.points, black=event.points))


def _lot(state: GameState, event: Lot) -> GameState:
    _expect(state, "lot")
    options, cube = state.options, state.cube
    if event.white == event.black:
        doubles = options.auto_double and state.auto_doubles < options.auto_doubles_max
        if not doubles or cube.value * 2 > options.cube_limit:
            return state
        return replace(state, cube=cube._replace(value=cube.value * 2), auto_doubles=state.auto_doubles + 1)
    starter: Side = "white" if event.white > event.black else "black"
    state = replace(state, phase="roll", turn=starter, starter=starter)
    if not options.opening_uses_lot:
        return state
    return _put_dice(state, (event.white, event.black) if starter == "white" else (event.black, event.white))


def _roll(state: GameState, event: Roll) -> GameState:
    _expect(state, "roll")
    return _put_dice(state, event.dice)


def _put_dice(state: GameState, dice: Dice) -> GameState:
    rolled = replace(state, phase="play", dice=dice)
    if rolled.choices.boards:
        return rolled
    return _turn_over(rolled, LastTurn(_turn(state), dice, "Ø", ()))


def _play(state: GameState, event: Play) -> GameState:
    _expect(state, "play")
    turn = state.choices.read(event.text)
    side = _turn(state)
    played = _placed(state, side, turn.position)
    last = LastTurn(side, state.choices.moment.dice, turn.play, turn.steps)
    ending = state.game.ending(turn.position, state.options)
    if ending is None:
        return _turn_over(played, last)
    if ending.kind == "draw":
        return _over(replace(played, last_turn=last), results.drawn(played, ending.reason))
    return _over(replace(played, last_turn=last), results.lost_by(played, other(side), ending.reason, ending.kind))


def _turn_over(state: GameState, last: LastTurn) -> GameState:
    """The turn passes, or bearing off the last checker ends the game."""
    side = last.side
    done = state.points(side)[0] == state.game.checkers
    passed = replace(
        state, phase="roll", turn=other(side), dice=None, turns_played=state.turns_played + 1, last_turn=last
    )
    if state.last_roll:
        return _over(passed, results.drawn(state, "draw") if done else results.lost_by(state, side, "bear_off"))
    if not done:
        return passed
    if state.options.last_roll_draw and side == state.starter:
        return replace(passed, last_roll=True)
    return _over(passed, results.lost_by(state, other(side), "bear_off"))


def _double(state: GameState, event: Double) -> GameState:
    if state.phase == "play":
        raise NotNow("cube_dice_rolled")
    _expect(state, "roll")
    refusal = state.why_no_double()
    if refusal:
        raise NotNow(refusal[0], **refusal[1])
    return replace(state, phase="double", cube=state.cube._replace(offered=state.cube.value * 2))


def _take(state: GameState, event: Take) -> GameState:
    """A double is taken by the side that was doubled, a beaver by the first doubler; the cube is the former's."""
    offered = _offered(state)
    return replace(state, phase="roll", cube=Cube(offered, other(_turn(state)), None, True))


def _drop(state: GameState, event: Drop) -> GameState:
    _offered(state)
    return _over(state, state.if_dropped())


def _beaver(state: GameState, event: Beaver) -> GameState:
    offered = _offered(state)
    if state.phase == "beaver":
        raise NotNow("beaver_again")
    if not state.options.beaver:
        raise NotNow("beaver_off")
    if offered * 2 > state.options.cube_limit:
        raise NotNow("cube_limit", limit=state.options.cube_limit)
    return replace(state, phase="beaver", cube=state.cube._replace(offered=offered * 2))


def _resign(state: GameState, event: Resign) -> GameState:
    _may_leave(state)
    if not state.may_resign(event.side):
        raise NotNow("resign_finished")
    return _over(state, state.if_resigned(event.side))


def _time_out(state: GameState, event: TimeOut) -> GameState:
    if state.to_act != event.side:
        raise NotNow("no_clock")
    return _over(state, state.if_timed_out(event.side))


def _may_leave(state: GameState) -> None:
    if state.phase in ("setup", "lot"):
        raise NotNow("resign_before_lot")
    if state.phase in ("double", "beaver"):
        raise NotNow("answer_double")


def _over(state: GameState, result: results.Result) -> GameState:
    return replace(state, phase="over", dice=None, result=result, cube=state.cube._replace(offered=None))


def _expect(state: GameState, phase: str) -> None:
    if state.phase in ("double", "beaver") and phase != state.phase:
        raise NotNow("answer_double")
    if state.phase != phase:
        raise NotNow("not_now", phase=state.phase)


def _offered(state: GameState) -> int:
    if state.cube.offered is None:
        raise NotNow("not_now", phase=state.phase)
    return state.cube.offered


def _turn(state: GameState) -> Side:
    if state.turn is None:
        raise NotNow("not_now", phase=state.phase)
    return state.turn


def _placed(state: GameState, side: Side, position: Position) -> GameState:
    """The state with the checkers of this position, seen by `side`."""
    theirs_pinned = frozenset(state.game.opposite(point) for point in position.pins)
    changes: dict[str, Any] = {
        side: position.mine,
        other(side): position.theirs,
        f"{side}_pinned": position.pinned,
        f"{other(side)}_pinned": theirs_pinned,
    }
    return replace(state, **changes)


_ACTS: dict[type[Event], Callable[[GameState, Any], GameState]] = {
    Setup: _set_up,
    Lot: _lot,
    Roll: _roll,
    Play: _play,
    Double: _double,
    Take: _take,
    Drop: _drop,
    Beaver: _beaver,
    Resign: _resign,
    TimeOut: _time_out,
}
