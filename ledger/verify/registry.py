"""The list of checks and how they are run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection

from ledger.snapshot import snapshot


@dataclass(frozen=True)
class Violation:
    """One thing that is wrong: which check found it, what it is about ("entry 12"), and what is wrong with it."""

    check: str
    subject: str
    message: str

    def __str__(self) -> str:
        return f"{self.check}: {self.subject}: {self.message}"


Check = Callable[[], Iterator[tuple[str, str]]]

#: name of the check -> a function that yields (subject, message) for each violation; in the order they run
CHECKS: dict[str, Check] = {}
#: Those that compare the database with what lies outside of it.
OUTSIDE: set[str] = set()


def register(name: str, outside: bool = False) -> Callable[[Check], Check]:
    """Add a check. Its name is stable (operators' filters know it); its docstring says what must hold.

    `outside`: it compares with what lies outside the database and goes on while we look. It is run before the snapshot,
    where what is written out there meanwhile would seem to be missing.
    """

    def add(check: Check) -> Check:
        if name in CHECKS:
            raise ValueError(f"a check named {name} is there already")
        CHECKS[name] = check
        if outside:
            OUTSIDE.add(name)
        return check

    return add


def run(only: Collection[str] = ()) -> Iterator[Violation]:
    """Run all checks, or `only` these, over one snapshot of the database (money may move meanwhile); what they find.

    Checks against what lies outside the database come first, each over what is there when it is run.
    """
    from ledger.verify import (  # noqa: F401  (they register themselves)
        anchors,
        balances,
        guards,
        holds,
        lines,
        periods,
        proposals,
        seals,
    )

    names = list(only or CHECKS)
    yield from _found([name for name in names if name in OUTSIDE])
    with snapshot():
        _plan_for_whole_tables()
        yield from _found([name for name in names if name not in OUTSIDE])


def _found(names: list[str]) -> Iterator[Violation]:
    for name in names:
        for subject, message in CHECKS[name]():
            yield Violation(name, subject, message)


def _plan_for_whole_tables() -> None:
    """Every check reads its tables whole, but after a bulk load or a restore the planner may think them small: a join
    row by row that it picked then was seen to take hours over 40,000 games."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_nestloop = off")
        cursor.execute("SET LOCAL work_mem = '64MB'")


def found_by(query: str, *params: Any) -> Iterator[tuple[str, str]]:
    """Rows of (subject, message) of a query, streamed from a server-side cursor."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(query, params or None)
        while rows := cursor.fetchmany(1000):
            yield from rows
