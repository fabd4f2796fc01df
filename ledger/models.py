"""The ledger's tables. Only `ledger.book` and its helpers write them; the database's triggers (ledger/sql) guard them.

Foreign keys are made in ledger/sql/constraints.sql: immediate and composite (account, currency), which
Django cannot say.
"""

from __future__ import annotations

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

CURRENT_XID = Cast(Cast(models.Func(function="pg_current_xact_id"), models.TextField()), models.BigIntegerField())
CLOCK = models.Func(function="clock_timestamp", output_field=models.DateTimeField())
#: How long an idempotency key may be: that of an entry, hold, resolution or proposal.
KEY_MAX = 200


def amount_field(**options: object) -> models.DecimalField:  # type: ignore[type-arg]
    """An exact amount in the major units of its account's one currency; four decimals hold every currency we know."""
    return models.DecimalField(max_digits=24, decimal_places=4, **options)  # type: ignore[arg-type]


class Account(models.Model):
    """A player's or the house's account of one kind in one currency. Owners are ids only: a person can be erased."""

    class Status(models.TextChoices):
        ACTIVE = "active", _("active")
        FROZEN = "frozen", _("frozen")

    owner_id = models.BigIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=32)
    currency = models.CharField(max_length=3)
    status = models.CharField(max_length=8, choices=Status, default=Status.ACTIVE, db_default=Status.ACTIVE)
    # Of a wallet: its owner's receivable in this currency is not paid back yet. Kept by the trigger ledger_debt_moved.
    owes = models.BooleanField(default=False, db_default=False)
    opened_at = models.DateTimeField(db_default=CLOCK)

    class Meta:
        permissions = [("freeze", _("May freeze and unfreeze accounts"))]
        constraints = [
            models.UniqueConstraint(
                fields=["owner_id", "kind", "currency"], nulls_distinct=False, name="ledger_account_one_per_owner"
            ),
            models.UniqueConstraint(fields=["id", "currency"], name="ledger_account_currency"),
            models.CheckConstraint(condition=models.Q(status__in=["active", "frozen"]), name="ledger_account_status"),
        ]
        indexes = [
            models.Index(fields=["kind", "currency", "id"], name="ledger_account_kind"),
            models.Index(fields=["id"], condition=models.Q(status="frozen"), name="ledger_account_frozen"),
        ]
        verbose_name = _("account")
        verbose_name_plural = _("accounts")

    def __str__(self) -> str:
        return f"{self.kind} {self.owner_id or 'house'} {self.currency}"


class Balance(models.Model):
    """What an account has and what of it is held. Written by triggers alone.

    Never below what is held; a receivable (`debit`) is what a player owes, never above zero, and nothing is held on it.
    """

    account = models.OneToOneField(Account, models.DO_NOTHING, primary_key=True, db_constraint=False)
    posted = amount_field(default=0, db_default=0)
    held = amount_field(default=0, db_default=0)
    version = models.BigIntegerField(default=0, db_default=0)
    debit = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(held__gte=0), name="ledger_balance_held_not_negative"),
            models.CheckConstraint(
                condition=models.Q(debit=False, posted__gte=models.F("held"))
                | models.Q(debit=True, posted__lte=0, held=0),
                name="ledger_balance_covers_held",
            ),
        ]
        verbose_name = _("balance")
        verbose_name_plural = _("balances")

    def __str__(self) -> str:
        return f"{self.posted} ({self.held} held)"


