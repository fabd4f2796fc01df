"""What the tests of tables and games share: money for people, seats for two, and games played to their end."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from django.db import transaction

from games import rules, tables
from games.models import Game, Table
from games.play import GameView, act
from games.simulation import plain
from games.terms import Terms, make_terms
from ledger import book, money

_keys = itertools.count(1)


def fund(player: Any, amount: str = "100000.00 UAH") -> None:
    """Money for a player: a deposit, or a grant of play chips."""
    value = money.parse(amount)
    give = book.grant_play_chips if value.currency.code == money.PLAY_CHIPS else book.deposit
    with transaction.atomic():
        give(f"test-fund:{next(_keys)}", player.pk, value, None, "test")


def terms(stake: str = "10.00 UAH", variant: str = "short", **given: Any) -> Terms:
    """Terms as a form gives them: `first_move`, `series_length`, `clock`, and the rest as options of the rules."""
    own = {name: given.pop(name) for name in ("first_move", "series_length", "clock") if name in given}
    return make_terms(variant=variant, stake=money.parse(stake), options=given, **own)


def joined(white: Any, black: Any, **given: Any) -> Table:
    """A table at which both sit, and nobody has said Ready; both have money."""
    agreed = terms(**given)
    for player in (white, black):
        fund(player, money.text(agreed.hold * 20))
    table = tables.create_table(player=white, terms=agreed)
    return tables.join_table(black, table.pk)


def started(white: Any, black: Any, **given: Any) -> Game:
    """A game that has just begun."""
    table = joined(white, black, **given)
    return next_game(table)


def next_game(table: Table) -> Game:
    """Both say Ready: the next game of the table's series."""
    tables.say_ready(table.white, table.pk)
    tables.say_ready(table.black, table.pk)
    return table.games.latest("number")


def state_of(game: Game) -> rules.GameState:
    game.refresh_from_db()
    return rules.state_from_json(game.state)


def to_act(game: Game) -> Any:
    """The player who owes the next act."""
    side = state_of(game).to_act
    assert side is not None
    return game.player(side)


def play_on(game: Game, choose: Callable[[rules.GameState], Any] = plain, most: int = 10_000) -> GameView | None:
    """Let both play sensibly (without the cube) through act(), at most so many acts, or until the game is over."""
    view = None
    for _ in range(most):
        state = state_of(game)
        if state.to_act is None:
            break
        view = act(game.player(state.to_act), game.pk, game.version, choose(state))
    game.refresh_from_db()
    return view
