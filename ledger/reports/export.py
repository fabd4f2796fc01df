"""Making a report's file: one snapshot for header and rows, and a file that is there entirely or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from ledger.periods import closing_of
from ledger.reports.formats import FORMATS
from ledger.reports.params import BadParams, Params
from ledger.reports.report import Header, Report, arguments, stream, summary
from ledger.seal import sealed_until
from ledger.snapshot import snapshot


def export(report: Report, params: Params, form: str, out: BinaryIO, generated_at: datetime | None = None) -> Header:
    """Write the report to `out` in one of FORMATS. Raises BadParams for a format that the report does not have."""
    given = arguments(report, params)
    if form not in FORMATS:
        raise BadParams(f"--format “{form}” is unknown. Known are: {', '.join(FORMATS)}.")
    if form == "hledger" and report.hledger is None:
        raise BadParams(f"The report {report.name} has no hledger form: it is not made of entries.")
    with snapshot():
        horizon = sealed_until()
        rows, totals = summary(report, given)
        provisional = horizon is None or params.end > horizon
        made_at = generated_at or closing_of(params.end) or datetime.now(UTC)  # a closed period's reports never differ
        header = Header(report, params, made_at, provisional, rows, totals)
        FORMATS[form](header, stream(report, given), out)
    return header


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name only when it is complete; a failed export leaves what was there."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