class Entry(models.Model):
    """One fact in the journal; its lines sum to zero. Never changed, never deleted."""

    kind = models.CharField(max_length=32)
    key = models.CharField(max_length=KEY_MAX)
    reference = models.CharField(max_length=100, blank=True)
    actor_id = models.BigIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    details = models.JSONField(default=dict, blank=True)
    reverses = models.ForeignKey(
        "self", models.DO_NOTHING, null=True, blank=True, related_name="reversals", db_constraint=False, db_index=False
    )
    # The transaction's id comes before the clock: the sealer relies on `at` being read after the id was taken.
    xid = models.BigIntegerField(db_default=CURRENT_XID, db_index=True)
    at = models.DateTimeField(db_default=CLOCK)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], name="ledger_entry_key"),
            models.UniqueConstraint(
                fields=["reverses"], condition=models.Q(reverses__isnull=False), name="ledger_entry_reversed_once"
            ),
            models.CheckConstraint(
                condition=models.Q(kind="reversal", reverses__isnull=False)
                | (~models.Q(kind="reversal") & models.Q(reverses__isnull=True)),
                name="ledger_entry_reversal_says_of_what",
            ),
        ]
        indexes = [
            models.Index(fields=["reference"], name="ledger_entry_reference"),
            BrinIndex(fields=["at"], name="ledger_entry_at"),
            # For lists of the rarer kinds; settlements are nearly all there is, and do not pay for it.
            models.Index(fields=["kind", "id"], condition=~models.Q(kind="settlement"), name="ledger_entry_kind"),
        ]
        permissions = [
            ("deposit", _("May record deposits")),
            ("withdraw", _("May ask for withdrawals on a player's behalf")),
            ("adjust", _("May propose adjustments and reversals")),
            ("capital", _("May enter the house's own money and ask for it to be taken out")),
            ("promote", _("May fill the promotion fund and take back from it")),
        ]
        verbose_name = _("entry")
        verbose_name_plural = _("entries")

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Line(models.Model):
    """One account's part of an entry. For accounts with a balance it has the version and balance after it."""

    entry = models.ForeignKey(Entry, models.DO_NOTHING, related_name="lines", db_constraint=False)
    account = models.ForeignKey(Account, models.DO_NOTHING, related_name="lines", db_constraint=False, db_index=False)
    currency = models.CharField(max_length=3)
    amount = amount_field()
    account_version = models.BigIntegerField(null=True)
    balance_after = amount_field(null=True)
    at = models.DateTimeField()  # a copy of the entry's: a balance at any past moment is one look-up in (account, at)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "account_version"], name="ledger_line_account_version"),
            models.CheckConstraint(condition=~models.Q(amount=0), name="ledger_line_amount_not_zero"),
            models.CheckConstraint(
                condition=models.Q(account_version__isnull=True, balance_after__isnull=True)
                | models.Q(account_version__isnull=False, balance_after__isnull=False),
                name="ledger_line_version_with_balance",
            ),
        ]
        indexes = [models.Index(fields=["account", "at"], name="ledger_line_account_at")]
        verbose_name = _("line")
        verbose_name_plural = _("lines")

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"


class Hold(models.Model):
    """Money set aside. Placed once and resolved once: captured (in whole or in part, the rest set free) or released."""

    class Resolution(models.TextChoices):
        CAPTURED = "captured", _("captured")
        RELEASED = "released", _("released")

    key = models.CharField(max_length=KEY_MAX)
    account = models.ForeignKey(Account, models.DO_NOTHING, related_name="holds", db_constraint=False)
    currency = models.CharField(max_length=3)
    amount = amount_field()
    reference = models.CharField(max_length=100, blank=True)
    details = models.JSONField(default=dict, blank=True)
    placed_at = models.DateTimeField(db_default=CLOCK)
    resolution = models.CharField(max_length=8, choices=Resolution, null=True, blank=True)
    captured = amount_field(null=True, blank=True)
    resolved_key = models.CharField(max_length=KEY_MAX, null=True, blank=True)
    resolved_reason = models.CharField(max_length=500, null=True, blank=True)
    resolved_at = models.DateTimeField(null=True, blank=True)
    entry = models.ForeignKey(
        Entry, models.DO_NOTHING, null=True, blank=True, related_name="holds", db_constraint=False, db_index=False
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], name="ledger_hold_key"),
            models.CheckConstraint(condition=models.Q(amount__gt=0), name="ledger_hold_amount_positive"),
            models.CheckConstraint(
                condition=models.Q(
                    resolution__isnull=True,
                    captured__isnull=True,
                    resolved_key__isnull=True,
                    resolved_reason__isnull=True,
                    resolved_at__isnull=True,
                    entry__isnull=True,
                )
                | models.Q(
                    resolution="captured",
                    captured__isnull=False,
                    captured__gt=0,
                    captured__lte=models.F("amount"),
                    resolved_key__isnull=False,
                    resolved_reason__isnull=False,
                    resolved_at__isnull=False,
                    entry__isnull=False,
                )
                | models.Q(
                    resolution="released",
                    captured__isnull=False,
                    captured=0,
                    resolved_key__isnull=False,
                    resolved_reason__isnull=False,
                    resolved_at__isnull=False,
                ),
                name="ledger_hold_resolution_complete",
            ),
        ]
        indexes = [
            models.Index(
                fields=["account"],
                include=["amount"],
                condition=models.Q(resolution__isnull=True),
                name="ledger_hold_open",
            ),
            models.Index(fields=["entry"], condition=models.Q(entry__isnull=False), name="ledger_hold_entry"),
            models.Index(fields=["reference"], name="ledger_hold_reference"),
            BrinIndex(fields=["placed_at"], name="ledger_hold_placed_at"),
        ]
        verbose_name = _("hold")
        verbose_name_plural = _("holds")

    def __str__(self) -> str:
        return f"{self.key} {self.amount} {self.currency}"


