"""The end of the chain of seals, kept outside the database: whoever cuts the chain there cannot cut it here.

After each sealing the head is signed (HMAC-SHA-256, settings.ANCHOR_KEY), logged, and appended to settings.ANCHOR_FILE
where one is set. The log line is the stronger copy once logs are shipped to another machine.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import structlog
from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

logger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Anchor:
    """A head signed at `at` (ISO 8601, UTC). `line` is its place in the file; `sound`: the signature is ours."""

    number: int
    digest: str
    at: str
    line: int
    sound: bool


def drop(number: int, digest: str) -> None:
    """Sign a head and put it where the database's masters have no hand. Raises OSError when the file cannot be written.

    One write of one line in append mode: lines of two sealers never mix.
    """
    at = datetime.now(UTC).isoformat(timespec="seconds")
    record = {"number": number, "digest": digest, "at": at, "mac": _mac(number, digest, at)}
    logger.info("ledger head", **record)
    if settings.ANCHOR_FILE:
        file = os.open(settings.ANCHOR_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, (json.dumps(record) + "\n").encode())
            os.fsync(file)
        finally:
            os.close(file)


def read() -> Iterator[Anchor]:
    """All anchors of the file, in their order; none where there is no file. A line that is no record is unsound."""
    path = Path(settings.ANCHOR_FILE) if settings.ANCHOR_FILE else None
    if path is None or not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace") as lines:
        for place, text in enumerate(lines, start=1):
            try:
                record = json.loads(text)
                number, digest, at = int(record["number"]), str(record["digest"]), str(record["at"])
                sound = constant_time_compare(str(record["mac"]), _mac(number, digest, at))
            except (ValueError, KeyError, TypeError):
                yield Anchor(0, "", "", place, sound=False)
            else:
                yield Anchor(number, digest, at, place, sound)


def _mac(number: int, digest: str, at: str) -> str:
    key = settings.ANCHOR_KEY or settings.SECRET_KEY
    return salted_hmac("ledger.anchor", f"{number} {digest} {at}", secret=key, algorithm="sha256").hexdigest()
