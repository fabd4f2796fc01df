"""Acting in a game: roll, play, double, take, drop, beaver, resign. One function, one transaction.

Lock order: the game's row, then its table's, then the ledger's (which locks only when a game starts or is settled).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Subquery
from django.utils import timezone

from games import alive, dice, live, queries, rules
from games.errors import BadAction, KeyReused, NotYourGame, StaleVersion
from games.finish import finish, return_to_table, void
from games.models import KEY_MAX, Game, GameEvent, SweepTick
from games.timer import PRESETS

#: What a client may ask for by name alone; a play comes as rules.Play with its notation.
SIMPLE_ACTIONS = ("roll", "double", "take", "drop", "beaver", "resign")
PLAY_TEXT_MAX = 120

Action = str | rules.Event
_CUBE_ACTS = {"double": rules.Double(), "take": rules.Take(), "drop": rules.Drop(), "beaver": rules.Beaver()}


@dataclass(frozen=True)
class GameView:
    """A game as one player sees it now. `applied`: the version that the request produced; None if it produced none."""

    game: Game
    viewer: Any
    since: int | None = None
    applied: int | None = None

    @property
    def version(self) -> int:
        return self.game.version

    @cached_property
    def json(self) -> dict[str, Any]:
        """The state that page and API share, with the events after version `since` (queries.game_json)."""
        return queries.game_json(self.game, self.viewer, since=self.since)


def act(player: Any, game_id: int, version: int, action: Action, key: str | None = None) -> GameView:
    """Do one thing in a game, as `player`, on the version of the game that the player saw.

    `action` is one of SIMPLE_ACTIONS, or an event of the rules that a player may bring: Play(text), Double(), …
    `key` makes the request repeatable: the same key and action again changes nothing and answers with the version that
    the first one produced.

    Raises:
        NotYourGame: there is no such game, or this person has no seat in it (answered alike).
        StaleVersion: the game has moved on, for instance because time ran out; carries the present view.
        KeyReused: this key came with another action before.
        BadAction: no such action, or a key or play too long.
        rules.RuleError: the rules do not allow it now; nothing has changed.
    """
    request = _Request(version, action, _asked(action), key)
    if key is not None and not 1 <= len(key) <= KEY_MAX:
        raise BadAction(action=f"Idempotency-Key {key[:20]}")
    while True:
        try:
            with transaction.atomic():
                view = _act_locked(player, game_id, request)
        except alive.ServerWasDown:
            alive.tick()
            continue
        except IntegrityError as error:
            if "event_request_once" in str(error):
                raise KeyReused from error
            raise
        if view.applied is None:
            raise StaleVersion(version, view)
        return view


@dataclass(frozen=True)
class _Request:
    version: int
    action: Action
    asked: str
    """The action in one canonical line, by which a repeat with the same key is recognised."""
    key: str | None


def _asked(action: Action) -> str:
    if isinstance(action, rules.Play):
        if len(action.text) > PLAY_TEXT_MAX:
            raise BadAction(action=action.text[:20] + "…")
        return f"play {' '.join(action.text.split())}"
    name = action if isinstance(action, str) else action.kind
    if name not in SIMPLE_ACTIONS or isinstance(action, rules.Roll):  # nobody brings their own dice
        raise BadAction(action=name[:20])
    return name


def lock_game(game_id: int) -> Game | None:
    """The game's row, locked until the end of the transaction, with all that an act needs, in one statement."""
    games = Game.objects.select_for_update(no_key=True, of=("self",)).select_related("white", "black", "seeds")
    try:
        return games.annotate(tick=Subquery(SweepTick.objects.values("at")[:1])).get(pk=game_id)
    except Game.DoesNotExist:
        return None


