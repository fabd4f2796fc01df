"""What the ledger takes and answers: small immutable values. Amounts are Money with their currency's own decimals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal

from moneyed import Money

from ledger.errors import LedgerError


@dataclass(frozen=True)
class HoldRequest:
    """Set `amount` aside on the owner's wallet. `details` are reporting dimensions (plain JSON)."""

    key: str
    owner_id: int
    amount: Money
    reference: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Settlement:
    """A decided game: the loser's hold gives up `loss`, the winner gets it less `rake`; both holds are resolved."""

    key: str
    reference: str
    winner_hold: str
    loser_hold: str
    loss: Money
    rake: Money
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Release:
    """A draw or a void game: the holds are set free and nothing is posted."""

    key: str
    reference: str
    hold_keys: Sequence[str]
    reason: str


@dataclass(frozen=True)
class PoolEntry:
    """An entry of a tournament. `to_wallet` (of `owner_id`), `to_fees` and `to_fund` are what these accounts gain,
    below zero what they give; the pool of `tournament_id` takes the other side. `kind` is one of chart.POOL_KINDS."""

    key: str
    kind: str
    tournament_id: int
    reference: str
    to_wallet: Money
    to_fees: Money
    to_fund: Money
    owner_id: int | None = None
    hold_key: str | None = None
    actor_id: int | None = None
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The answer to one item of a batch: its entry (None for a release), or the error that kept it from being done."""

    key: str
    entry_id: int | None = None
    error: LedgerError | None = None


@dataclass(frozen=True)
class Wallet:
    owner_id: int
    currency: str
    posted: Money
    held: Money
    status: str = "active"
    owed: Money | None = None  # what its owner has to pay back, None: nothing

    @property
    def may_stake(self) -> bool:
        """Neither frozen nor blocked by a debt."""
        return self.status == "active" and self.owed is None

    @property
    def available(self) -> Money:
        return self.posted - self.held


@dataclass(frozen=True)
class HoldView:
    id: int
    key: str
    owner_id: int
    amount: Money
    reference: str
    details: Mapping[str, Any]
    placed_at: datetime
    state: Literal["open", "captured", "released"]
    captured: Money
    resolved_key: str | None
    resolved_reason: str | None
    resolved_at: datetime | None
    entry_id: int | None


@dataclass(frozen=True)
class ProposalView:
    """A withdrawal, adjustment, reversal or capital to be taken out: one person asked, a second one decided.

    `amount`: what leaves by a withdrawal or of the capital, what the player gets (below zero: gives) by an adjustment,
    what the entry `reverses_id` moved for a reversal, which has no single owner. Capital has no owner either.
    """

    id: int
    kind: Literal["withdrawal", "adjustment", "reversal", "capital_out"]
    key: str
    owner_id: int | None
    amount: Money
    reverses_id: int | None
    reason: str
    proposed_by: int
    proposed_at: datetime
    state: Literal["open", "approved", "rejected", "cancelled"]
    decided_by: int | None
    decision_reason: str
    decided_at: datetime | None
    entry_id: int | None


@dataclass(frozen=True)
class LineView:
    account_id: int
    account_kind: str
    owner_id: int | None
    amount: Money  # > 0 is a credit
    balance_after: Money | None


@dataclass(frozen=True)
class EntryView:
    id: int
    kind: str
    key: str
    reference: str
    actor_id: int | None
    reason: str
    details: Mapping[str, Any]
    at: datetime
    number: int | None  # the journal number, once sealed
    lines: tuple[LineView, ...]


@dataclass(frozen=True)
class StatementRow:
    """One movement of a wallet, with the balance after it. `version` numbers the wallet's movements from 1."""

    version: int
    at: datetime
    kind: str
    reference: str
    reason: str
    details: Mapping[str, Any]
    amount: Money
    balance: Money
    entry_id: int
    number: int | None


@dataclass(frozen=True)
class Statement:
    """A page of a wallet's movements in [start, end), oldest first; opening and closing belong to the whole period.

    `next` is the cursor of the following page, None on the last one.
    """

    owner_id: int
    currency: str
    start: datetime | None
    end: datetime | None
    opening: Money
    closing: Money
    rows: tuple[StatementRow, ...]
    next: int | None


@dataclass(frozen=True)
class HouseBalance:
    """A house account's balance, > 0 a credit: sealed total and unsealed tail together."""

    kind: str
    currency: str
    total: Money


@dataclass(frozen=True)
class Cover:
    """Cash of a currency, and what of it is owed: to players, to tournaments, and out of the promotion fund."""

    currency: str
    cash: Money
    owed: Money

    @property
    def own(self) -> Money:
        """What is the house's own, below zero what it lacks."""
        return self.cash - self.owed


@dataclass(frozen=True)
class CurrentRake:
    """The rake rule in force: `percent` of the win, at most `cap` (None: no cap). Without a rule, 0 %."""

    currency: str
    percent: Decimal
    cap: Money | None
    starts_at: datetime | None


@dataclass(frozen=True)
class PeriodView:
    """A closed month: `totals` are [account kind, currency, opening, debit, credit, closing], exact as text."""

    month: date
    starts_at: datetime
    ends_at: datetime
    entries: int
    totals: Sequence[Sequence[str]]
    digest: str
    actor_id: int | None
    reason: str
    closed_at: datetime
