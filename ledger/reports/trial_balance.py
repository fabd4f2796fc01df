"""The trial balance: opening balance, turnover and closing balance of each kind of account and currency."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from ledger import chart
from ledger.reports.report import Column, Header, Report, Row
from ledger.reports.transaction import Posting, Transaction

COLUMNS = (
    Column("currency", "Currency"),
    Column("code", "Account code", "integer"),
    Column("account", "Account"),
    Column("opening_debit", "Opening debit", "money", total=True),
    Column("opening_credit", "Opening credit", "money", total=True),
    Column("debit", "Debit", "money", total=True),
    Column("credit", "Credit", "money", total=True),
    Column("closing_debit", "Closing debit", "money", total=True),
    Column("closing_credit", "Closing credit", "money", total=True),
)

QUERY = """
    SELECT currency, code, account, greatest(-opening, 0) AS opening_debit, greatest(opening, 0) AS opening_credit,
           debit,
           credit, greatest(debit - credit - opening, 0) AS closing_debit,
           greatest(opening + credit - debit, 0) AS closing_credit
      FROM (SELECT l.currency, c.code, a.kind AS account,
                   coalesce(sum(l.amount) FILTER (WHERE l.at < %(start)s), 0) AS opening,
                   coalesce(-sum(l.amount) FILTER (WHERE l.at >= %(start)s AND l.amount < 0), 0) AS debit,
                   coalesce(sum(l.amount) FILTER (WHERE l.at >= %(start)s AND l.amount > 0), 0) AS credit
              FROM ledger_line l
              JOIN ledger_account a ON a.id = l.account_id
              JOIN unnest(%(kinds)s::text[], %(codes)s::int[]) AS c (kind, code) ON c.kind = a.kind
             WHERE l.at < %(end)s AND (%(currency)s::text IS NULL OR l.currency = %(currency)s)
             GROUP BY 1, 2, 3) sums
"""


def transactions(header: Header, rows: Iterator[Row]) -> Iterator[Transaction]:
    """For each currency, the opening balances on the first day and the turnover on the last."""
    first = header.params.start.date()
    last = (header.params.end - timedelta(microseconds=1)).date()
    named = (dict(zip((column.key for column in COLUMNS), row, strict=True)) for row in rows)
    for currency, group in groupby(named, key=lambda row: row["currency"]):
        lines = list(group)
        yield _transaction(first, f"opening balances {currency}", lines, "opening_debit", "opening_credit")
        yield _transaction(last, f"turnover {currency}", lines, "debit", "credit")


def _transaction(day: date, description: str, rows: list[dict[str, Any]], debit: str, credit: str) -> Transaction:
    postings = [Posting(row["account"], None, sign * row[key], row["currency"])
                for row in rows for key, sign in ((debit, -1), (credit, 1)) if row[key]]  # fmt: skip
    return Transaction(day, "", description, (), tuple(postings))


REPORT = Report(
    name="trial-balance",
    title="Trial balance",
    version=1,
    columns=COLUMNS,
    query=QUERY,
    order="currency, code",
    hledger=transactions,
    more={
        "kinds": [kind.key for kind in chart.ACCOUNT_KINDS.values()],
        "codes": [kind.code for kind in chart.ACCOUNT_KINDS.values()],
    },
)
