"""Who reads a tournament without a lock sees one moment of it, also when a round is paired meanwhile.

Seen in a run with faults: rounds were read before, pairings after the commit, and a pairing's round was not there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.tournaments.playing import opened, people
from tournaments import life, registration
from tournaments.state import load

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_round_paired_between_two_reads() -> None:
    tournament = opened()
    for player in people(4):
        registration.register(player, tournament.pk)
    life.close_registration(tournament.pk)
    with connection.execute_wrapper(before('FROM "tournaments_pairing"', lambda: life.start(tournament.pk))):
        seen = load(tournament)
    assert (len(seen.rounds), len(seen.pairings)) == (0, 0)
    assert len(load(tournament).pairings) == 2


def before(part: str, action: Callable[[], object]) -> Callable[..., Any]:
    """Does `action` once on another connection, before the first statement with this part."""
    waiting = [action]

    def elsewhere() -> None:
        waiting.pop()()
        connection.close()

    def wrapper(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if waiting and part in sql:
            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join(30)
        return execute(sql, *rest)

    return wrapper
