"""A row or some rows of a report as a transaction of plain text accounting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True)
class Posting:
    """An account kind (with its owner) and a signed amount, > 0 a credit as everywhere in the ledger."""

    kind: str
    owner: int | None
    amount: Decimal
    currency: str


@dataclass(frozen=True)
class Transaction:
    """`code` is the journal number, `tags` are (name, text)."""

    day: date
    code: str
    description: str
    tags: tuple[tuple[str, str], ...]
    postings: tuple[Posting, ...]
