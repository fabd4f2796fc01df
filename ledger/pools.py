"""Money of tournaments: what moves between a tournament's pool, wallets, entry fees and the promotion fund.

A pool is an account of its own per tournament and currency, which the database keeps from going below zero, as it does
the fund.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from moneyed import Money

from ledger import accounts, chart, money
from ledger.errors import HoldNotFound, LedgerError
from ledger.locking import lock_balances, lock_keys, require_transaction
from ledger.posting import Draft, Part, Take, post
from ledger.queries import entries_for, hold_views
from ledger.values import EntryView, HoldView, Outcome, PoolEntry


def post_pool(entries: Sequence[PoolEntry]) -> list[Outcome]:
    """Post a batch of entries between pools, wallets, fees and the promotion fund; answers in order.

    Each entry is posted with what it moves; the pool takes the other side, so an entry always balances. With a hold,
    what leaves the wallet is captured from it. What a correction cannot take from a wallet, because it is spent, its
    owner owes from then on; what a later one gives makes that debt less first. Idempotent by key like all postings;
    what is refused comes back with its error and stops nobody else (InsufficientFunds also for a pool or fund that has
    not enough).
    """
    require_transaction()
    places = accounts.open_ids(place for entry in entries for place in _places(entry))
    holds = {hold.key: hold for hold in hold_views("h.key = ANY (%s)", [[e.hold_key for e in entries if e.hold_key]])}
    debts = _debts(entries, places)
    drafts: list[Draft] = []
    refused: dict[int, Outcome] = {}
    for number, entry in enumerate(entries):
        try:
            drafts.append(_draft(entry, places, holds, debts))
        except LedgerError as error:
            refused[number] = Outcome(entry.key, error=error)
    answers = iter(post(drafts))
    return [refused[number] if number in refused else next(answers) for number in range(len(entries))]


def _places(entry: PoolEntry) -> Iterable[accounts.Place]:
    """Where the entry may have lines; not the fund, which many wait for, unless it moves."""
    code = entry.to_wallet.currency.code
    yield accounts.pool(entry.tournament_id, code)
    if entry.to_fees.amount:
        yield accounts.house(chart.ENTRY_FEES, code)
    if entry.to_fund.amount:
        yield accounts.house(chart.PROMOTION_FUND, code)
    if entry.owner_id is not None:
        yield accounts.wallet(entry.owner_id, code)
        if entry.kind == chart.TOURNAMENT_CORRECTION:
            yield accounts.receivable(entry.owner_id, code)


def _debts(entries: Sequence[PoolEntry], places: Mapping[accounts.Place, int]) -> dict[str, Decimal]:
    """By the key of each correction what its owner's receivable moves by, under the locks of all balances concerned.

    Below zero: what is to be taken back and is not available in the wallet. Above: what the same tournament's earlier
    corrections left owed, as far as it is still owed and this one gives. For a key that was posted before, what it was
    then: the same call gets the same answer.
    """
    corrections = [(one, one.owner_id) for one in entries if one.owner_id and one.kind == chart.TOURNAMENT_CORRECTION]
    if not corrections:
        return {}
    lock_keys(entry.key for entry in entries)
    locked = lock_balances(places[place] for entry in entries for place in _places(entry))
    earlier = {reference: entries_for(reference) for reference in {entry.reference for entry, _ in corrections}}
    free = {account: balance.available for account, balance in locked.items()}
    debts: dict[str, Decimal] = {}
    for entry, owner in corrections:
        code, given = entry.to_wallet.currency.code, entry.to_wallet.amount
        wallet, debt = places[accounts.wallet(owner, code)], places[accounts.receivable(owner, code)]
        done = [one for one in earlier[entry.reference] if one.key == entry.key]
        if done:
            debts[entry.key] = _owed_through(done, owner)
            continue
        if given < 0:
            debts[entry.key] = min(Decimal(0), free[wallet] + given)
        else:
            left = min(-_owed_through(earlier[entry.reference], owner), -free[debt])
            debts[entry.key] = max(Decimal(0), min(given, left))
        free[debt] += debts[entry.key]
        free[wallet] += given - debts[entry.key]
    return debts


def _owed_through(entries: Iterable[EntryView], owner: int) -> Decimal:
    """What the receivable of `owner` moved by through these entries."""
    lines = [line for entry in entries for line in entry.lines if line.account_kind == chart.RECEIVABLE]
    return sum((line.amount.amount for line in lines if line.owner_id == owner), Decimal(0))


def _draft(
    entry: PoolEntry,
    places: Mapping[accounts.Place, int],
    holds: Mapping[str, HoldView],
    debts: Mapping[str, Decimal],
) -> Draft:
    code = entry.to_wallet.currency.code
    from_pool = entry.to_wallet + entry.to_fees + entry.to_fund
    amounts: list[tuple[accounts.Place, Money]] = [
        (accounts.house(chart.ENTRY_FEES, code), money.quantize(entry.to_fees)),
        (accounts.house(chart.PROMOTION_FUND, code), money.quantize(entry.to_fund)),
        (accounts.pool(entry.tournament_id, code), money.quantize(-from_pool)),
    ]
    if entry.owner_id is not None:
        debt = Money(debts.get(entry.key, Decimal(0)), code)
        if debt.amount:
            amounts.insert(0, (accounts.receivable(entry.owner_id, code), money.quantize(debt)))
        amounts.insert(0, (accounts.wallet(entry.owner_id, code), money.quantize(entry.to_wallet - debt)))
    parts = tuple(Part(places[place], code, amount.amount) for place, amount in amounts if amount.amount)
    takes: tuple[Take, ...] = ()
    if entry.hold_key:
        if entry.hold_key not in holds:
            raise HoldNotFound(hold=entry.hold_key)
        hold = holds[entry.hold_key]
        takes = (Take(hold.id, parts[0].account_id, -parts[0].amount),)
    return Draft(
        entry.key, entry.kind, entry.reference, parts, takes, entry.actor_id, entry.reason, details=entry.details
    )
