"""A whole tournament played by bots through the real services: registration, rounds, games, payout (simulate).

Bots play for play chips. Who loses resigns early, as a rule: a field of 256 is about pairings and money, and whole
games are what `simulate --games` is about.
"""

from __future__ import annotations

import random
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from games import rules, simulation, tables
from games.models import Game, Table
from games.play import act
from games.rules import bot
from ledger import book, money
from tournaments import advance, life, registration
from tournaments.models import Pairing, Tournament
from tournaments.state import load

ENTRY, FEE = 100, 10
#: So many acts a bot plays before it thinks of resigning; every tenth game is played to its end.
ACTS_BEFORE_RESIGNING = 6


@dataclass
class Run:
    """One simulated tournament of `players` bots; `seed` decides who resigns when, never the dice."""

    players: int
    seed: int
    say: Callable[[str], object]
    format: str = Tournament.Format.KNOCKOUT
    counts: Counter[str] = field(default_factory=Counter)

    def play(self, threads: int) -> Tournament:
        """From the draft to the payout; the tournament as it ended."""
        tournament = self._open()
        self._timed("registration", lambda: self._register(tournament))
        life.close_registration(tournament.pk)
        self._timed("start", lambda: life.start(tournament.pk))
        with ThreadPoolExecutor(threads, thread_name_prefix="bot") as pool:
            while self._play_round(tournament, pool):
                pass
            for _ in range(threads):
                pool.submit(connection.close)
        life.pay(tournament.pk)
        tournament.refresh_from_db()
        return tournament

    def _open(self) -> Tournament:
        tournament = Tournament.objects.create(
            title=f"Simulated {self.format} of {self.players}", format=self.format, variant="hypergammon",
            options={"endgame": "oin"}, count_by="games", target=1, entry=ENTRY, entry_currency=money.PLAY_CHIPS,
            fee=FEE, max_field=self.players, starts_at=timezone.now(), automatic=False, no_show_minutes=60,
        )  # fmt: skip
        life.announce(tournament.pk)
        return life.open_registration(tournament.pk)

    def _register(self, tournament: Tournament) -> None:
        run = uuid.uuid4()
        for number in range(1, self.players + 1):
            player = simulation.bot_player(number)
            with transaction.atomic():
                chips = money.money(ENTRY + FEE, money.PLAY_CHIPS)
                book.grant_play_chips(f"simulate:{run}:{player.pk}", player.pk, chips, None, "simulation")
            registration.register(player, tournament.pk)

    def _play_round(self, tournament: Tournament, pool: ThreadPoolExecutor) -> bool:
        tournament.refresh_from_db()
        if tournament.status != Tournament.Status.RUNNING:
            return False
        state = load(tournament)
        series = state.open_pairings
        begun = time.monotonic()
        list(pool.map(self._play_series, series))
        played = time.monotonic()
        advance.advance(tournament.pk)
        number = state.current.number if state.current else 0
        self.say(
            f"round {number}: {len(series)} series in {played - begun:.1f} s,"
            f" results and next pairing in {time.monotonic() - played:.2f} s"
        )
        return True

    def _play_series(self, pairing: Pairing) -> None:
        assert pairing.table_id is not None and pairing.second is not None
        luck = random.Random(f"{self.seed}:{pairing.round.number}:{pairing.number}")
        table = Table.objects.get(pk=pairing.table_id)
        while table.status != Table.Status.CLOSED:
            for entrant in (pairing.first, pairing.second):
                tables.say_ready(entrant.player, table.pk)
            game = table.games.select_related("white", "black").get(status=Game.Status.PLAYING)
            self._play_game(game, luck)
            table.refresh_from_db()
        self.counts["series"] += 1

    def _play_game(self, game: Game, luck: random.Random) -> None:
        resigns = luck.choice(["white", "black"]) if luck.random() > 0.1 else None
        acts = 0
        while not game.is_over:
            state = rules.state_from_json(game.state)
            assert state.to_act is not None
            action: Any = bot.choose(state)
            if resigns == state.to_act and acts > ACTS_BEFORE_RESIGNING and state.may_resign(state.to_act):
                action = "resign"
            game = act(game.player(state.to_act), game.pk, game.version, action).game
            acts += 1
        self.counts["games"] += 1
        self.counts["acts"] += acts

    def _timed(self, what: str, do: Callable[[], object]) -> None:
        begun = timezone.now()
        do()
        self.say(f"{what}: {(timezone.now() - begun) / timedelta(seconds=1):.1f} s")
