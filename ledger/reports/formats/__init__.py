"""The file formats, one module each: a function of (header, rows, binary output)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

from ledger.reports.formats import delimited, hledger, json_, xlsx
from ledger.reports.report import Header, Row

FORMATS: dict[str, Callable[[Header, Iterator[Row], BinaryIO], None]] = {
    "csv": delimited.write_csv,
    "csv-excel": delimited.write_csv_excel,
    "xlsx": xlsx.write,
    "hledger": hledger.write,
    "json": json_.write,
}