class Seal(models.Model):
    """An entry's place in the journal: its gap-free number, and a digest chained to the one before."""

    number = models.BigIntegerField(primary_key=True)
    entry = models.OneToOneField(Entry, models.DO_NOTHING, related_name="seal", db_constraint=False)
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("seal")
        verbose_name_plural = _("seals")

    def __str__(self) -> str:
        return f"№ {self.number}"


class SealHorizon(models.Model):
    """One row: everything written by transactions below `xid` is sealed, and every entry before `sealed_until` too."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    xid = models.BigIntegerField(default=0)
    sealed_until = models.DateTimeField(null=True)
    # What will be sealed for certain once every transaction below `next_xid` has ended: entries before `next_until`.
    next_xid = models.BigIntegerField(null=True)
    next_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="ledger_sealhorizon_one_row")]

    def __str__(self) -> str:
        return f"sealed until {self.sealed_until}"


class HouseTotal(models.Model):
    """Sum of the sealed lines of an account without a balance row. The unsealed tail is added when it is read."""

    account = models.OneToOneField(Account, models.DO_NOTHING, primary_key=True, db_constraint=False)
    total = amount_field()
    number = models.BigIntegerField()

    class Meta:
        verbose_name = _("house total")
        verbose_name_plural = _("house totals")

    def __str__(self) -> str:
        return str(self.total)


class RakeRule(models.Model):
    """The house's share of a win, from a moment on. Append-only; without a rule the rake is nothing."""

    currency = models.CharField(max_length=3)
    percent = models.DecimalField(max_digits=5, decimal_places=2)
    cap = amount_field(null=True, blank=True)
    starts_at = models.DateTimeField()
    actor_id = models.BigIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=500)
    made_at = models.DateTimeField(db_default=CLOCK)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(percent__gte=0, percent__lte=100), name="ledger_rakerule_percent"
            ),
            models.CheckConstraint(
                condition=models.Q(cap__isnull=True) | models.Q(cap__gte=0), name="ledger_rakerule_cap_not_negative"
            ),
        ]
        indexes = [models.Index(fields=["currency", "starts_at"], name="ledger_rakerule_current")]
        verbose_name = _("rake rule")
        verbose_name_plural = _("rake rules")

    def __str__(self) -> str:
        return f"{self.currency} {self.percent} % from {self.starts_at:%Y-%m-%d}"


class AccountEvent(models.Model):
    """An account was frozen or unfrozen, by whom and why. Append-only; a trigger sets the account's status by it."""

    class Event(models.TextChoices):
        FROZEN = "frozen", _("frozen")
        UNFROZEN = "unfrozen", _("unfrozen")

    account = models.ForeignKey(Account, models.DO_NOTHING, related_name="events")
    event = models.CharField(max_length=8, choices=Event)
    actor_id = models.BigIntegerField()
    reason = models.CharField(max_length=500)
    at = models.DateTimeField(db_default=CLOCK)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(event__in=["frozen", "unfrozen"]), name="ledger_accountevent_known"
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="ledger_accountevent_reason"),
        ]
        verbose_name = _("account event")
        verbose_name_plural = _("account events")

    def __str__(self) -> str:
        return f"{self.account_id} {self.event}"


