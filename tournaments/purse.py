"""A tournament's money, all of it through ledger.book (docs/tournaments.md, "Money").

Keys are tournament + entrant + purpose: whatever happens twice is posted once. All functions run in the caller's
transaction, with the tournament locked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from moneyed import Money

from ledger import book, chart, money
from ledger.display import money_text
from ledger.errors import InsufficientFunds
from tournaments.core import prizes
from tournaments.core.prizes import Payout
from tournaments.errors import CannotStart, FundTooSmall, NotEnoughForEntry
from tournaments.models import Entrant, Tournament
from tournaments.state import State


def reference(tournament_id: int) -> str:
    """How the ledger names a tournament."""
    return f"tournament:{tournament_id}"


def hold_key(entrant: Entrant) -> str:
    return f"tournament:{entrant.tournament_id}:entrant:{entrant.pk}:hold:{entrant.attempt}"


def hold(tournament: Tournament, entrant: Entrant) -> None:
    """Block entry and fee. Raises NotEnoughForEntry, or the ledger's AccountFrozen."""
    if not tournament.price.amount:
        return
    details = {"tournament": tournament.pk, "title": tournament.title}
    request = book.HoldRequest(
        hold_key(entrant), entrant.player_id, tournament.price, reference(tournament.pk), details
    )
    try:
        book.place_holds([request])
    except InsufficientFunds as error:
        raise NotEnoughForEntry(needed=error.params["needed"], available=error.params["available"]) from error


def release(tournament: Tournament, entrants: Iterable[Entrant], reason: str) -> None:
    """Set free what these entrants have blocked. Nothing was taken, so no entry is written."""
    if not tournament.price.amount:
        return
    requests = [
        book.Release(f"{hold_key(one)}:release", reference(tournament.pk), [hold_key(one)], reason) for one in entrants
    ]
    _done(book.settle(requests))


def collect(tournament: Tournament, entrants: Sequence[Entrant]) -> None:
    """Take entries and fees at the start: one entry per entrant, in one batch. Raises LedgerError: nothing is taken."""
    if not tournament.price.amount:
        return
    entries = [
        _entry(
            tournament, chart.TOURNAMENT_ENTRY, _key(tournament, one, "entry"), one,
            to_wallet=-tournament.price, to_fees=tournament.fee_money, hold_key=hold_key(one),
        )
        for one in entrants
    ]  # fmt: skip
    _done(book.post_pool(entries))


def pool_for(tournament: Tournament, field: int) -> Money:
    """What is to be won with so many entrants: entries and added money, at least what is guaranteed."""
    gathered = tournament.entry_money * field + tournament.amount(tournament.added)
    return money.quantize(max(gathered, tournament.amount(tournament.guarantee)))


def overlay_for(tournament: Tournament, field: int) -> Money:
    """What of the pool the site adds."""
    return pool_for(tournament, field) - tournament.entry_money * field


def promised(tournament: Tournament) -> Money:
    """The most that the site may have to add: no tournament starts with fewer than its smallest field."""
    return overlay_for(tournament, tournament.min_field)


def keep_promise(tournament: Tournament) -> None:
    """What the site promises goes from the promotion fund into the pool. Raises FundTooSmall: then nothing moves."""
    needed = promised(tournament)
    if needed.amount:
        try:
            _draw(tournament, needed)
        except InsufficientFunds as error:
            raise FundTooSmall(needed=needed, available=error.params["available"]) from error


def settle_promise(tournament: Tournament, field: int) -> None:
    """At the start, with all entries in the pool: what of the promise they made needless goes back to the fund.

    A tournament that was announced before there was a promotion fund draws from it now. Raises CannotStart.
    """
    over = pool(tournament) - pool_for(tournament, field)
    if over.amount > 0:
        _give_back(tournament, "rest", over, "the entries bring it")
    elif over.amount < 0:
        try:
            _draw(tournament, -over)
        except InsufficientFunds as error:
            sums = {"needed": money_text(-over), "available": money_text(error.params["available"])}
            reason = _("%(needed)s of the promotion fund are promised, and it has %(available)s. Have it filled.")
            raise CannotStart(reason=reason % sums) from error


def give_back_promise(tournament: Tournament, reason: str) -> None:
    """Cancelled: what the pool still has goes back to the promotion fund."""
    left = pool(tournament)
    if left.amount:
        _give_back(tournament, "back", left, reason)


def _draw(tournament: Tournament, amount: Money) -> None:
    key = f"{reference(tournament.pk)}:overlay"
    _done(book.post_pool([_entry(tournament, chart.TOURNAMENT_OVERLAY, key, to_fund=-amount)]))


def _give_back(tournament: Tournament, purpose: str, amount: Money, reason: str) -> None:
    key = f"{reference(tournament.pk)}:overlay:{purpose}"
    _done(book.post_pool([_entry(tournament, chart.TOURNAMENT_REFUND, key, to_fund=amount, reason=reason)]))


def pool(tournament: Tournament) -> Money:
    """What the pool has now."""
    return book.pool(tournament.pk, tournament.currency)


