"""Plain text accounting for hledger. There a debit is positive, in the ledger a credit: the sign is turned here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from ledger import chart, money
from ledger.reports.report import Header, Row
from ledger.reports.transaction import Posting, Transaction

ROOTS = {"asset": "assets", "liability": "liabilities", "equity": "equity", "income": "income", "expense": "expenses"}
#: hledger knows equity by its name; declared, it would change what was exported of months without any.
TYPES = {"assets": "A", "liabilities": "L", "income": "R", "expenses": "X"}


def write(header: Header, rows: Iterator[Row], out: BinaryIO) -> None:
    """Comments with the header, declarations (so that `hledger check --strict` accepts the file), transactions."""
    if header.report.hledger is None:
        raise TypeError(f"{header.report.name} has no hledger form")
    lines = [f"; {name}: {text}" for name, text in header.lines()]
    lines += ["", *(f"account {root}  ; type:{letter}" for root, letter in TYPES.items())]
    lines += [f"commodity 1000.{'0' * money.decimals(code)} {code}" for code in money.CURRENCIES]
    out.write("\n".join([*lines, ""]).encode())
    declared: set[str] = set()
    for transaction in header.report.hledger(header, rows):
        for posting in transaction.postings:
            name = account(posting.kind, posting.owner)
            if name not in declared:
                declared.add(name)
                out.write(f"account {name}\n".encode())
        out.write(_text(transaction).encode())


def account(kind: str, owner: int | None) -> str:
    """The hledger account: `liabilities:player wallet:12`, `assets:cash`."""
    known = chart.ACCOUNT_KINDS[kind]
    name = f"{ROOTS[known.nature]}:{known.title.lower()}"
    return name if owner is None else f"{name}:{owner}"


def _text(transaction: Transaction) -> str:
    code = f"({transaction.code}) " if transaction.code else ""
    lines = ["", f"{transaction.day.isoformat()} * {code}{_clean(transaction.description)}".rstrip()]
    lines += [f"    ; {name}:{_clean(text)}" for name, text in transaction.tags if text]
    lines += [_posting(posting) for posting in transaction.postings]
    return "\n".join([*lines, ""])


def _posting(posting: Posting) -> str:
    amount = money.number(-posting.amount, posting.currency)
    return f"    {account(posting.kind, posting.owner)}  {amount} {posting.currency}"


def _clean(text: str) -> str:
    """What hledger would take for syntax becomes a space."""
    return " ".join("".join(" " if c in ";|,()" or not c.isprintable() else c for c in text).split())
