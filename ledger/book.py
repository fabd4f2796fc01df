"""The ledger's one public face. Nothing else writes its tables.

Every writing call runs inside transaction.atomic (it raises otherwise) and is idempotent by key: the same key with
the same content answers as the first time, with other content it raises KeyConflict. Owners and actors are ids of
people; money is moneyed.Money in the currency's own decimals.
"""

from __future__ import annotations

from moneyed import Money

from ledger import accounts, chart, money
from ledger.chips import top_up as top_up_play_chips
from ledger.debts import repay
from ledger.entering import enter, not_own, said
from ledger.errors import UnknownCurrency
from ledger.freezing import freeze, unfreeze
from ledger.holding import place_holds
from ledger.house import cover, covers, fund_promotion, pay_in_capital, promotion_fund
from ledger.periods import close as close_period
from ledger.pools import post_pool
from ledger.posting import Draft, Part
from ledger.proposals import (
    approve,
    cancel,
    proposal,
    propose_adjustment,
    propose_capital_out,
    propose_reversal,
    reject,
    request_withdrawal,
    withdrawals,
)
from ledger.queries import (
    balance_at,
    current_rake,
    entries_for,
    entry,
    entry_by_key,
    hold,
    holds,
    holds_for,
    house_balance_at,
    house_balances,
    pool,
    rake_history,
    statement,
    wallet,
    wallets,
)
from ledger.rakes import set_rake
from ledger.settling import settle
from ledger.values import (
    Cover,
    CurrentRake,
    EntryView,
    HoldRequest,
    HoldView,
    HouseBalance,
    Outcome,
    PoolEntry,
    ProposalView,
    Release,
    Settlement,
    Statement,
    StatementRow,
    Wallet,
)

__all__ = [
    "Cover",
    "CurrentRake",
    "EntryView",
    "HoldRequest",
    "HoldView",
    "HouseBalance",
    "Outcome",
    "PoolEntry",
    "ProposalView",
    "Release",
    "Settlement",
    "Statement",
    "StatementRow",
    "Wallet",
    "approve",
    "balance_at",
    "cancel",
    "close_period",
    "cover",
    "covers",
    "current_rake",
    "deposit",
    "entries_for",
    "entry",
    "entry_by_key",
    "freeze",
    "fund_promotion",
    "grant_play_chips",
    "hold",
    "holds",
    "holds_for",
    "house_balance_at",
    "house_balances",
    "pay_in_capital",
    "place_holds",
    "pool",
    "post_pool",
    "promotion_fund",
    "proposal",
    "propose_adjustment",
    "propose_capital_out",
    "propose_reversal",
    "rake_history",
    "reject",
    "repay",
    "request_withdrawal",
    "set_rake",
    "settle",
    "statement",
    "top_up_play_chips",
    "unfreeze",
    "wallet",
    "wallets",
    "withdrawals",
]


def deposit(key: str, owner_id: int, amount: Money, actor: int | None, reason: str) -> EntryView:
    """Money came in: cash and the player's wallet grow by `amount`. `actor` is the operator's id, None for the system.

    Raises BadAmount, UnknownCurrency (play chips are granted, not deposited), OwnMoney (the actor's own wallet),
    ReasonMissing, KeyConflict.
    """
    money.check_real(amount.currency.code)
    not_own(owner_id, actor)
    return _between(chart.DEPOSIT, key, owner_id, chart.CASH, money.positive(amount), actor, reason)


def grant_play_chips(key: str, owner_id: int, amount: Money, actor: int | None, reason: str) -> EntryView:
    """Give a player play chips. Raises BadAmount, UnknownCurrency (any other), ReasonMissing, KeyConflict."""
    if amount.currency.code != money.PLAY_CHIPS:
        raise UnknownCurrency(currency=amount.currency.code, known=money.PLAY_CHIPS)
    return _between(
        chart.PLAY_CHIPS_GRANT, key, owner_id, chart.PLAY_CHIPS_ISSUED, money.positive(amount), actor, reason
    )


def _between(
    kind: str, key: str, owner_id: int, house_kind: str, to_wallet: Money, actor: int | None, reason: str
) -> EntryView:
    """Post one entry between a player's wallet (+) and a house account (−)."""
    reason = said(reason)
    code, amount = to_wallet.currency.code, to_wallet.amount
    wallet_place, house_place = accounts.wallet(owner_id, code), accounts.house(house_kind, code)
    ids = accounts.open_ids([wallet_place, house_place])
    parts = (Part(ids[wallet_place], code, amount), Part(ids[house_place], code, -amount))
    return enter(Draft(key, kind, parts=parts, actor_id=actor, reason=reason))
