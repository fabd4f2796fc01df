"""Freezing a wallet and setting it free again: an operator's event with a reason; a trigger sets the status by it."""

from __future__ import annotations

from django.db import connection

from ledger import accounts
from ledger.entering import not_own, said
from ledger.locking import lock_balances, require_transaction


def freeze(owner_id: int, currency: str, actor: int, reason: str) -> bool:
    """Nothing more is staked from this wallet; games that run are settled, and what is available can be withdrawn.

    False when it was frozen already (nothing changes then). A wallet that does not exist yet is opened. Raises
    UnknownCurrency, ReasonMissing.
    """
    return _set("frozen", owner_id, currency, actor, reason)


def unfreeze(owner_id: int, currency: str, actor: int, reason: str) -> bool:
    """The wallet can be used again; False when it was not frozen. Raises UnknownCurrency, OwnMoney, ReasonMissing."""
    not_own(owner_id, actor)
    return _set("unfrozen", owner_id, currency, actor, reason)


def _set(event: str, owner_id: int, currency: str, actor: int, reason: str) -> bool:
    require_transaction()
    reason = said(reason)
    place = accounts.wallet(owner_id, currency)
    account_id = accounts.open_ids([place])[place]
    state = lock_balances([account_id])[account_id]
    if (state.status == "frozen") == (event == "frozen"):
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_accountevent (account_id, event, actor_id, reason) VALUES (%s, %s, %s, %s)",
            [account_id, event, actor, reason],
        )
    return True
