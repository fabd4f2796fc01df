"""The form of a report, and running it: header with totals first, then rows as a stream, all over one snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from django.db import connection

from ledger import money
from ledger.reports.params import BadParams, Params
from ledger.reports.transaction import Transaction

Kind = Literal["text", "integer", "time", "day", "money"]
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Column:
    """A column: its SQL name, its title, what it holds. `total`: a control total per currency makes sense."""

    key: str
    title: str
    kind: Kind = "text"
    total: bool = False


@dataclass(frozen=True)
class Report:
    """A report as data. `query` yields the columns by name and has a column `currency`; it may use %(start)s, %(end)s,
    %(zone)s, %(currency)s and %(player)s (NULL when not asked for) and what `more` adds; `order` sorts it.

    `hledger` turns its rows into transactions, where that makes sense; `player` says whether it can be about one
    player; `counted` is the condition under which a row counts as activity.
    """

    name: str
    title: str
    version: int
    columns: tuple[Column, ...]
    query: str
    order: str
    hledger: Callable[[Header, Iterator[Row]], Iterator[Transaction]] | None = None
    player: Literal["no", "may", "must"] = "no"
    counted: str = "true"
    more: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Header:
    """What stands above the rows. `totals`: (currency, title of the column, exact total)."""

    report: Report
    params: Params
    generated_at: datetime
    provisional: bool
    rows: int
    totals: tuple[tuple[str, str, Decimal], ...]

    def lines(self) -> list[tuple[str, str]]:
        """The header as (name, text), the same in every format and language."""
        params = self.params
        status = "provisional: the period ends after the sealed part of the journal" if self.provisional else "final"
        listed = [
            ("Report", self.report.title),
            ("Name", self.report.name),
            ("Version", str(self.report.version)),
            ("From", params.start.isoformat()),
            ("To (exclusive)", params.end.isoformat()),
            ("Time zone", params.zone.key),
            ("Generated at", self.generated_at.astimezone(params.zone).isoformat(timespec="seconds")),
            ("Filters", params.filters),
            ("Status", status),
            ("Rows", str(self.rows)),
        ]
        listed += [(f"Total {title}", f"{money.number(sum_, code)} {code}") for code, title, sum_ in self.totals]
        return listed if self.rows else [*listed, ("Note", "No activity")]


def arguments(report: Report, params: Params) -> dict[str, Any]:
    """What the report's query is run with."""
    if report.player == "must" and params.player is None:
        raise BadParams(f"The report {report.name} is about one player: say --player.")
    if report.player == "no" and params.player is not None:
        raise BadParams(f"The report {report.name} is about all players: leave out --player.")
    given = {
        "start": params.start,
        "end": params.end,
        "zone": params.zone.key,
        "currency": params.currency,
        "player": params.player,
    }
    return given | dict(report.more or {})


def summary(report: Report, given: Mapping[str, Any]) -> tuple[int, tuple[tuple[str, str, Decimal], ...]]:
    """Row count and control totals, summed by the database over exactly the rows that will be written."""
    totalled = [column for column in report.columns if column.total]
    sums = "".join(f", coalesce(sum({column.key}), 0)" for column in totalled)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT currency, count(*) FILTER (WHERE {report.counted}){sums}
                  FROM ({report.query}) q GROUP BY 1 ORDER BY 1""",
            given,
        )
        found = cursor.fetchall()
    totals = [
        (currency, column.title, value)
        for currency, _count, *values in found
        for column, value in zip(totalled, values, strict=True)
    ]
    return sum(row[1] for row in found), tuple(totals)


def stream(report: Report, given: Mapping[str, Any]) -> Iterator[Row]:
    """The rows, from a server-side cursor: memory does not grow with the period."""
    names = ", ".join(column.key for column in report.columns)
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT {names} FROM ({report.query}) q ORDER BY {report.order}", given)
        while rows := cursor.fetchmany(2000):
            yield from rows


def currency_at(columns: Sequence[Column]) -> int:
    """The place of the currency in a row."""
    return next(place for place, column in enumerate(columns) if column.key == "currency")
