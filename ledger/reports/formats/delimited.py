"""CSV: for machines (UTF-8, commas, points), and for Excel of a country that writes commas in numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import BinaryIO

from ledger.reports.formats.cells import harmless, plain
from ledger.reports.report import Column, Header, Row, currency_at


def write_csv(header: Header, rows: Iterator[Row], out: BinaryIO) -> None:
    """Header lines (name, text), an empty line, column titles, rows; RFC 4180 with line feeds."""
    _write(header, rows, out, "utf-8", ",", lambda text, column: text if _numeric(column) else harmless(text))


def write_csv_excel(header: Header, rows: Iterator[Row], out: BinaryIO) -> None:
    """The same for Excel: byte order mark (or Cyrillic breaks), semicolons (or all lands in one column), and decimal
    commas: where Excel splits at semicolons, it would read 10.05 as the tenth of May."""

    def cell(text: str, column: Column) -> str:
        return text.replace(".", ",") if column.kind == "money" else text if _numeric(column) else harmless(text)

    _write(header, rows, out, "utf-8-sig", ";", cell)


def _numeric(column: Column) -> bool:
    return column.kind in ("money", "integer")


def _write(
    header: Header,
    rows: Iterator[Row],
    out: BinaryIO,
    encoding: str,
    delimiter: str,
    cell: Callable[[str, Column], str],
) -> None:
    columns, zone, where = header.report.columns, header.params.zone, currency_at(header.report.columns)
    text = io.TextIOWrapper(out, encoding=encoding, newline="", write_through=False)
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerows((name, harmless(value)) for name, value in header.lines())
    writer.writerow([])
    writer.writerow([column.title for column in columns])
    for row in rows:
        writer.writerow(
            [cell(plain(value, column, row[where], zone), column) for value, column in zip(row, columns, strict=True)]
        )
    text.flush()
    text.detach()  # the caller closes what he opened
