"""Settling games in batches: requests by hold keys become drafts for the posting primitive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection
from django.utils.translation import gettext as _
from moneyed import Money

from ledger import accounts, chart, money
from ledger.errors import BadSettlement, HoldNotFound, LedgerError
from ledger.locking import require_transaction
from ledger.posting import Draft, Part, Take, post
from ledger.values import Outcome, Release, Settlement


@dataclass(frozen=True)
class HeldPlace:
    """What of a hold never changes and so may be read before any lock."""

    id: int
    account_id: int
    currency: str


def settle(requests: Sequence[Settlement | Release]) -> list[Outcome]:
    """Settle and release a batch in one set-based posting; answers in order.

    A settlement is one entry: loser −loss, winner +(loss − rake), rake +rake, and both holds resolved. A release
    resolves its holds and posts nothing. A request that cannot be done comes back with its error and stops nobody
    else; the same key again answers as the first time, or with KeyConflict when its content differs.
    """
    require_transaction()
    holds = _places(requests)
    rakes = _rake_accounts(requests)
    drafts: list[Draft] = []
    refused: dict[int, Outcome] = {}
    for place, request in enumerate(requests):
        try:
            drafts.append(
                _release(request, holds) if isinstance(request, Release) else _settlement(request, holds, rakes)
            )
        except LedgerError as error:
            refused[place] = Outcome(request.key, error=error)
    answers = iter(post(drafts))
    return [refused[place] if place in refused else next(answers) for place in range(len(requests))]


def _keys(request: Settlement | Release) -> list[str]:
    return list(request.hold_keys) if isinstance(request, Release) else [request.winner_hold, request.loser_hold]


def _places(requests: Sequence[Settlement | Release]) -> dict[str, HeldPlace]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT key, id, account_id, currency FROM ledger_hold WHERE key = ANY (%s)",
            [[key for request in requests for key in _keys(request)]],
        )
        return {
            key: HeldPlace(hold_id, account_id, currency) for key, hold_id, account_id, currency in cursor.fetchall()
        }


def _rake_accounts(requests: Sequence[Settlement | Release]) -> dict[str, int]:
    currencies = {
        request.rake.currency.code
        for request in requests
        if isinstance(request, Settlement) and request.rake.amount and request.rake.currency.code in money.CURRENCIES
    }
    if not currencies:
        return {}
    found = accounts.ids(accounts.house(chart.RAKE, currency) for currency in currencies)
    return {currency: account for (_owner, _kind, currency), account in found.items()}


def _find(key: str, holds: dict[str, HeldPlace]) -> HeldPlace:
    if key not in holds:
        raise HoldNotFound(hold=key)
    return holds[key]


def _release(request: Release, holds: dict[str, HeldPlace]) -> Draft:
    found = [_find(key, holds) for key in dict.fromkeys(request.hold_keys)]
    if not found:
        raise BadSettlement(key=request.key, reason=_("it names no holds."))
    takes = tuple(Take(hold.id, hold.account_id) for hold in found)
    return Draft(request.key, "release", request.reference, takes=takes, reason=request.reason)


def _settlement(request: Settlement, holds: dict[str, HeldPlace], rakes: dict[str, int]) -> Draft:
    winner, loser = _find(request.winner_hold, holds), _find(request.loser_hold, holds)
    loss = money.positive(request.loss)
    rake = money.quantize(request.rake)
    _check_sense(request, winner, loser, loss, rake)
    code, won = loss.currency.code, loss.amount - rake.amount
    parts = [Part(loser.account_id, code, -loss.amount)]
    if won:
        parts.append(Part(winner.account_id, code, won))
    if rake.amount:
        parts.append(Part(rakes[code], code, rake.amount))
    takes = (Take(loser.id, loser.account_id, loss.amount), Take(winner.id, winner.account_id, Decimal(0)))
    return Draft(request.key, chart.SETTLEMENT, request.reference, tuple(parts), takes, details=request.details)


def _check_sense(request: Settlement, winner: HeldPlace, loser: HeldPlace, loss: Money, rake: Money) -> None:
    if winner.account_id == loser.account_id:
        reason = _("winner and loser are the same account.")
    elif {winner.currency, loser.currency, rake.currency.code} != {loss.currency.code}:
        reason = _("loss, rake and both holds must be in one currency.")
    elif not 0 <= rake.amount <= loss.amount:
        reason = _("the rake must be between nothing and the loss.")
    else:
        return
    raise BadSettlement(key=request.key, reason=reason)
