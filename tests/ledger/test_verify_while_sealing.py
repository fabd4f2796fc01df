"""Verification looks while the sealer goes on: what is sealed and anchored meanwhile is no chain that was cut.

Seen in a run with faults: the anchor of a seal that was younger than the verification's snapshot was taken for a cut.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from ledger import anchor, seal, verify
from ledger.seal import GENESIS, Head
from ledger.verify import anchors, recent, registry, seals
from tests.ledger.support import fund, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def journal(settings: Any, tmp_path: Path) -> None:
    settings.ANCHOR_FILE = str(tmp_path / "anchors")
    fund(1, "100.00 UAH")
    seal_everything()


def elsewhere(action: Callable[[], object]) -> None:
    """In a thread of its own, on another connection."""

    def run() -> None:
        action()
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)


def seal_one_more() -> None:
    before = seal.head().number
    fund(2, "5.00 UAH", key=f"after {before}")
    seal_everything()
    assert max(one.number for one in anchor.read()) == before + 1


def test_a_full_verification(monkeypatch: pytest.MonkeyPatch) -> None:
    def first() -> Iterator[tuple[str, str]]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT FROM ledger_seal")  # the snapshot is taken
        elsewhere(seal_one_more)
        yield from ()

    assert list(verify.run()) == []  # and all checks are registered
    monkeypatch.setattr(registry, "CHECKS", {"first": first, **registry.CHECKS})
    assert list(verify.run()) == []


def test_a_verification_of_what_is_recent(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = seals.chain

    def sealed_meanwhile(since: Head) -> Iterator[tuple[str, str]]:
        yield from chain(since)
        elsewhere(seal_one_more)

    monkeypatch.setattr(seals, "chain", sealed_meanwhile)
    assert recent.run(Head(0, GENESIS))[0] == []


def test_the_comparison_itself_is_not_for_an_older_snapshot() -> None:
    """So the two tests above would fail if it were made in there."""
    with registry.snapshot():
        seal.head()
        elsewhere(seal_one_more)
        assert [subject for subject, _ in anchors.compare(anchor.read())] == [f"seal {seal.head().number + 1}"]
