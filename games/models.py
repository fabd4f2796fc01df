"""Tables, games and their events. Only this app writes them; money moves through ledger.book alone."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from djmoney.models.fields import MoneyField
from moneyed import Money

from games import stakes
from games.fair import CLIENT_SEED_MAX
from games.timer import DEFAULT_PRESET, PRESETS, Clock, Side
from ledger import money

SIDES = [("white", "white"), ("black", "black")]
#: How long a client's idempotency key may be.
KEY_MAX = 64


def either(field: str, values: list[str]) -> Q:
    return Q(**{f"{field}__in": values})


class MoneyTerms(models.Model):
    """What a game is played for and under, frozen: later changes of rules, rake or policy never reach it."""

    variant = models.CharField(max_length=20)
    options = models.JSONField(help_text="rules options, as games.rules writes them")
    rules_version = models.CharField(max_length=20)
    # django-money's field is no type that a checker could follow; it gives Money.
    stake: Any = MoneyField(max_digits=16, decimal_places=3, default_currency=None)
    factor_cap = models.PositiveIntegerField(help_text="the most stakes that a game can cost: hold = stake × this")
    rake_percent = models.DecimalField(max_digits=5, decimal_places=2)
    rake_cap = models.DecimalField(
        max_digits=16, decimal_places=3, null=True, blank=True, help_text="in the stake's currency"
    )
    clock = models.CharField(max_length=10, choices=[(key, key) for key in PRESETS], default=DEFAULT_PRESET)

    stake_currency: str  # made by the MoneyField

    class Meta:
        abstract = True

    @property
    def currency(self) -> str:
        return str(self.stake_currency)

    @property
    def stake_money(self) -> Money:
        """The stake with exactly its currency's decimals."""
        return money.quantize(self.stake)

    @property
    def hold(self) -> Money:
        """What each player has blocked: the largest possible loss. Nothing in a points series."""
        return stakes.largest(self.stake, self.factor_cap)

    def cost(self, points: int) -> Money:
        """What a result of so many points costs here: never more than the hold."""
        return stakes.cost(self.stake, points, self.factor_cap)

    @property
    def is_staked(self) -> bool:
        """Whether money is played for; the games of points series have none."""
        return bool(self.stake.amount)

    @property
    def rake_cap_money(self) -> Money | None:
        return None if self.rake_cap is None else money.quantize(Money(self.rake_cap, self.currency))

    def terms(self) -> dict[str, Any]:
        """The frozen fields, to copy from a table to its games."""
        return {
            field.name: getattr(self, field.name)
            for field in MoneyTerms._meta.get_fields()
            if field.name != "stake_currency"
        }


def money_constraints(name: str) -> list[models.BaseConstraint]:
    return [
        models.CheckConstraint(name=f"{name}_stake_not_negative", condition=Q(stake__gte=Decimal(0))),
        models.CheckConstraint(
            name=f"{name}_currency_known", condition=either("stake_currency", list(money.CURRENCIES))
        ),
        models.CheckConstraint(name=f"{name}_factor_cap_positive", condition=Q(factor_cap__gte=1)),
        models.CheckConstraint(
            name=f"{name}_rake_percent_range", condition=Q(rake_percent__gte=0, rake_percent__lte=100)
        ),
        models.CheckConstraint(
            name=f"{name}_rake_cap_positive", condition=Q(rake_cap__isnull=True) | Q(rake_cap__gte=0)
        ),
    ]


