"""JSON: one object, {"header": {…}, "rows": [{…}, …]}; amounts are strings, never floats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

from ledger import money
from ledger.reports.formats.cells import plain
from ledger.reports.report import Header, Row, currency_at


def write(header: Header, rows: Iterator[Row], out: BinaryIO) -> None:
    """Written row by row, a row on each line."""
    columns, zone, where = header.report.columns, header.params.zone, currency_at(header.report.columns)
    out.write(f'{{"header": {_text(_head(header))},\n"rows": ['.encode())
    for place, row in enumerate(rows):
        cells = {
            column.key: value if value is None or column.kind == "integer" else plain(value, column, row[where], zone)
            for value, column in zip(row, columns, strict=True)
        }
        out.write((",\n" if place else "\n").encode() + _text(cells).encode())
    out.write(b"\n]}\n")


def _head(header: Header) -> dict[str, object]:
    known = {name: text for name, text in header.lines() if not name.startswith("Total ")}
    totals: dict[str, dict[str, str]] = {}
    for code, title, value in header.totals:
        totals.setdefault(code, {})[title] = money.number(value, code)
    return {**known, "Totals": totals}


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
