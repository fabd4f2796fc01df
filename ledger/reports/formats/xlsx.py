"""Excel workbooks, written row by row in constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO

import xlsxwriter

from ledger import money
from ledger.reports.report import Header, Row, currency_at


def write(header: Header, rows: Iterator[Row], out: BinaryIO) -> None:
    """Header lines, an empty line, titles, rows. Amounts are numbers; the totals are exact text."""
    book = xlsxwriter.Workbook(
        out,
        {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
    )
    # Excel stamps a file with the time of its making; ours must not differ from one export to the next.
    book.set_properties({"title": header.report.title, "created": datetime(2000, 1, 1, tzinfo=UTC)})
    sheet = book.add_worksheet(header.report.name[:31])
    sheet.set_column(0, len(header.report.columns) - 1, 18)
    strong = book.add_format({"bold": True})
    for place, (name, text) in enumerate(header.lines()):
        sheet.write_string(place, 0, name, strong)
        sheet.write_string(place, 1, text)
    top = len(header.lines()) + 1
    for place, column in enumerate(header.report.columns):
        sheet.write_string(top, place, column.title, strong)
    _write_rows(book, sheet, header, rows, top + 1)
    book.close()


def _write_rows(book: Any, sheet: Any, header: Header, rows: Iterator[Row], top: int) -> None:
    columns, zone, where = header.report.columns, header.params.zone, currency_at(header.report.columns)
    amounts = {
        code: book.add_format({"num_format": "#,##0" + ("." + "0" * places if places else "")})
        for code, places in money.CURRENCIES.items()
    }
    time_format = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    day_format = book.add_format({"num_format": "yyyy-mm-dd"})
    for down, row in enumerate(rows, top):
        for across, (value, column) in enumerate(zip(row, columns, strict=True)):
            if value is None:
                continue
            if column.kind == "money":
                sheet.write_number(down, across, float(value), amounts[row[where]])
            elif column.kind == "integer":
                sheet.write_number(down, across, value)
            elif column.kind == "time":  # a workbook knows no zones: the header names the one of all times in it
                sheet.write_datetime(down, across, value.astimezone(zone).replace(tzinfo=None), time_format)
            elif column.kind == "day":
                sheet.write_datetime(down, across, value, day_format)
            else:
                sheet.write_string(down, across, str(value))
