"""The journal: every line of every entry, by journal number."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ledger import chart
from ledger.reports.report import Column, Header, Report, Row
from ledger.reports.transaction import Posting, Transaction

COLUMNS = (
    Column("number", "Number", "integer"),
    Column("entry", "Entry", "integer"),
    Column("at", "Time", "time"),
    Column("kind", "Kind"),
    Column("reference", "Reference"),
    Column("code", "Account code", "integer"),
    Column("account", "Account"),
    Column("owner", "Owner", "integer"),
    Column("currency", "Currency"),
    Column("debit", "Debit", "money", total=True),
    Column("credit", "Credit", "money", total=True),
    Column("actor", "Actor", "integer"),
    Column("reason", "Reason"),
    Column("reverses", "Reverses entry", "integer"),
    Column("key", "Key"),
)

QUERY = """
    SELECT s.number, e.id AS entry, e.at, e.kind, e.reference, c.code, a.kind AS account, a.owner_id AS owner,
           l.currency,
           CASE WHEN l.amount < 0 THEN -l.amount END AS debit, CASE WHEN l.amount > 0 THEN l.amount END AS credit,
           e.actor_id AS actor, e.reason, e.reverses_id AS reverses, e.key, l.id AS line
      FROM ledger_entry e
      JOIN ledger_line l ON l.entry_id = e.id
      JOIN ledger_account a ON a.id = l.account_id
      JOIN unnest(%(kinds)s::text[], %(codes)s::int[]) AS c (kind, code) ON c.kind = a.kind
      LEFT JOIN ledger_seal s ON s.entry_id = e.id
     WHERE e.at >= %(start)s AND e.at < %(end)s
       AND (%(currency)s::text IS NULL OR l.currency = %(currency)s)
       AND (%(player)s::bigint IS NULL OR EXISTS (
            SELECT FROM ledger_line own JOIN ledger_account mine ON mine.id = own.account_id
             WHERE own.entry_id = e.id AND mine.owner_id = %(player)s))
"""


def transactions(header: Header, rows: Iterator[Row]) -> Iterator[Transaction]:
    """One transaction for each entry."""
    named = (dict(zip((column.key for column in COLUMNS), row, strict=True)) for row in rows)
    for entry, group in groupby(named, key=lambda row: row["entry"]):
        lines = list(group)
        first = lines[0]
        yield Transaction(
            day=first["at"].astimezone(header.params.zone).date(),
            code="" if first["number"] is None else str(first["number"]),
            description=f"{first['kind']} {first['reference']}".strip(),
            tags=(("entry", str(entry)), ("key", first["key"]), ("reason", first["reason"])),
            postings=tuple(
                Posting(line["account"], line["owner"], line["credit"] or -line["debit"], line["currency"])
                for line in lines
            ),
        )


REPORT = Report(
    name="journal",
    title="Journal",
    version=1,
    columns=COLUMNS,
    query=QUERY,
    order="number NULLS LAST, entry, line",
    hledger=transactions,
    player="may",
    more={
        "kinds": [kind.key for kind in chart.ACCOUNT_KINDS.values()],
        "codes": [kind.code for kind in chart.ACCOUNT_KINDS.values()],
    },
)