def _act_locked(player: Any, game_id: int, request: _Request) -> GameView:
    """The view after the act; one without `applied` says that the game had moved on, or that time has run out."""
    game = lock_game(game_id)
    side = game.side_of(player.pk) if game else None
    if game is None or side is None:
        raise NotYourGame
    if request.version != game.version:
        return _repeated(game, side, player, request)
    now = timezone.now()
    alive.check(game, now)
    if game.deadline and now >= game.deadline:
        time_out(game, now)
        return GameView(game, player, since=request.version)
    state = rules.state_from_json(game.state)
    event, roll_index = _event(game, state, side, request)
    store(game, state, event, side, now, roll_index=roll_index, key=request.key, request=request.asked)
    return GameView(game, player, since=request.version, applied=game.version)


def _repeated(game: Game, side: rules.Side, player: Any, request: _Request) -> GameView:
    first = game.events.filter(side=side, request_key=request.key).first() if request.key else None
    if first is None:
        return GameView(game, player, since=min(request.version, game.version))
    if first.request != request.asked:
        raise KeyReused
    return GameView(game, player, since=first.version - 1, applied=first.version)


def _event(game: Game, state: rules.GameState, side: rules.Side, request: _Request) -> tuple[rules.Event, int | None]:
    """What the engine is told, and the index of the roll it uses. The engine itself does not know who asks."""
    if request.asked == "resign":
        return rules.Resign(side), None
    if state.phase != "over" and state.to_act != side:
        raise rules.NotNow("not_your_turn")
    if isinstance(request.action, rules.Play):
        return request.action, None
    if request.asked == "roll":
        return rules.Roll(dice.stream(game).roll(game.next_roll)), game.next_roll
    return _CUBE_ACTS[request.asked], None


def time_out(game: Game, now: datetime) -> None:
    """End a locked game whose running clock is out. If a side never moved, a game for a stake is void."""
    state = rules.state_from_json(game.state)
    side: rules.Side = game.running  # type: ignore[assignment]
    # In a points series who never comes loses: a void game would be played again for ever.
    counts = (game.white_moved and game.black_moved) or not game.is_staked
    store(game, state, rules.TimeOut(side), "", now, void_reason="" if counts else "never_moved")


def store(
    game: Game, state: rules.GameState, event: rules.Event, side: str, now: datetime, *,
    roll_index: int | None = None, key: str | None = None, request: str = "", void_reason: str = "",
) -> None:  # fmt: skip
    """Apply one event to a locked game and write everything that follows from it: event, state, clocks, result.

    Raises:
        rules.RuleError: the rules do not allow it; nothing was written.
    """
    after = rules.apply(state, event)
    if isinstance(event, rules.Play) and after.last_turn:
        event = rules.Play(after.last_turn.play)  # the engine's own notation, whatever the player's alphabet
    game.version += 1
    GameEvent.objects.create(
        game=game, seq=game.version, version=game.version, side=side, event=event.to_json(),
        roll_index=roll_index, request_key=key, request=request if key else "", at=now,
    )  # fmt: skip
    game.state = after.to_json()
    if roll_index is not None:
        game.next_roll = roll_index + 1
    if side:
        setattr(game, f"{side}_moved", True)
    if after.result is None:
        game.clock_value = game.clock_value.next(now, after.to_act, _delay_of_new_turn(game, state, after))
    elif void_reason:
        void(game, void_reason, now)
    else:
        finish(game, after.result, now)
    game.save(update_fields=_MUTABLE)
    if after.result is not None:
        return_to_table(game, now)
    live.publish_on_commit(f"game:{game.pk}", game.version)


def _delay_of_new_turn(game: Game, before: rules.GameState, after: rules.GameState) -> int | None:
    """The free time at the start of a turn, also when the same side is on again because the other could not play."""
    if before.to_act == after.to_act and before.turns_played == after.turns_played:
        return None
    return PRESETS[game.clock].delay_s * 1000


_MUTABLE = [
    "status", "state", "version", "next_roll", "white_ms", "black_ms", "delay_left_ms", "running", "running_since",
    "deadline", "white_moved", "black_moved", "winner", "factor", "cube", "points", "kind", "reason", "settlement",
    "settled_at", "finished_at",
]  # fmt: skip
