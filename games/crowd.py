"""A crowd of bots that play and settle whole games at the same time through the real services (manage.py simulate).

Beside honest play they do what browsers do on a bad day: act on a stale version, send a request twice, act out of turn.
Each such request must be refused or answered as before; one that changes anything is a failure of the run. Some leave
their game in the middle and come back to it when all others are done. Whose wallet is blocked when a game should begin
tries again until it is free.
"""

from __future__ import annotations

import itertools
import random
import threading
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db import connection, transaction
from moneyed import Money

from games import play, rules
from games.client import patient
from games.doors import Door, Inside, Refused
from games.errors import GameError, StaleVersion
from games.models import Game
from games.rules import bot
from games.terms import Terms, make_terms
from ledger import book, money
from ledger.errors import LedgerError
from players.models import Player

STAKE_MAX = 50
#: What a game can cost at the most, in units of its currency: nobody ever runs out, whatever is lost.
MOST_PER_GAME = STAKE_MAX * 192
RESIGN_CHANCE = 0.004
MISCHIEF_CHANCE = 0.05
LEAVE_CHANCE = 0.1
LEAVE_AFTER = (5, 40)
#: Why a game cannot begin at the moment: a wallet is frozen or owes, or the table was closed because people were away.
PASSING = (
    "account_frozen", "account_owes", "insufficient_funds", "opponent_insufficient_funds", "table_closed",
    "creator_away", "nobody_joined", "not_found",
)  # fmt: skip
BEGIN_WITHIN_S = 240


@dataclass
class Tally:
    """What happened, counted by all threads. `moved`: what clients were told came into a wallet (owner, currency) or
    left it, other than by games and tournaments."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    moved: defaultdict[tuple[int, str], Decimal] = field(default_factory=lambda: defaultdict(Decimal))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def move(self, owner: int, amount: Money) -> None:
        with self.lock:
            self.moved[owner, amount.currency.code] += amount.amount

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


def plans(games: int, players: int, seed: int, currencies: Sequence[str] = (money.PLAY_CHIPS,)) -> list[Plan]:
    """The games of a run, the same for the same numbers. The dice are the site's own and differ from run to run.

    Stakes go through the currencies in turn, down to their smallest units, and are STAKE_MAX at the most.
    """
    dealer = random.Random(seed)
    made = []
    for number in range(games):
        white, black = dealer.sample(range(players), 2)
        code = currencies[number % len(currencies)]
        units = int(STAKE_MAX / money.unit(code))
        stake = money.quantize(Money(money.unit(code) * dealer.randint(1, units), code))
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


@dataclass(frozen=True)
class Cast:
    """Who plays, for which currencies, and who hands the money out (None: the system)."""

    people: list[Player]
    currencies: Sequence[str] = (money.PLAY_CHIPS,)
    operator: int | None = None


class Crowd:
    """Plays the planned games with so many threads."""

    def __init__(
        self, games: int, cast: Cast, seed: int, say: Callable[[str], object], tally: Tally, door: Door | None = None
    ) -> None:
        self.door = door or Inside()
        self.cast = cast
        self.plans = plans(games, len(cast.people), seed, cast.currencies)
        self.bots = cast.people
        self.seats = [threading.Lock() for _ in self.bots]
        self.tally = tally
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
        needs = Counter(
            (number, str(plan.terms.stake.currency)) for plan in self.plans for number in (plan.white, plan.black)
        )
        for (number, code), games in needs.items():
            owner, amount = self.bots[number].pk, money.money(games * MOST_PER_GAME, code)
            give(f"simulate:{run}:{owner}", owner, amount, self.cast.operator)
            self.tally.move(owner, amount)

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
            game_id = self._sit_down(white, black, plan)
        self.played.append(game_id)
        return patient(lambda: Game.objects.select_related("white", "black").get(pk=game_id))

    def _sit_down(self, white: Player, black: Player, plan: Plan) -> int:
        """Both at a table and ready; the game that has begun. What stands in the way for a while is waited for."""
        give_up = time.monotonic() + BEGIN_WITHIN_S
        for attempt in itertools.count():
            name = f"{plan.seed} {attempt}"
            try:
                table_id = self.door.sit(white, black, plan.terms, name)
                self.door.ready(white, table_id, f"{name} white")
                game_id = self.door.ready(black, table_id, f"{name} black")
                if game_id is not None:
                    return game_id
            except (GameError, LedgerError) as refused:
                if refused.code not in PASSING or time.monotonic() > give_up:
                    raise
                self.tally.add(f"refused for the moment: {refused.code}")
            time.sleep(0.3)
        raise AssertionError("endless")

    def _play_on(self, plan: Plan, game: Game, luck: random.Random, leave_after: int | None = None) -> None:
        talk = TableTalk(luck, self.bots, self.tally, self.door)
        while not game.is_over and leave_after != 0:
            game = talk.act(game)
            leave_after = leave_after - 1 if leave_after else leave_after
        if not game.is_over:
            self.left.append((plan, game.pk))
            return
        self.tally.add("games")
        self.tally.add(f"variant {game.variant}")
        self.tally.add(f"ended by {game.reason}")


def give(key: str, owner: int, amount: Money, operator: int | None) -> None:
    """Money, or play chips, for a simulated player; asked again for as long as the database is away."""
    action = book.grant_play_chips if amount.currency.code == money.PLAY_CHIPS else book.deposit

    @transaction.atomic
    def ask() -> None:
        action(f"{key}:{amount.currency.code}", owner, amount, operator, "simulation")

    patient(ask)


class TableTalk:
    """One game's requests: mostly the bot's choice, sometimes a resignation, sometimes nonsense."""

    def __init__(
        self, luck: random.Random, bots: list[Player], tally: Tally, door: Door, resigns: float = RESIGN_CHANCE
    ) -> None:
        self.door = door
        self.resigns = resigns
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
        if state.may_resign(state.to_act) and self.luck.random() < self.resigns:
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
