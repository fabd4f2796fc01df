"""Tournaments, who enters them, their rounds and pairings, and the log of everything that was decided.

Standings are not here: they are computed from the pairings each time (tournaments.state).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from djmoney.models.fields import MoneyField
from moneyed import Money

from games.fair import CLIENT_SEED_MAX
from games.models import Table
from games.timer import PRESETS
from ledger import money


def amount_field(**options: Any) -> Any:
    """An amount in the currency of the tournament's entry."""
    return models.DecimalField(max_digits=16, decimal_places=3, default=Decimal(0), **options)


class Tournament(models.Model):
    """What is announced, and how far it has come. Its money is in the ledger under "tournament:<id>"."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        ANNOUNCED = "announced", _("announced")
        REGISTRATION = "registration", _("registration open")
        CLOSED = "closed", _("registration closed")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        PAID = "paid", _("finished and paid")
        CANCELLED = "cancelled", _("cancelled")

    class Format(models.TextChoices):
        ROUND_ROBIN = "round_robin", _("Round robin")
        DOUBLE_ROUND_ROBIN = "double_round_robin", _("Double round robin")
        SWISS = "swiss", _("Swiss")
        KNOCKOUT = "knockout", _("Knockout")

    class Seeding(models.TextChoices):
        RATING = "rating", _("by rating")
        LOT = "lot", _("by lot")

    class AbortRule(models.TextChoices):
        REFUND = "refund", _("everybody gets entry and fee back")
        STANDINGS = "standings", _("the pool is paid out by the standings of that moment")

    title = models.CharField(_("title"), max_length=80)
    description = models.TextField(_("description"), blank=True, default="")
    format = models.CharField(_("format"), max_length=20, choices=Format)
    third_place = models.BooleanField(_("series for the third place"), default=False)
    rounds = models.PositiveSmallIntegerField(
        _("rounds"), null=True, blank=True, help_text=_("Swiss only; empty: as many as the field needs")
    )
    past_half = models.BooleanField(
        _("try rounds beyond half the field"),
        default=False,
        help_text=_("Swiss: a pairing without a rematch may not exist then"),
    )
    late_entry = models.BooleanField(_("late entry"), default=True, help_text=_("Swiss: until half of the rounds"))

    variant = models.CharField(_("game"), max_length=20)
    options = models.JSONField(_("options of the rules"), default=dict, blank=True)
    rules_version = models.CharField(max_length=20, blank=True, default="")
    count_by = models.CharField(_("a series counts"), max_length=6, choices=Table.CountBy.choices, default="points")
    target = models.PositiveSmallIntegerField(
        _("series to"), default=3, help_text=_("points, or games won: best of 5 is 3 games")
    )
    crawford = models.BooleanField(_("Crawford rule"), default=True)
    first_move = models.CharField(
        _("who starts the next game"), max_length=10, default="loser",
        choices=[("loser", _("the loser")), ("alternate", _("in turn")), ("lot", _("by lot"))],
    )  # fmt: skip
    clock = models.CharField(_("clock"), max_length=10, choices=[(key, key) for key in PRESETS], default="normal")
    no_show_minutes = models.PositiveIntegerField(
        _("minutes to say Ready"), default=10, help_text=_("who has not is absent and loses the series")
    )

    entry: Any = MoneyField(_("entry"), max_digits=16, decimal_places=3, default=Decimal(0), default_currency="UAH")
    entry_currency: str  # made by the MoneyField
    fee = amount_field(verbose_name=_("fee"))
    added = amount_field(verbose_name=_("money added by the site"))
    guarantee = amount_field(verbose_name=_("guaranteed pool"), help_text=_("what entries do not reach, the site adds"))
    prize_weights = models.JSONField(
        _("prize table"), default=list, blank=True, help_text=_("like [50, 30, 20]; empty: by the field")
    )
    abort_rule = models.CharField(_("if it is aborted"), max_length=10, choices=AbortRule, default=AbortRule.REFUND)

    seeding = models.CharField(_("seeding"), max_length=10, choices=Seeding, default=Seeding.RATING)
    lot_seed = models.BinaryField(null=True, editable=False, help_text="encrypted with SEED_KEY")
    lot_commitment = models.CharField(max_length=64, blank=True, default="", editable=False)
    ranking = models.JSONField(
        _("ranking keys"), default=list, blank=True, help_text=_("empty: the format's usual list")
    )
    difference_cap = models.PositiveSmallIntegerField(_("cap of the difference per series"), default=5)

    min_field = models.PositiveSmallIntegerField(_("smallest field"), default=2)
    max_field = models.PositiveSmallIntegerField(_("largest field"), default=64)
    time_zone = models.CharField(_("time zone"), max_length=40, default="Europe/Kyiv")
    registration_opens_at = models.DateTimeField(_("registration opens"), null=True, blank=True)
    starts_at = models.DateTimeField(_("starts"))
    automatic = models.BooleanField(
        _("by schedule"), default=True, help_text=_("registration, start and payout happen by themselves")
    )

    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.DRAFT)
    paused_at = models.DateTimeField(_("paused since"), null=True, blank=True)
    note_code = models.CharField(max_length=40, blank=True, default="")
    note = models.CharField(max_length=500, blank=True, default="", help_text="what stops it; for the director")
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    objects: ClassVar[models.Manager[Tournament]] = models.Manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="tournament_money_not_negative",
                condition=Q(entry__gte=0, fee__gte=0, added__gte=0, guarantee__gte=0),
            ),
            models.CheckConstraint(
                name="tournament_currency_known", condition=Q(entry_currency__in=list(money.CURRENCIES))
            ),
            models.CheckConstraint(
                name="tournament_field", condition=Q(min_field__gte=2, max_field__gte=F("min_field"))
            ),
            models.CheckConstraint(name="tournament_target", condition=Q(target__gte=1)),
        ]
        indexes = [models.Index(name="tournament_by_status", fields=["status", "starts_at"])]
        permissions = [("direct", _("May direct tournaments"))]
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")

    def __str__(self) -> str:
        return self.title

    @property
    def currency(self) -> str:
        return str(self.entry_currency)

    def amount(self, value: Decimal) -> Money:
        return money.quantize(Money(value, self.currency))

    @property
    def entry_money(self) -> Money:
        return self.amount(self.entry.amount)

    @property
    def fee_money(self) -> Money:
        return self.amount(self.fee)

    @property
    def price(self) -> Money:
        """What is blocked at registration: entry and fee."""
        return self.entry_money + self.fee_money

    @property
    def is_knockout(self) -> bool:
        return self.format == self.Format.KNOCKOUT

    @property
    def is_swiss(self) -> bool:
        return self.format == self.Format.SWISS

    @property
    def is_round_robin(self) -> bool:
        return self.format in (self.Format.ROUND_ROBIN, self.Format.DOUBLE_ROUND_ROBIN)


class Entrant(models.Model):
    """A person in a tournament. `seed` is their place in the seeding, known when registration has closed."""

    class Status(models.TextChoices):
        REGISTERED = "registered", _("registered")
        LEFT = "left", _("left before the start")
        PLAYING = "playing", _("playing")
        WITHDRAWN = "withdrawn", _("withdrawn")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entrants")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="entries")
    status = models.CharField(max_length=12, choices=Status, default=Status.REGISTERED)
    attempt = models.PositiveSmallIntegerField(default=1, help_text="of registering: each has a hold of its own")
    registered_at = models.DateTimeField(auto_now_add=True)
    client_seed = models.CharField(max_length=CLIENT_SEED_MAX, blank=True, default="")
    rating = models.PositiveIntegerField(null=True, blank=True)
    seed = models.PositiveIntegerField(null=True, blank=True)
    from_round = models.PositiveSmallIntegerField(default=1)
    objects: ClassVar[models.Manager[Entrant]] = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="entrant_once", fields=["tournament", "player"]),
            models.UniqueConstraint(
                name="entrant_seed_once", fields=["tournament", "seed"], condition=Q(seed__isnull=False)
            ),
        ]
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")

    def __str__(self) -> str:
        return str(self.player)

    @property
    def is_late(self) -> bool:
        """Whether they came when it ran already."""
        return self.from_round > 1


class Round(models.Model):
    """A round that has been paired. `record`: what the pairing was asked and what it answered, for audit."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="round_rows")
    number = models.PositiveSmallIntegerField()
    paired_at = models.DateTimeField()
    record = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(name="round_once", fields=["tournament", "number"])]

    def __str__(self) -> str:
        return f"round {self.number}"


