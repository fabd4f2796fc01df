"""Two people, workers or clicks at the same time: the last place goes once, prizes are paid once, nothing deadlocks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from games import tables
from games.errors import GameError
from games.play import act
from ledger import book
from tests.tournaments.playing import opened, people, play_out, started, state, violations
from tournaments import advance, direct, life, registration
from tournaments.simulation import Run

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*jobs: Callable[[], object]) -> list[Any]:
    """Run all jobs in threads of their own, started together; what each answered, or its refusal."""
    together, answers = threading.Barrier(len(jobs)), [None] * len(jobs)

    def run(number: int, job: Callable[[], Any]) -> None:
        try:
            together.wait()
            answers[number] = job()
        except GameError as error:
            answers[number] = error  # type: ignore[call-overload]
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number, job)) for number, job in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_the_last_place_goes_to_one() -> None:
    tournament = opened(max_field=2)
    players = people(5)
    registration.register(players[0], tournament.pk)
    at_once(*(lambda player=player: registration.register(player, tournament.pk) for player in players[1:]))
    assert len(state(tournament).entrants) == 2 and not violations()


def test_prizes_are_paid_once_by_many_workers() -> None:
    tournament = started(4, format="knockout")
    play_out(tournament)
    at_once(*[lambda: life.pay(tournament.pk)] * 4)
    prizes = [e for e in book.entries_for(f"tournament:{tournament.pk}") if e.kind == "tournament_prize"]
    assert len(prizes) == 2 and not violations()


def test_a_round_is_paired_once_by_many_workers() -> None:
    tournament = started(4, format="knockout")
    for pairing in state(tournament).open_pairings:
        assert pairing.second is not None
        for entrant in (pairing.first, pairing.second):
            tables.say_ready(entrant.player, pairing.table_id)
        game = pairing.table.games.get()
        act(pairing.second.player, game.pk, game.version, "resign")
    at_once(*[lambda: advance.advance(tournament.pk)] * 4)
    now = state(tournament)
    assert [len([p for p in now.pairings if p.round.number == number]) for number in (1, 2)] == [2, 1]


def test_a_forfeit_and_the_last_act_of_a_game_at_the_same_time(operator: Any) -> None:
    """Whoever comes first decides; the other is refused or too late, and the series has one outcome."""
    tournament = started(2, format="knockout")
    pairing = state(tournament).open_pairings[0]
    assert pairing.second is not None
    for entrant in (pairing.first, pairing.second):
        tables.say_ready(entrant.player, pairing.table_id)
    game = pairing.table.games.get()
    at_once(
        lambda: act(pairing.second.player, game.pk, game.version, "resign"),
        lambda: direct.forfeit(tournament.pk, pairing.pk, "first", "at once", operator),
        lambda: advance.advance(tournament.pk),
    )
    advance.advance(tournament.pk)
    now = state(tournament)
    assert now.tournament.status == "finished" and len(now.pairings) == 1 and not violations()


def test_a_simulated_knockout_ends_with_an_empty_pool() -> None:
    said: list[str] = []
    tournament = Run(6, seed=2, say=said.append).play(threads=2)
    assert tournament.status == "paid" and book.pool(tournament.pk, "XPC").amount == 0
    assert any("next pairing" in line for line in said) and not violations()
