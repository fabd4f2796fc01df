"""One game that ends while nothing else happens: from the commit that finished it to the commit that settled it.

The clock starts in the finishing transaction's first on-commit call and stops when the announcement of the settled
game's version arrives, which the worker sends after its own commit.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import redis
from django.conf import settings
from django.db import transaction

from bench import _settlement_games as games
from games import play, rules
from games.models import Game

GAMES = 200
PATIENCE_S = 10


def milliseconds() -> dict[str, float]:
    """Median and 99th percentile over GAMES games that are resigned one after the other; a worker runs."""
    begun = [games.begin(2 * number + 1, 2 * number + 2) for number in range(GAMES)]
    with redis.Redis.from_url(settings.VALKEY_URL).pubsub(ignore_subscribe_messages=True) as news:
        news.subscribe(settings.LIVE_CHANNEL)
        news.get_message(timeout=PATIENCE_S)
        taken = [1000 * _seconds(game, news) for game in begun]
    return {"median": statistics.median(taken), "p99": statistics.quantiles(taken, n=100)[98]}


def _seconds(game: Game, news: Any) -> float:
    committed: list[float] = []
    side = rules.state_from_json(game.state).to_act
    assert side is not None
    with transaction.atomic():
        transaction.on_commit(lambda: committed.append(time.perf_counter()))
        finished = play.act(game.player(side), game.pk, game.version, "resign").game
    awaited = f"game:{game.pk} {finished.version + 1}"
    give_up = time.perf_counter() + PATIENCE_S
    while time.perf_counter() < give_up:
        message = news.get_message(timeout=PATIENCE_S)
        if message and awaited in message["data"].decode().splitlines():
            return time.perf_counter() - committed[0]
    raise TimeoutError(f"game {game.pk} was not settled in {PATIENCE_S} s")
