"""A crowd of bots that play and settle whole games at the same time through the real services (manage.py simulate).

Beside honest play they do what browsers do on a bad day: act on a stale version, send a request twice, act out of turn.
Each such request must be refused or answered as before; one that changes anything is a failure of the run. Some leave
their game in the middle and come back to it when all others are done.
"""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction

from games import play, rules, simulation, tables
from games.doors import Door, Inside, Refused, patient
from games.errors import GameError, StaleVersion
from games.models import Game, Table
from games.rules import bot
from games.terms import Terms, make_terms
from ledger import book, money
from players.models import Player

STAKE_MAX = 50
#: Chips per bot and game: no bot ever runs out, whatever it loses.
CHIPS_PER_GAME = STAKE_MAX * 192
RESIGN_CHANCE = 0.002
MISCHIEF_CHANCE = 0.05
LEAVE_CHANCE = 0.1
LEAVE_AFTER = (5, 40)


@dataclass
class Tally:
    """What happened, counted by all threads."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, what: str, number: int = 1) -> None:
        with self.lock:
            self.counts[what] += number

    def fail(self, what: str) -> None:
        with self.lock:
            self.failures.append(what)


@dataclass(frozen=True)
class Plan:
    """One game to be: who, on which terms, and the seed of what its players choose beside the bot's own choice."""

    white: int
    black: int
    terms: Terms
    seed: int


def plans(games: int, players: int, seed: int) -> list[Plan]:
    """The games of a run, the same for the same numbers. The dice are the site's own and differ from run to run."""
    dealer = random.Random(seed)
    made = []
    for _ in range(games):
        white, black = dealer.sample(range(players), 2)
        stake = money.money(dealer.randint(1, STAKE_MAX), money.PLAY_CHIPS)
        made.append(Plan(white, black, _terms(dealer, stake), dealer.getrandbits(32)))
    return made


def _terms(dealer: random.Random, stake: Any) -> Terms:
    variant = rules.variant(dealer.choice(list(rules.VARIANTS)))
    options: dict[str, Any] = {"endgame": dealer.choice(variant.endgames)}
    if dealer.random() < 0.7:
        options["cube_limit"] = dealer.choice([2, 8, 64])
        options |= {name: dealer.random() < 0.3 for name in ("jacoby", "beaver", "auto_double")}
    for name in ("last_roll_draw", "mother_draw"):
        if name in variant.options:
            options[name] = dealer.random() < 0.5
    return make_terms(variant=variant.key, stake=stake, options=options, series_length=1)


