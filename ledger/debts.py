"""What a player owes (spent, and then taken back by a reversal or a corrected prize), and how it is paid back."""

from __future__ import annotations

from moneyed import Money

from ledger import accounts, chart, money
from ledger.entering import enter, not_own, said
from ledger.locking import lock_balances, lock_keys, require_transaction
from ledger.posting import Draft, Part
from ledger.values import EntryView


def repay(
    key: str, owner_id: int, amount: Money, actor: int | None, reason: str, from_wallet: bool = False
) -> EntryView:
    """`amount` of a player's debt is paid back: with money that came in, or (`from_wallet`) with what is available.

    When nothing is owed any more, play and withdrawal are open again. Raises OwesLess (more than is owed),
    InsufficientFunds, BadAmount, UnknownCurrency (no play chips come in), OwnMoney, ReasonMissing, KeyConflict.
    """
    require_transaction()
    not_own(owner_id, actor)
    reason = said(reason)
    if not from_wallet:
        money.check_real(amount.currency.code)
    code, paid = amount.currency.code, money.positive(amount).amount
    wallet, debt, cash = (
        accounts.wallet(owner_id, code), accounts.receivable(owner_id, code), accounts.house(chart.CASH, code),
    )  # fmt: skip
    ids = accounts.open_ids([wallet, debt, cash])
    # The wallet is locked even if no money of it moves: whoever holds it decides by whether its owner owes.
    lock_keys([key])
    lock_balances([ids[wallet], ids[debt]])
    source = wallet if from_wallet else cash
    parts = (Part(ids[debt], code, paid), Part(ids[source], code, -paid))
    return enter(Draft(key, chart.REPAYMENT, parts=parts, actor_id=actor, reason=reason))
