"""A game begins: starter, holds, dice, lot and clocks, all in the caller's one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from moneyed import Money

from games import dice, live, rules, series
from games.errors import AccountBlocked, GameError, NotEnoughMoney, OpponentShort
from games.models import Game, GameEvent, Table
from games.timer import PRESETS, new_clock
from ledger import book
from ledger import errors as ledger_errors


def hold_key(game_id: int, player_id: int) -> str:
    return f"game:{game_id}:hold:{player_id}"


def reference(game_id: int) -> str:
    """How the ledger names this game."""
    return f"game:{game_id}"


def start_game(table: Table, caller_id: int) -> Game:
    """Start the next game of a table that the caller has locked: holds, frozen seeds, the lot, and the first clock.

    Raises:
        NotEnoughMoney, OpponentShort, AccountBlocked: the transaction must be rolled back.
    """
    seeds, now = table.seeds, timezone.now()
    assert seeds is not None
    dice.freeze(seeds)
    number = table.games.count() + 1
    game = create_game(table, number, next_starter(table), caller_id, seeds=seeds, **_own_options(table))
    state = _roll_lot(game, now)
    delay_ms = PRESETS[game.clock].delay_s * 1000
    game.clock_value = new_clock(PRESETS[game.clock]).next(now, state.to_act, delay_ms)
    game.save()
    table.status, table.seeds = Table.Status.PLAYING, None
    table.white_ready = table.black_ready = False
    table.next_at = None
    table.version += 1
    table.save()
    live.publish_on_commit(f"table:{table.pk}", table.version)
    series.announce(table)
    return game


def _own_options(table: Table) -> dict[str, Any]:
    """The Crawford game of a points series is played without the cube."""
    return {} if table.target is None else {"options": series.state(table).next_options.to_json()}


def create_game(table: Table, number: int, starter: rules.Side | None, caller_id: int | None, **given: Any) -> Game:
    """The row of a table's game with both holds placed, before its first event; `starter` None: the lot decides.

    Raises:
        NotEnoughMoney, OpponentShort, AccountBlocked: nothing is held; the transaction must be rolled back.
    """
    terms = table.terms() | given
    state = rules.new_game(rules.options_from_json(terms["options"]), starter)
    game = Game.objects.create(  # type: ignore[misc]  # both seats are taken
        **terms, table=table, number=number, white=table.white, black=table.black,
        starter=starter or "", state=state.to_json(),
    )  # fmt: skip
    if game.is_staked:
        _place_holds(game, table, caller_id)
    return game


def _place_holds(game: Game, table: Table, caller_id: int | None) -> None:
    details = {"game": game.pk, "table": table.pk, "variant": game.variant, "stake": str(game.stake_money.amount)}
    requests = [
        book.HoldRequest(hold_key(game.pk, player_id), player_id, game.hold, reference(game.pk), details)
        for player_id in (game.white_id, game.black_id)
    ]
    try:
        book.place_holds(requests)
    except ledger_errors.InsufficientFunds as error:
        raise _short_of_money(error, caller_id, game.hold) from error
    except ledger_errors.AccountFrozen as error:
        raise AccountBlocked from error


def _short_of_money(error: ledger_errors.InsufficientFunds, caller_id: int | None, needed: Money) -> GameError:
    """The refusal in words for the one who asked: another person's balance is not told."""
    if error.params["owner_id"] == caller_id:
        return NotEnoughMoney(needed=error.params["needed"], available=error.params["available"])
    return OpponentShort(needed=needed)


def next_starter(table: Table) -> rules.Side | None:
    """Who starts the next game of the series (docs/rules.md, "Series"); None: the lot decides.

    A void game is replayed with the same starter, whatever the terms say.
    """
    last = table.games.order_by("-number").first()
    if last is None:
        return None
    started: rules.Side = last.starter  # type: ignore[assignment]
    if last.status == Game.Status.VOID:
        return started
    if table.first_move == "lot":
        return None
    if table.first_move == "loser" and last.winner:
        return rules.other(last.winner)  # type: ignore[arg-type]
    return rules.other(started)


def write_events(game: Game, events: Sequence[tuple[rules.Event, str, int | None]], at: datetime) -> None:
    """Append events of (event, side that acted, roll index) to a game that is being set up."""
    rows = []
    for event, side, roll_index in events:
        game.version += 1
        rows.append(
            GameEvent(
                game=game, seq=game.version, version=game.version, side=side, event=event.to_json(),
                roll_index=roll_index, at=at,
            )
        )  # fmt: skip
    GameEvent.objects.bulk_create(rows)


def _roll_lot(game: Game, now: datetime) -> rules.GameState:
    """The server's own events before anybody can act: a drawn start, then the lot until it decides."""
    state, stream, events = rules.state_from_json(game.state), dice.stream(game), []
    while state.phase in ("setup", "lot"):
        draw = stream.draws(game.next_roll)
        event: rules.Event
        if state.phase == "setup":
            event = rules.Setup(rules.draw_start(game.variant, draw))
        else:
            event = rules.Lot(draw(6) + 1, draw(6) + 1)
        state = rules.apply(state, event)
        events.append((event, "", game.next_roll))
        game.next_roll += 1
    write_events(game, events, now)
    game.state, game.starter = state.to_json(), state.starter or ""
    return state
