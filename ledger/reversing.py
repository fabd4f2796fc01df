"""The lines of a reversal. What it cannot take from a player's wallet, because it is spent, he owes from then on."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from django.utils.translation import gettext as _

from ledger import accounts, chart
from ledger.errors import NotReversible
from ledger.locking import lock_balances
from ledger.posting import Part
from ledger.values import EntryView, LineView


def check_reversible(entry: EntryView) -> None:
    """Raises NotReversible for kinds that are undone otherwise, and says how (tournaments correct themselves)."""
    kind = chart.ENTRY_KINDS[entry.kind]
    if not kind.reversible:
        why = _("an entry of the kind “%(kind)s” is not undone this way; instead, %(instead)s")
        raise NotReversible(entry=entry.id, reason=why % {"kind": kind.name, "instead": kind.instead})


def mirrored(entry: EntryView) -> tuple[Part, ...]:
    """The lines that take back what `entry` did, under locks on all balances concerned, with the debts that arise."""
    code = entry.lines[0].amount.currency.code
    debts = {
        line.owner_id: accounts.receivable(line.owner_id, code) for line in entry.lines if line.owner_id is not None
    }
    ids = accounts.open_ids(debts.values())
    wallets = _wallets_of(debts.keys(), code)  # locked even where no money of them moves: their owners may come to owe
    locked = lock_balances([*wallets.values(), *ids.values(), *(line.account_id for line in entry.lines)])
    parts: list[Part] = []
    for line in entry.lines:
        back = -line.amount.amount
        lacking = Decimal(0)
        if line.account_kind == chart.WALLET and back < 0:
            lacking = max(Decimal(0), -back - locked[line.account_id].available)
        if back + lacking:
            parts.append(Part(line.account_id, code, back + lacking))
        if lacking:
            parts.append(Part(ids[debts[line.owner_id or 0]], code, -lacking))
    return tuple(parts)


def _wallets_of(owners: Iterable[int], code: str) -> dict[int | None, int]:
    places = [accounts.wallet(owner, code) for owner in owners]
    return {owner: account for (owner, _kind, _code), account in accounts.open_ids(places).items()}


def parties(lines: tuple[LineView, ...]) -> set[int]:
    """The people whose money the lines move."""
    return {line.owner_id for line in lines if line.owner_id is not None}
