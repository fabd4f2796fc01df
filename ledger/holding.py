"""Placing holds: all or nothing, idempotent by key."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import connection

from ledger import accounts, money
from ledger.arrays import numbers, texts
from ledger.errors import AccountFrozen, AccountOwes, InsufficientFunds, KeyConflict
from ledger.locking import Locked, lock_balances, lock_keys, require_transaction
from ledger.queries import hold_views
from ledger.values import HoldRequest, HoldView


def place_holds(requests: Sequence[HoldRequest], frozen_may: bool = False) -> list[HoldView]:
    """Set money aside on wallets, all of it or (on an error) nothing; answers in the order of the requests.

    `frozen_may`: it is no wager but a withdrawal, which a frozen account may still ask for. A key that was used before
    with the same content answers its hold as it is now, resolved or not. Raises InsufficientFunds, AccountFrozen,
    AccountOwes, KeyConflict (other content), BadAmount, UnknownCurrency.
    """
    require_transaction()
    requests = [_exact(request) for request in requests]
    if len({request.key for request in requests}) < len(requests):
        raise ValueError("two hold requests with one key")
    lock_keys(request.key for request in requests)
    found = {view.key: view for view in hold_views("h.key = ANY (%s)", [[request.key for request in requests]])}
    new = [request for request in requests if not _known(request, found.get(request.key))]
    if new:
        found |= {view.key: view for view in _place(new, frozen_may)}
    return [found[request.key] for request in requests]


def _exact(request: HoldRequest) -> HoldRequest:
    """The request with its amount in the currency's own decimals, mostly itself."""
    amount = money.positive(request.amount)
    return request if str(amount.amount) == str(request.amount.amount) else replace(request, amount=amount)


def _known(request: HoldRequest, hold: HoldView | None) -> bool:
    if hold is None:
        return False
    differences = {
        "owner_id": request.owner_id != hold.owner_id,
        "amount": request.amount != hold.amount,
        "reference": request.reference != hold.reference,
        "details": json.loads(json.dumps(request.details)) != hold.details,
    }
    for name, differs in differences.items():
        if differs:
            raise KeyConflict(key=request.key, field=name)
    return True


def _place(requests: Sequence[HoldRequest], frozen_may: bool) -> list[HoldView]:
    places = [accounts.wallet(request.owner_id, request.amount.currency.code) for request in requests]
    ids = accounts.ids(places)
    balances = lock_balances(ids.values())
    for request, place in zip(requests, places, strict=True):
        _check(request, balances[ids[place]] if place in ids else None, frozen_may)
    return _insert(requests, [ids[place] for place in places])


def _check(request: HoldRequest, balance: Locked | None, frozen_may: bool) -> None:
    """Refuse what is not there; what is, is taken from the locked state, so that the next request sees it gone."""
    code, amount = request.amount.currency.code, request.amount.amount
    if balance is not None and balance.status == "frozen" and not frozen_may:
        raise AccountFrozen(owner_id=request.owner_id, currency=code)
    if balance is not None and balance.owes:
        raise AccountOwes(owner_id=request.owner_id, currency=code)
    if balance is None or amount > balance.available:
        available = money.money(balance.available if balance else 0, code)
        raise InsufficientFunds(owner_id=request.owner_id, needed=request.amount, available=available)
    balance.held += amount


def _insert(requests: Sequence[HoldRequest], account_ids: Sequence[int]) -> list[HoldView]:
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_hold (key, account_id, currency, amount, reference, details)
               SELECT key, account_id, currency, amount, reference, details::jsonb
                 FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::numeric[], %s::text[], %s::text[])
                      AS h (key, account_id, currency, amount, reference, details)
               RETURNING key, id, placed_at""",
            [
                texts(one.key for one in requests), numbers(account_ids),
                texts(one.amount.currency.code for one in requests), numbers(one.amount.amount for one in requests),
                texts(one.reference for one in requests), texts(json.dumps(one.details) for one in requests),
            ],
        )  # fmt: skip
        made = {key: (hold_id, placed_at) for key, hold_id, placed_at in cursor.fetchall()}
    return [_placed(request, *made[request.key]) for request in requests]


def _placed(request: HoldRequest, hold_id: int, placed_at: datetime) -> HoldView:
    return HoldView(
        hold_id, request.key, request.owner_id, request.amount, request.reference, request.details, placed_at, "open",
        money.nothing(request.amount.currency.code), None, None, None, None,
    )  # fmt: skip
