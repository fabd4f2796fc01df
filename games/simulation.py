"""Bots that play whole games through the real services: for demo data, simulation and load."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings

from games import rules, tables
from games.models import Game, Table
from games.play import act
from games.rules import bot
from games.terms import Terms
from players.models import Player

BOTS = "bot"
#: People of a run with faults. Unlike bots they play for money, so they exist in its own data folder alone.
SIMULATED = "simulated"
FAULTS_FOLDER = "faults"

Chooser = Callable[[rules.GameState], Any]


def bot_player(number: int) -> Player:
    """The bot of this number, made where missing. Bots have no log-in and play for play chips only."""
    return _without_log_in(BOTS, str(number), f"Bot {number}")


def simulated_person(name: str) -> Player:
    """A person of a run with faults, made where missing, who plays for money and has no log-in.

    Raises RuntimeError anywhere but on the embedded services of such a run: money of nobody has no place elsewhere.
    """
    if not settings.EMBEDDED or Path(os.environ.get("DATA_DIR", "")).name != FAULTS_FOLDER:
        raise RuntimeError("Simulated people exist only in the data folder of simulate --faults.")
    return _without_log_in(SIMULATED, name, f"Simulated {name}")


def _without_log_in(namespace: str, name: str, shown: str) -> Player:
    player, made = Player.objects.get_or_create(
        username=f"{namespace}:{name}", defaults={"namespace": namespace, "display_name": shown}
    )
    if made:
        player.set_unusable_password()
        player.save(update_fields=["password"])
    return player


def seat(white: Any, black: Any, terms: Terms) -> Table:
    """A table at which both players sit, by the steps that people take."""
    table = tables.create_table(white, terms)
    return tables.join_table(black, table.pk)


def begin(table: Table) -> Game:
    """Both say Ready; the game that has begun."""
    tables.say_ready(table.white, table.pk)
    tables.say_ready(table.black, table.pk)
    return table.games.select_related("white", "black").latest("number")


def play(game: Game, choose: Chooser = bot.choose, most: int | None = None) -> Game:
    """Let `choose` act for both sides until the game is over, or for at most so many acts; returns the game."""
    acts = 0
    while not game.is_over and acts != most:
        state = rules.state_from_json(game.state)
        assert state.to_act is not None
        game = act(game.player(state.to_act), game.pk, game.version, choose(state)).game
        acts += 1
    return game


def plain(state: rules.GameState) -> Any:
    """Like the bot, but never touches the cube: for a game that must not end early."""
    return "roll" if state.phase == "roll" else bot.choose(state)
