"""Settled games: who lost how much to whom, and the rake."""

from __future__ import annotations

from collections.abc import Iterator

from ledger import chart
from ledger.reports.report import Column, Header, Report, Row
from ledger.reports.transaction import Posting, Transaction

COLUMNS = (
    Column("number", "Number", "integer"),
    Column("entry", "Entry", "integer"),
    Column("at", "Time", "time"),
    Column("reference", "Reference"),
    Column("variant", "Variant"),
    Column("result", "Result"),
    Column("stake", "Stake"),
    Column("factor", "Factor"),
    Column("cube", "Cube"),
    Column("winner", "Winner", "integer"),
    Column("loser", "Loser", "integer"),
    Column("currency", "Currency"),
    Column("loss", "Loss", "money", total=True),
    Column("win", "Win", "money", total=True),
    Column("rake", "Rake", "money", total=True),
)

QUERY = """
    SELECT s.number, e.id AS entry, e.at, e.reference, e.details ->> 'variant' AS variant,
           e.details ->> 'kind' AS result,
           e.details ->> 'stake' AS stake, e.details ->> 'factor' AS factor, e.details ->> 'cube' AS cube,
           winner.owner_id AS winner, loser.owner_id AS loser, lost.currency, lost.captured AS loss,
           lost.captured - coalesce(rake.amount, 0) AS win, coalesce(rake.amount, 0) AS rake
      FROM ledger_entry e
      JOIN ledger_hold lost ON lost.entry_id = e.id AND lost.resolution = 'captured'
      JOIN ledger_account loser ON loser.id = lost.account_id
      JOIN ledger_hold won ON won.entry_id = e.id AND won.resolution = 'released'
      JOIN ledger_account winner ON winner.id = won.account_id
      LEFT JOIN LATERAL (SELECT sum(l.amount) AS amount FROM ledger_line l JOIN ledger_account a ON a.id = l.account_id
                          WHERE l.entry_id = e.id AND a.kind = 'rake') rake ON true
      LEFT JOIN ledger_seal s ON s.entry_id = e.id
     WHERE e.kind = 'settlement' AND e.at >= %(start)s AND e.at < %(end)s
       AND (%(currency)s::text IS NULL OR lost.currency = %(currency)s)
       AND (%(player)s::bigint IS NULL OR %(player)s IN (winner.owner_id, loser.owner_id))
"""


def transactions(header: Header, rows: Iterator[Row]) -> Iterator[Transaction]:
    """One transaction for each settlement, with the game's dimensions as tags."""
    for values in rows:
        row = dict(zip((column.key for column in COLUMNS), values, strict=True))
        code = row["currency"]
        postings = [Posting(chart.WALLET, row["loser"], -row["loss"], code)]
        postings += [Posting(chart.WALLET, row["winner"], row["win"], code)] if row["win"] else []
        postings += [Posting(chart.RAKE, None, row["rake"], code)] if row["rake"] else []
        yield Transaction(
            day=row["at"].astimezone(header.params.zone).date(),
            code="" if row["number"] is None else str(row["number"]),
            description=f"settlement {row['reference']}",
            tags=tuple((name, str(row[name] or "")) for name in ("variant", "result", "stake", "factor", "cube")),
            postings=tuple(postings),
        )


REPORT = Report(
    name="settlements",
    title="Settlements of games",
    version=1,
    columns=COLUMNS,
    query=QUERY,
    order="number NULLS LAST, entry",
    hledger=transactions,
    player="may",
)
