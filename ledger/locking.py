"""Locks of the ledger. The order, everywhere and always:

1. rows of the caller (games), `FOR NO KEY UPDATE`, before the ledger is called;
2. the period (shared: posting; exclusive: closing a period), then idempotency keys, sorted by their hash;
3. balances by account id, `FOR NO KEY UPDATE` (a foreign key's `KEY SHARE` does not wait for it);
4. holds by id.

What a decision depends on (balance, status, a hold's state, an existing key's row) is read by a statement that
starts after the lock was got: PostgreSQL's READ COMMITTED gives each statement a snapshot of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection, transaction


@dataclass(slots=True)
class Locked:
    """The state of a locked balance; posting works on it and the lines say the same to the database."""

    account_id: int
    owner_id: int | None
    currency: str
    status: str
    posted: Decimal
    held: Decimal
    version: int
    owes: bool
    debit: bool  # a receivable: counts downwards from zero

    @property
    def available(self) -> Decimal:
        return self.posted - self.held

    def copy(self) -> Locked:
        """To try a draft on. By hand: dataclasses.replace takes several times as long, and a batch makes a thousand."""
        return Locked(
            self.account_id, self.owner_id, self.currency, self.status, self.posted, self.held, self.version, self.owes,
            self.debit,
        )  # fmt: skip


def require_transaction() -> None:
    """Raises TransactionManagementError outside transaction.atomic: locks would end before the work does."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("The ledger writes only inside transaction.atomic().")


def lock_keys(keys: Iterable[str]) -> None:
    """Nobody else works on these keys until this transaction ends, and the period stays open."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_lock_keys(%s::text[])", [sorted(set(keys))])


def lock_balances(accounts: Iterable[int]) -> dict[int, Locked]:
    """Lock and read the balances of those of `accounts` that have one (the house's have none)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM ledger_lock_balances(%s::bigint[])", [sorted(set(accounts))])
        return {row[0]: Locked(*row) for row in cursor.fetchall()}
