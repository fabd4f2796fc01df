"""Placing holds: all or nothing, idempotent by key."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.db import connection

from ledger import accounts, money
from ledger.errors import AccountFrozen, InsufficientFunds, KeyConflict
from ledger.locking import lock_balances, lock_keys, require_transaction
from ledger.queries import hold_views
from ledger.values import HoldRequest, HoldView


def place_holds(requests: Sequence[HoldRequest]) -> list[HoldView]:
    """Set money aside on wallets, all of it or (on an error) nothing; answers in the order of the requests.

    A key that was used before with the same content answers its hold as it is now, resolved or not. Raises
    InsufficientFunds, AccountFrozen, KeyConflict (other content), BadAmount, UnknownCurrency.
    """
    require_transaction()
    requests = [_checked(request) for request in requests]
    if len({request.key for request in requests}) < len(requests):
        raise ValueError("two hold requests with one key")
    lock_keys(request.key for request in requests)
    found = {view.key: view for view in hold_views("h.key = ANY (%s)", [[request.key for request in requests]])}
    new = [request for request in requests if not _known(request, found.get(request.key))]
    if new:
        found |= {view.key: view for view in _place(new)}
    return [found[request.key] for request in requests]


def _checked(request: HoldRequest) -> HoldRequest:
    exact = money.positive(request.amount)
    return HoldRequest(request.key, request.owner_id, exact, request.reference, json.loads(json.dumps(request.details)))


def _known(request: HoldRequest, hold: HoldView | None) -> bool:
    if hold is None:
        return False
    for name in ("owner_id", "amount", "reference", "details"):
        if getattr(request, name) != getattr(hold, name):
            raise KeyConflict(key=request.key, field=name)
    return True


def _place(requests: Sequence[HoldRequest]) -> list[HoldView]:
    places = [accounts.wallet(request.owner_id, request.amount.currency.code) for request in requests]
    ids = accounts.ids(places)
    balances = lock_balances(ids.values())
    for request, place in zip(requests, places, strict=True):
        code = request.amount.currency.code
        balance = balances[ids[place]] if place in ids else None
        if balance is not None and balance.status == "frozen":
            raise AccountFrozen(owner_id=request.owner_id, currency=code)
        available = money.money(balance.available if balance else 0, code)
        if balance is None or request.amount > available:
            raise InsufficientFunds(owner_id=request.owner_id, needed=request.amount, available=available)
        balance.held += request.amount.amount
    _insert(requests, [ids[place] for place in places])
    return hold_views("h.key = ANY (%s)", [[request.key for request in requests]])


def _insert(requests: Sequence[HoldRequest], account_ids: Sequence[int]) -> None:
    rows = [
        {"key": request.key, "account_id": account_id, "currency": request.amount.currency.code,
         "amount": str(request.amount.amount), "reference": request.reference, "details": request.details}
        for request, account_id in zip(requests, account_ids, strict=True)
    ]  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_hold (key, account_id, currency, amount, reference, details)
               SELECT * FROM jsonb_to_recordset(%s) AS h (key text, account_id bigint, currency text, amount numeric,
                                                          reference text, details jsonb)""",
            [json.dumps(rows)],
        )