class Crowd:
    """Plays the planned games with so many threads."""

    def __init__(
        self, games: int, players: int, seed: int, say: Callable[[str], object], door: Door | None = None
    ) -> None:
        self.door = door or Inside()
        self.plans = plans(games, players, seed)
        self.bots = [simulation.bot_player(number) for number in range(1, players + 1)]
        self.seats = [threading.Lock() for _ in self.bots]
        self.tally = Tally()
        self.say = say
        self.played: list[int] = []
        self.left: list[tuple[Plan, int]] = []

    def run(self, threads: int) -> float:
        """Play everything; returns the seconds it took. Games that could not be played are failures in the tally."""
        self._fund()
        begun = time.monotonic()
        with ThreadPoolExecutor(threads, thread_name_prefix="bot") as pool:
            for done, _ in enumerate(pool.map(self._play_guarded, self.plans), start=1):
                if done % max(1, len(self.plans) // 10) == 0:
                    self.say(f"{done} of {len(self.plans)} games played")
            list(pool.map(self._come_back, self.left))
            for _ in range(threads):
                pool.submit(connection.close)
        return time.monotonic() - begun

    def _fund(self) -> None:
        run = uuid.uuid4()
        needs = Counter(number for plan in self.plans for number in (plan.white, plan.black))
        with transaction.atomic():
            for number, games in needs.items():
                amount = money.money(games * CHIPS_PER_GAME, money.PLAY_CHIPS)
                bot = self.bots[number]
                book.grant_play_chips(f"simulate:{run}:{bot.pk}", bot.pk, amount, None, "simulation")

    def _play_guarded(self, plan: Plan) -> None:
        with self._failures_of(plan):
            game = self._begin(plan)
            luck = random.Random(plan.seed)
            leave_after = luck.randint(*LEAVE_AFTER) if luck.random() < LEAVE_CHANCE else None
            self._play_on(plan, game, luck, leave_after)

    def _come_back(self, left: tuple[Plan, int]) -> None:
        plan, game_id = left
        with self._failures_of(plan):
            self.tally.add("games left and resumed")
            game = patient(lambda: Game.objects.select_related("white", "black").get(pk=game_id))
            self._play_on(plan, game, random.Random(f"{plan.seed} resumed"))

    @contextmanager
    def _failures_of(self, plan: Plan) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.tally.fail(f"{plan.terms.options.variant}: {type(error).__name__}: {error}")

    def _begin(self, plan: Plan) -> Game:
        white, black = self.bots[plan.white], self.bots[plan.black]
        first, second = sorted((plan.white, plan.black))
        with self.seats[first], self.seats[second]:  # a bot opens or joins one table at a time
            taken = patient(lambda: self._seat(white, black, plan.terms))
            game = patient(lambda: simulation.begin(taken))
        self.played.append(game.pk)
        return game

    def _play_on(self, plan: Plan, game: Game, luck: random.Random, leave_after: int | None = None) -> None:
        talk = _TableTalk(luck, self.bots, self.tally, self.door)
        while not game.is_over and leave_after != 0:
            game = talk.act(game)
            leave_after = leave_after - 1 if leave_after else leave_after
        if not game.is_over:
            self.left.append((plan, game.pk))
            return
        self.tally.add("games")
        self.tally.add(f"variant {game.variant}")
        self.tally.add(f"ended by {game.reason}")

    def _seat(self, white: Player, black: Player, terms: Terms) -> Any:
        """Their table; one that a broken connection left half seated is taken up again."""
        waiting = Table.objects.filter(white=white, status=Table.Status.OPEN).first()
        if waiting is None:
            return simulation.seat(white, black, terms)
        return waiting if waiting.black_id == black.pk else tables.join_table(black, waiting.pk)


class _TableTalk:
    """One game's requests: mostly the bot's choice, sometimes a resignation, sometimes nonsense."""

    def __init__(self, luck: random.Random, bots: list[Player], tally: Tally, door: Door) -> None:
        self.door = door
        self.luck = luck
        self.bots = bots
        self.tally = tally

    def act(self, game: Game) -> Game:
        state = rules.state_from_json(game.state)
        assert state.to_act is not None
        player = game.player(state.to_act)
        if self.luck.random() < MISCHIEF_CHANCE:
            self._nonsense(game, state)
        action: Any = bot.choose(state)
        if state.may_resign(state.to_act) and self.luck.random() < RESIGN_CHANCE:
            action = "resign"
        key = f"{self.luck.getrandbits(64):x}"
        try:
            after, applied = self.door.act(player, game, game.version, action, key)
        except (StaleVersion, Refused) as refused:
            return self._overtaken(game, refused)
        self.tally.add("acts")
        if self.luck.random() < MISCHIEF_CHANCE:
            after, again = self.door.act(player, game, game.version, action, key)
            if again != applied:
                self.tally.fail(f"game {game.pk}: a repeat produced version {again}, not {applied}")
        return after

    def _overtaken(self, game: Game, refused: GameError) -> Game:
        """Only the clock may have come first; then the game is over. Anything else is a failure."""
        now = patient(lambda: Game.objects.select_related("white", "black").get(pk=game.pk))
        if refused.code != "stale_version" or not now.is_over or now.reason not in ("time_out", "never_moved"):
            raise refused
        self.tally.add("overtaken by the clock")
        return now

    def _nonsense(self, game: Game, state: rules.GameState) -> None:
        """Requests that must be refused and change nothing."""
        side: rules.Side = state.to_act or "white"
        bystander = next(one for one in self.bots if one.pk not in (game.white_id, game.black_id))
        refused: list[tuple[Any, int, play.Action]] = [
            (game.player(side), game.version + 7, "roll"),
            (game.player(rules.other(side)), game.version, "roll"),
            (bystander, game.version, "resign"),
            (game.player(side), game.version, rules.Play("24/1")),
        ]
        player, version, action = self.luck.choice(refused)
        try:
            self.door.act(player, game, version, action, None)
        except (GameError, rules.RuleError):
            self.tally.add("nonsense refused")
        else:
            self.tally.fail(f"game {game.pk}: {action!r} on version {version} by {player} was accepted")