def shares(state: State, amount: Money) -> tuple[Payout, ...]:
    """The prizes of the present places out of `amount`, in minor units. Nobody is listed with nothing."""
    units = int(amount.amount / money.unit(amount.currency.code))
    return prizes.share(units, state.weights, state.groups) if units else ()


def in_money(tournament: Tournament, units: int) -> Money:
    """Minor units of the tournament's currency as money."""
    return tournament.amount(Decimal(units) * money.unit(tournament.currency))


def pay(state: State) -> list[Payout]:
    """Pay the pool out to exactly nothing, one entry per entrant. Again: the ledger answers as the first time."""
    tournament = state.tournament
    payouts = list(shares(state, pool(tournament)))
    entries = [
        _entry(
            tournament, chart.TOURNAMENT_PRIZE, _key(tournament, state.entrants[one.entrant], "prize"),
            state.entrants[one.entrant], to_wallet=in_money(tournament, one.amount), place=_place(one),
        )
        for one in payouts
    ]  # fmt: skip
    _done(book.post_pool(entries))
    return payouts


def paid_out(tournament: Tournament) -> dict[int, Money]:
    """What each player has had from the pool so far, by the player's id.

    Corrections are included, also what they could only write down as owed.
    """
    nothing = tournament.amount(Decimal(0))
    had: dict[int, Money] = {}
    for entry in book.entries_for(reference(tournament.pk)):
        if entry.kind in (chart.TOURNAMENT_PRIZE, chart.TOURNAMENT_CORRECTION):
            for line in entry.lines:
                if line.account_kind in (chart.WALLET, chart.RECEIVABLE) and line.owner_id is not None:
                    had[line.owner_id] = had.get(line.owner_id, nothing) + line.amount
    return had


def correct(state: State, actor: Any, reason: str) -> dict[int, Money]:
    """After the payout: compensating entries, so that all have what the corrected places give. Returns the differences.

    Who got too much gives it back first; what of it they no longer have, they owe to the house from then on, and the
    others get theirs at once.
    """
    tournament = state.tournament
    had, nothing = paid_out(tournament), tournament.amount(Decimal(0))
    whole = sum(had.values(), nothing)
    due = {state.entrants[one.entrant].player_id: one for one in shares(state, whole)}
    wanted = {player: in_money(tournament, one.amount) for player, one in due.items()}
    differences = {p: wanted.get(p, nothing) - had.get(p, nothing) for p in {*wanted, *had}}
    changes = sorted(((p, d) for p, d in differences.items() if d.amount), key=lambda change: change[1].amount)
    by_player = {entrant.player_id: entrant for entrant in state.entrants.values()}
    done = sum(e.kind == chart.TOURNAMENT_CORRECTION for e in book.entries_for(reference(tournament.pk)))
    entries = [
        _entry(
            tournament, chart.TOURNAMENT_CORRECTION, _key(tournament, by_player[player], f"correction:{number}"),
            by_player[player], to_wallet=amount, actor_id=getattr(actor, "pk", None), reason=reason,
        )
        for number, (player, amount) in enumerate(changes, start=done + 1)
    ]  # fmt: skip
    _done(book.post_pool(entries))  # one call, in this order: the pool has what is taken before it gives
    return dict(changes)


def refund(tournament: Tournament, entrants: Sequence[Entrant], reason: str) -> None:
    """An aborted tournament: entry and fee go back to everybody, and the added money to the promotion fund."""
    entries = [
        _entry(
            tournament, chart.TOURNAMENT_REFUND, _key(tournament, one, "refund"), one, to_wallet=tournament.price,
            to_fees=-tournament.fee_money, reason=reason,
        )
        for one in entrants
        if tournament.price.amount
    ]  # fmt: skip
    _done(book.post_pool(entries))
    give_back_promise(tournament, reason)


def _key(tournament: Tournament, entrant: Entrant, purpose: str) -> str:
    return f"tournament:{tournament.pk}:entrant:{entrant.pk}:{purpose}"


def _entry(tournament: Tournament, kind: str, key: str, entrant: Entrant | None = None, **given: Any) -> book.PoolEntry:
    nothing = tournament.amount(Decimal(0))
    amounts = {name: given.pop(name, nothing) for name in ("to_wallet", "to_fees", "to_fund")}
    details: dict[str, Any] = {"tournament": tournament.pk, "title": tournament.title}
    if "place" in given:
        details["place"] = given.pop("place")
    return book.PoolEntry(
        key, kind, tournament.pk, reference(tournament.pk), **amounts,
        owner_id=entrant.player_id if entrant else None, details=details, **given,
    )  # fmt: skip


def _place(payout: Payout) -> str:
    return (
        str(payout.first_place)
        if payout.first_place == payout.last_place
        else (f"{payout.first_place}–{payout.last_place}")
    )


def _done(outcomes: Sequence[book.Outcome]) -> None:
    """Money moves for all or for nobody."""
    for outcome in outcomes:
        if outcome.error is not None:
            raise outcome.error