class DiceSeeds(models.Model):
    """The seeds of one game's dice: made and committed to before either player can set one; never shown in admin."""

    server_seed = models.BinaryField(help_text="encrypted with SEED_KEY")
    commitment = models.CharField(max_length=64, unique=True)
    white_seed = models.CharField(max_length=CLIENT_SEED_MAX, blank=True, default="")
    black_seed = models.CharField(max_length=CLIENT_SEED_MAX, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"seeds {self.commitment[:12]}…"


class Table(MoneyTerms):
    """A table: its terms, its two seats, and the series of games played at it. White opened it."""

    class Status(models.TextChoices):
        OPEN = "open"
        PLAYING = "playing"
        BETWEEN = "between"
        CLOSED = "closed"

    class CountBy(models.TextChoices):
        POINTS = "points"
        GAMES = "games"

    white = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tables_opened")
    black = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="tables_joined"
    )
    first_move = models.CharField(
        max_length=10, choices=[(key, key) for key in ("loser", "alternate", "lot")], default="loser"
    )
    series_length = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="games; empty: until somebody leaves"
    )
    target = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="points or games won that end a series without stakes; empty: a money table"
    )
    count_by = models.CharField(max_length=6, choices=CountBy.choices, default=CountBy.POINTS)
    crawford = models.BooleanField(default=True)
    next_at = models.DateTimeField(null=True, blank=True, help_text="when the next game starts by itself")
    belongs_to = models.CharField(max_length=120, blank=True, default="", help_text="what the series is part of")
    belongs_url = models.CharField(max_length=100, blank=True, default="")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    close_reason = models.CharField(max_length=20, blank=True, default="")
    white_ready = models.BooleanField(default=False)
    black_ready = models.BooleanField(default=False)
    white_seen_at = models.DateTimeField()
    black_seen_at = models.DateTimeField(null=True, blank=True)
    seeds = models.OneToOneField(
        DiceSeeds, on_delete=models.PROTECT, null=True, blank=True, help_text="of the next game"
    )
    source = models.CharField(max_length=10, choices=[("live", "live"), ("import", "import")], default="live")
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects: ClassVar[models.Manager[Table]] = models.Manager()

    class Meta:
        constraints = [
            *money_constraints("table"),
            models.CheckConstraint(
                name="table_status_known", condition=either("status", ["open", "playing", "between", "closed"])
            ),
            models.CheckConstraint(
                name="table_first_move_known", condition=either("first_move", ["loser", "alternate", "lot"])
            ),
            models.CheckConstraint(
                name="table_series_length", condition=Q(series_length__isnull=True) | Q(series_length__gte=1)
            ),
            models.CheckConstraint(
                name="table_stake_or_target",
                condition=Q(target__isnull=True, stake__gt=Decimal(0))
                | Q(target__isnull=False, target__gte=1, stake=Decimal(0)),
            ),
            models.CheckConstraint(name="table_no_self_play", condition=Q(black__isnull=True) | ~Q(black=F("white"))),
            models.CheckConstraint(
                name="table_seat_before_ready",
                condition=Q(black__isnull=False)
                | Q(white_ready=False, black_ready=False, status__in=["open", "closed"]),
            ),
            models.UniqueConstraint(name="table_one_open_per_creator", fields=["white"], condition=Q(status="open")),
            models.UniqueConstraint(name="table_one_waiting_per_guest", fields=["black"], condition=Q(status="open")),
        ]
        indexes = [
            models.Index(name="table_live", fields=["status"], condition=~Q(status="closed")),
            models.Index(name="table_changed", fields=["changed_at"]),
            models.Index(name="table_next_game", fields=["next_at"], condition=Q(next_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"table {self.pk}"

    def side_of(self, player_id: int | None) -> Side | None:
        return side_of(self, player_id)


class Game(MoneyTerms):
    """One game: the engine's present state, the clocks, and what became of the money."""

    class Status(models.TextChoices):
        PLAYING = "playing"
        FINISHED = "finished"
        VOID = "void"

    class Settlement(models.TextChoices):
        NONE = "none"
        PENDING = "pending"
        SETTLED = "settled"
        PARKED = "parked"

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="games")
    number = models.PositiveIntegerField(help_text="of the series, from 1")
    white = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    black = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    starter = models.CharField(
        max_length=5, choices=SIDES, blank=True, default="", help_text="empty until the lot has decided"
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PLAYING)
    state = models.JSONField(help_text="games.rules state; folding the events gives the same")
    version = models.PositiveIntegerField(default=0)
    seeds = models.OneToOneField(DiceSeeds, on_delete=models.PROTECT, null=True, blank=True)
    next_roll = models.PositiveIntegerField(default=0, help_text="index of the next roll in the dice stream")

    white_ms = models.PositiveIntegerField(default=0)
    black_ms = models.PositiveIntegerField(default=0)
    delay_left_ms = models.PositiveIntegerField(default=0)
    running = models.CharField(max_length=5, choices=SIDES, blank=True, default="")
    running_since = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    white_moved = models.BooleanField(default=False)
    black_moved = models.BooleanField(default=False)

    winner = models.CharField(max_length=5, choices=SIDES, blank=True, default="")
    factor = models.PositiveSmallIntegerField(null=True, blank=True)
    cube = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.PositiveIntegerField(null=True, blank=True, help_text="factor × cube, not capped")
    kind = models.CharField(max_length=10, blank=True, default="")
    reason = models.CharField(max_length=20, blank=True, default="")

    settlement = models.CharField(max_length=10, choices=Settlement.choices, default=Settlement.NONE)
    settlement_note = models.CharField(max_length=500, blank=True, default="", help_text="why it is parked")
    entry_id = models.BigIntegerField(null=True, blank=True, help_text="the ledger's entry")
    settled_at = models.DateTimeField(null=True, blank=True)

    import_digest = models.CharField(max_length=64, null=True, blank=True, unique=True)
    import_details = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager[Game]] = models.Manager()

    class Meta:
        constraints = [
            *money_constraints("game"),
            models.UniqueConstraint(name="game_number_in_table", fields=["table", "number"]),
            models.UniqueConstraint(name="game_one_running_per_table", fields=["table"], condition=Q(status="playing")),
            models.CheckConstraint(name="game_no_self_play", condition=~Q(white=F("black"))),
            models.CheckConstraint(
                name="game_status_known", condition=either("status", ["playing", "finished", "void"])
            ),
            models.CheckConstraint(
                name="game_settlement_known", condition=either("settlement", ["none", "pending", "settled", "parked"])
            ),
            models.CheckConstraint(
                name="game_over_is_for_settlement",
                condition=Q(status="playing", settlement="none", finished_at__isnull=True)
                | (Q(status__in=["finished", "void"], finished_at__isnull=False) & ~Q(settlement="none")),
            ),
            models.CheckConstraint(
                name="game_result_when_finished",
                condition=Q(status="finished", points__isnull=False) | (~Q(status="finished") & Q(points__isnull=True)),
            ),
            models.CheckConstraint(
                name="game_entry_when_settled",
                condition=Q(entry_id__isnull=True) | Q(settlement="settled", settled_at__isnull=False),
            ),
            models.CheckConstraint(
                name="game_sides_known",
                condition=either("winner", ["", "white", "black"]) & either("running", ["", "white", "black"]),
            ),
            models.CheckConstraint(
                name="game_clock_whole",
                condition=Q(running="", running_since__isnull=True, deadline__isnull=True)
                | (~Q(running="") & Q(status="playing", running_since__isnull=False, deadline__isnull=False)),
            ),
        ]
        indexes = [
            models.Index(
                name="game_unsettled",
                fields=["settlement", "finished_at"],
                condition=Q(settlement__in=["pending", "parked"]),
            ),
            models.Index(name="game_deadline", fields=["deadline"], condition=Q(status="playing")),
            models.Index(name="game_of_white", fields=["white", "-id"]),
            models.Index(name="game_of_black", fields=["black", "-id"]),
        ]
        permissions = [("operate_settlement", "Can pause settlement and retry parked games")]

    def __str__(self) -> str:
        return f"game {self.pk}"

    def side_of(self, player_id: int | None) -> Side | None:
        return side_of(self, player_id)

    def player(self, side: str) -> Any:
        return self.white if side == "white" else self.black

    @property
    def is_over(self) -> bool:
        return self.status != self.Status.PLAYING

    @property
    def loss(self) -> Money:
        """What the loser pays: stake × points, never more than the hold. Zero for a draw or a void game."""
        return self.cost((self.points or 0) if self.winner else 0)

    @property
    def clock_value(self) -> Clock:
        return Clock(
            white_ms=self.white_ms,
            black_ms=self.black_ms,
            delay_left_ms=self.delay_left_ms,
            running=self.running or None,  # type: ignore[arg-type]
            since=self.running_since,
        )

    @clock_value.setter
    def clock_value(self, clock: Clock) -> None:
        self.white_ms, self.black_ms, self.delay_left_ms = clock.white_ms, clock.black_ms, clock.delay_left_ms
        self.running, self.running_since, self.deadline = clock.running or "", clock.since, clock.deadline


def side_of(seats: Table | Game, player_id: int | None) -> Side | None:
    """The side on which this person sits, or None; decided by ids, so that no player row is read."""
    if player_id is None:
        return None
    if player_id == seats.white_id:
        return "white"
    return "black" if player_id == seats.black_id else None


class GameEvent(models.Model):
    """One event of a game. Append-only: a database trigger refuses change and removal."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField(help_text="from 1, without gaps")
    version = models.PositiveIntegerField(help_text="the game's version after this event")
    side = models.CharField(
        max_length=5, choices=SIDES, blank=True, default="", help_text="who acted; empty: the server"
    )
    event = models.JSONField()
    roll_index = models.PositiveIntegerField(null=True, blank=True, help_text="which roll of the dice stream")
    request_key = models.CharField(max_length=KEY_MAX, null=True, blank=True, help_text="the client's idempotency key")
    request = models.CharField(max_length=200, blank=True, default="", help_text="what the client asked for with it")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="event_seq_in_game", fields=["game", "seq"]),
            models.UniqueConstraint(name="event_roll_in_game", fields=["game", "roll_index"]),
            models.UniqueConstraint(name="event_request_once", fields=["game", "side", "request_key"]),
            models.CheckConstraint(name="event_seq_positive", condition=Q(seq__gte=1)),
            models.CheckConstraint(name="event_side_known", condition=either("side", ["", "white", "black"])),
        ]

    def __str__(self) -> str:
        return f"game {self.game_id} event {self.seq}"


class SweepTick(models.Model):
    """One row: when the server last proved to be alive. A long gap means that it was down (games.alive)."""

    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(name="tick_single_row", condition=Q(id=1))]

    def __str__(self) -> str:
        return f"alive at {self.at}"


class SettlementPause(models.Model):
    """One row: whether operators have paused settlement, who and why."""

    paused = models.BooleanField(default=False)
    reason = models.CharField(max_length=200, blank=True, default="")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.CheckConstraint(name="pause_single_row", condition=Q(id=1))]

    def __str__(self) -> str:
        return "settlement paused" if self.paused else "settlement runs"
