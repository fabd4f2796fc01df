"""Money of tournaments: what moves between a tournament's pool, wallets, entry fees and the promotion expense.

A pool is an account of its own per tournament and currency, which the database keeps from going below zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from moneyed import Money

from ledger import accounts, chart, money
from ledger.errors import HoldNotFound, LedgerError
from ledger.locking import require_transaction
from ledger.posting import Draft, Part, Take, post
from ledger.queries import hold_views
from ledger.values import HoldView, Outcome, PoolEntry


def post_pool(entries: Sequence[PoolEntry]) -> list[Outcome]:
    """Post a batch of entries between pools, wallets, fees and promotion; answers in order.

    Each entry is posted with what it moves; the pool takes the other side, so an entry always balances. With a hold,
    what leaves the wallet is captured from it. Idempotent by key like all postings; what is refused comes back with
    its error and stops nobody else (InsufficientFunds also for a pool that has not enough).
    """
    require_transaction()
    places = accounts.open_ids(place for entry in entries for place in _places(entry))
    holds = {hold.key: hold for hold in hold_views("h.key = ANY (%s)", [[e.hold_key for e in entries if e.hold_key]])}
    drafts: list[Draft] = []
    refused: dict[int, Outcome] = {}
    for number, entry in enumerate(entries):
        try:
            drafts.append(_draft(entry, places, holds))
        except LedgerError as error:
            refused[number] = Outcome(entry.key, error=error)
    answers = iter(post(drafts))
    return [refused[number] if number in refused else next(answers) for number in range(len(entries))]


def _places(entry: PoolEntry) -> Iterable[accounts.Place]:
    code = entry.to_wallet.currency.code
    yield accounts.pool(entry.tournament_id, code)
    yield accounts.house(chart.ENTRY_FEES, code)
    yield accounts.house(chart.PROMOTION, code)
    if entry.owner_id is not None:
        yield accounts.wallet(entry.owner_id, code)


def _draft(entry: PoolEntry, places: dict[accounts.Place, int], holds: dict[str, HoldView]) -> Draft:
    code = entry.to_wallet.currency.code
    from_pool = entry.to_wallet + entry.to_fees + entry.to_promotion
    amounts: list[tuple[accounts.Place, Money]] = [
        (accounts.house(chart.ENTRY_FEES, code), money.quantize(entry.to_fees)),
        (accounts.house(chart.PROMOTION, code), money.quantize(entry.to_promotion)),
        (accounts.pool(entry.tournament_id, code), money.quantize(-from_pool)),
    ]
    if entry.owner_id is not None:
        amounts.insert(0, (accounts.wallet(entry.owner_id, code), money.quantize(entry.to_wallet)))
    ids = {place: places[place] for place, _ in amounts}
    parts = tuple(Part(ids[place], code, amount.amount) for place, amount in amounts if amount.amount)
    takes: tuple[Take, ...] = ()
    if entry.hold_key:
        if entry.hold_key not in holds:
            raise HoldNotFound(hold=entry.hold_key)
        hold = holds[entry.hold_key]
        takes = (Take(hold.id, parts[0].account_id, -parts[0].amount),)
    return Draft(
        entry.key, entry.kind, entry.reference, parts, takes, entry.actor_id, entry.reason, details=entry.details
    )
