"""Columns of a batch as texts that PostgreSQL reads as arrays.

psycopg adapts a list element by element in Python, and the server reads a JSON text twice: either took a tenth of the
time of a batch of settlements.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal


def numbers(values: Iterable[int | Decimal | None]) -> str:
    """For %s::bigint[] or %s::numeric[]."""
    return "{" + ",".join(["NULL" if value is None else str(value) for value in values]) + "}"


def texts(values: Iterable[str]) -> str:
    """For %s::text[] and whatever else is written as text."""
    return "{" + ",".join(['"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' for value in values]) + "}"