class Proposal(models.Model):
    """A movement of money that one person asks for and a second one decides: the kinds below.

    `amount` is what the player gets (below zero: gives) by an adjustment, what leaves by a withdrawal or of the house's
    capital, what the entry moved for a reversal. Decided once; nothing else of it changes.
    """

    class Kind(models.TextChoices):
        WITHDRAWAL = "withdrawal", _("withdrawal")
        ADJUSTMENT = "adjustment", _("adjustment")
        REVERSAL = "reversal", _("reversal")
        CAPITAL_OUT = "capital_out", _("capital taken out")

    class State(models.TextChoices):
        OPEN = "open", _("waits for a decision")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")
        CANCELLED = "cancelled", _("cancelled")

    kind = models.CharField(max_length=16, choices=Kind)
    key = models.CharField(max_length=KEY_MAX)
    owner_id = models.BigIntegerField(null=True, blank=True)
    currency = models.CharField(max_length=3)
    amount = amount_field()
    reverses = models.ForeignKey(
        Entry, models.DO_NOTHING, null=True, blank=True, related_name="proposals", db_index=False
    )
    reason = models.CharField(max_length=500)
    proposed_by = models.BigIntegerField()
    proposed_at = models.DateTimeField(db_default=CLOCK)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN, db_default=State.OPEN)
    decided_by = models.BigIntegerField(null=True, blank=True)
    decision_reason = models.CharField(max_length=500, blank=True, default="", db_default="")
    decided_at = models.DateTimeField(null=True, blank=True)
    entry = models.OneToOneField(Entry, models.DO_NOTHING, null=True, blank=True, related_name="proposal")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], name="ledger_proposal_key"),
            models.UniqueConstraint(
                fields=["reverses"],
                condition=models.Q(reverses__isnull=False, state__in=["open", "approved"]),
                name="ledger_proposal_one_reversal",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="withdrawal", owner_id__isnull=False, reverses__isnull=True, amount__gt=0)
                | (models.Q(kind="adjustment", owner_id__isnull=False, reverses__isnull=True) & ~models.Q(amount=0))
                | models.Q(kind="reversal", owner_id__isnull=True, reverses__isnull=False, amount__gt=0)
                | models.Q(kind="capital_out", owner_id__isnull=True, reverses__isnull=True, amount__gt=0),
                name="ledger_proposal_fits_kind",
            ),
            models.CheckConstraint(
                condition=models.Q(state="open", decided_by__isnull=True, decided_at__isnull=True, entry__isnull=True)
                | models.Q(
                    state__in=["rejected", "cancelled"],
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                    entry__isnull=True,
                )
                | models.Q(state="approved", decided_by__isnull=False, decided_at__isnull=False, entry__isnull=False),
                name="ledger_proposal_decision_complete",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="approved")
                | (
                    ~models.Q(decided_by=models.F("proposed_by"))
                    & (models.Q(owner_id__isnull=True) | ~models.Q(decided_by=models.F("owner_id")))
                ),
                name="ledger_proposal_second_person",
            ),
        ]
        indexes = [
            models.Index(fields=["owner_id"], name="ledger_proposal_owner"),
            models.Index(fields=["id"], condition=models.Q(state="open"), name="ledger_proposal_open"),
        ]
        permissions = [("decide", _("May approve and reject proposals of others"))]
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Period(models.Model):
    """A closed month: every entry in [starts_at, ends_at) is sealed, and these are its totals and digest for good."""

    month = models.DateField(primary_key=True)  # its first day, in settings.ACCOUNTING_ZONE
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    entries = models.BigIntegerField()
    totals = models.JSONField()
    digest = models.CharField(max_length=64)
    actor_id = models.BigIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=500)
    closed_at = models.DateTimeField(db_default=CLOCK)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ends_at"], name="ledger_period_ends_at")]
        permissions = [("close", _("May close accounting periods"))]
        verbose_name = _("closed period")
        verbose_name_plural = _("closed periods")

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"