class Pairing(models.Model):
    """A series of a round, or a bye (`second` empty). `first` plays White at its table."""

    class Outcome(models.TextChoices):
        OPEN = "", _("open")
        PLAYED = "played", _("played")
        FORFEIT = "forfeit", _("by forfeit")
        DOUBLE_FORFEIT = "double_forfeit", _("both absent")
        BYE = "bye", _("bye")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="pairings")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="pairings")
    number = models.PositiveSmallIntegerField(help_text="of its round, from the top")
    bracket_key = models.CharField(max_length=12, blank=True, default="")
    first = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    table = models.OneToOneField(Table, on_delete=models.PROTECT, null=True, blank=True, related_name="pairing")
    deadline = models.DateTimeField(null=True, blank=True, help_text="by then both have said Ready")
    outcome = models.CharField(max_length=16, choices=Outcome, blank=True, default="")
    winner = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    first_score = models.PositiveSmallIntegerField(default=0)
    second_score = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=200, blank=True, default="")
    decided_at = models.DateTimeField(null=True, blank=True)
    objects: ClassVar[models.Manager[Pairing]] = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="pairing_number_once", fields=["round", "number"]),
            models.UniqueConstraint(
                name="pairing_bracket_once", fields=["tournament", "bracket_key"], condition=~Q(bracket_key="")
            ),
            models.CheckConstraint(
                name="pairing_not_oneself", condition=Q(second__isnull=True) | ~Q(second=F("first"))
            ),
            models.CheckConstraint(
                name="pairing_winner_when_won",
                condition=Q(outcome__in=["played", "forfeit"], winner__isnull=False)
                | Q(outcome__in=["", "double_forfeit", "bye"], winner__isnull=True),
            ),
            models.CheckConstraint(
                name="pairing_bye_alone",
                condition=Q(outcome="bye", second__isnull=True) | (~Q(outcome="bye") & Q(second__isnull=False)),
            ),
        ]
        indexes = [models.Index(name="pairing_open", fields=["tournament"], condition=Q(outcome=""))]

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"

    @property
    def is_open(self) -> bool:
        return self.outcome == self.Outcome.OPEN


class LogEntry(models.Model):
    """One thing that happened to a tournament, by whom and why. Append-only: a trigger refuses change and removal."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="log")
    at = models.DateTimeField(auto_now_add=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    action = models.CharField(max_length=30)
    reason = models.CharField(max_length=300, blank=True, default="")
    details = models.JSONField(default=dict, blank=True)

    class Meta:
        indexes = [models.Index(name="tournament_log", fields=["tournament", "-id"])]

    def __str__(self) -> str:
        return self.action
