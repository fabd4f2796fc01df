"""A tournament in a run with faults (games.storm): its people enter and play over HTTP; everything else, from the close
of registration to the payout, is done by the site's own worker and beat.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import connection
from django.utils import timezone

from games.client import patient
from games.crowd import TableTalk, give
from games.doors import Refused
from games.models import Game, Table
from games.storm import Stage
from tournaments import life, purse
from tournaments.models import Pairing, Tournament
from tournaments.state import load

CURRENCY, ENTRY, FEE, ADDED = "UAH", "25.00", "2.50", "10.00"
#: Each step of the worker comes within seconds; faults make it longer.
PAID_WITHIN_S = 1200
RESIGN_CHANCE = 0.05


@dataclass
class Cup:
    """A knockout of so many people, for real money, in series to two games. Raises when it does not end as it must."""

    players: int
    ended: set[int] = field(default_factory=set)
    """Tables whose series is over, whether the worker has taken its result over or not."""

    def __call__(self, stage: Stage) -> None:
        people = stage.people[: self.players]
        tournament = patient(self._announce)
        name = f"{stage.seed} cup"
        for number, person in enumerate(people):
            self._fund(stage, person, tournament)
            steps = ["register", "withdraw", "register"] if number % 3 == 0 else ["register"]
            self._enter(stage, person, tournament, f"{name} {number}", steps)
        while late := patient(lambda: self._not_entered(people, tournament)):
            # An abandoned request to leave may be done after the one that came back.
            self._enter(stage, late[0], tournament, f"{name} again", ["register"])
        patient(lambda: Tournament.objects.filter(pk=tournament.pk).update(starts_at=timezone.now()))
        give_up = time.monotonic() + PAID_WITHIN_S
        with ThreadPoolExecutor(max(1, self.players // 2), thread_name_prefix="cup") as pool:
            while patient(lambda: self._status(tournament)) != Tournament.Status.PAID:
                if time.monotonic() > give_up:
                    raise TimeoutError(f"{tournament} is {self._status(tournament)} after {PAID_WITHIN_S} s")
                open_now = patient(lambda: load(Tournament.objects.get(pk=tournament.pk)).open_pairings)
                due = [pairing for pairing in open_now if pairing.table_id not in self.ended]
                list(pool.map(lambda pairing: self._play_series(stage, pairing), due))
                time.sleep(0.3)
            for _ in range(self.players):
                pool.submit(connection.close)
        self._check(stage, tournament)

    def _announce(self) -> Tournament:
        made = Tournament.objects.create(
            title=f"Knockout of {self.players} under faults", format=Tournament.Format.KNOCKOUT, variant="hypergammon",
            options={"endgame": "oin"}, count_by="games", target=2, entry=ENTRY, entry_currency=CURRENCY, fee=FEE,
            added=ADDED,
            max_field=self.players, starts_at=timezone.now() + timedelta(days=1), automatic=True, no_show_minutes=60,
        )  # fmt: skip
        life.announce(made.pk)
        return life.open_registration(made.pk)

    def _fund(self, stage: Stage, person: Any, tournament: Tournament) -> None:
        amount = tournament.price * 2  # twice: whoever leaves has it back before entering again
        give(f"cup:{tournament.pk}:{person.pk}", person.pk, amount, stage.operator.pk)
        stage.tally.move(person.pk, amount)

    def _not_entered(self, people: Sequence[Any], tournament: Tournament) -> list[Any]:
        entered = set(tournament.entrants.filter(status="registered").values_list("player_id", flat=True))
        return [person for person in people if person.pk not in entered]

    def _enter(self, stage: Stage, person: Any, tournament: Tournament, name: str, steps: list[str]) -> None:
        """Enter, or leave and enter again. Frozen for the moment: again, until it is done."""
        path = f"tournaments/{tournament.pk}"
        for number, step in enumerate(steps):
            for attempt in range(200):
                told = stage.client.ask(f"{name} {number} {attempt} {step}", person, f"{path}/{step}/", rare=True)
                if all(one.done for one in told):
                    break
                if any(one.code != "account_frozen" for one in told if not one.done):
                    raise Refused(told[0].code)
                time.sleep(0.3)
            you = told[0].body["you"]
            if (you["status"] if you else "left") != ("left" if step == "withdraw" else "registered"):
                raise AssertionError(f"after {step}, {person} is {you}")
            stage.client.count(f"asked: {step}")

    def _status(self, tournament: Tournament) -> str:
        return Tournament.objects.values_list("status", flat=True).get(pk=tournament.pk)

    def _play_series(self, stage: Stage, pairing: Pairing) -> None:
        """Game after game, both saying Ready each time, until the table closes."""
        table_id = pairing.table_id
        assert table_id is not None and pairing.second is not None
        name = f"{stage.seed} cup {pairing.round.number} {pairing.number}"
        luck = random.Random(name)
        for number in range(20):
            if patient(lambda: Table.objects.get(pk=table_id).status) == Table.Status.CLOSED:
                self.ended.add(table_id)
                stage.tally.add("tournament: series")
                return
            game_id = None
            for seat, entrant in enumerate((pairing.first, pairing.second)):
                try:
                    game_id = stage.door.ready(entrant.player, table_id, f"{name} {number} {seat}")
                except Refused as refused:
                    if refused.code != "table_closed":
                        raise
            if game_id is not None:
                self._play_game(stage, game_id, luck)

    def _play_game(self, stage: Stage, game_id: int, luck: random.Random) -> None:
        game = patient(lambda: Game.objects.select_related("white", "black").get(pk=game_id))
        talk = TableTalk(luck, list(stage.people), stage.tally, stage.door, RESIGN_CHANCE)
        while not game.is_over:
            game = talk.act(game)
        stage.tally.add("tournament: games")

    def _check(self, stage: Stage, tournament: Tournament) -> None:
        """Everything that came into the pool was paid out, once."""
        tournament.refresh_from_db()
        paid = sum((amount.amount for amount in purse.paid_out(tournament).values()), start=Decimal(0))
        entries = tournament.entry_money.amount * self.players + Decimal(ADDED)
        if paid != entries or purse.pool(tournament).amount:
            raise AssertionError(f"{tournament}: {paid} paid of {entries}, the pool has {purse.pool(tournament)}")
        stage.say(f"{tournament}: {paid} {CURRENCY} paid out")
