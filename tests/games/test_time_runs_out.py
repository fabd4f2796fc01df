"""Time that runs out ends a game even when nobody looks; the server's downtime costs nobody anything."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import alive, clocks, settle, tables
from games.errors import StaleVersion
from games.models import Game, SweepTick
from games.play import act
from ledger import book, money
from tests.games.helpers import play_on, started, state_of, to_act

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: Any, bob: Any) -> Game:
    """A game in which both sides have moved."""
    alive.tick()
    game = started(alice, bob, cube_limit=2)
    while not (game.white_moved and game.black_moved):
        play_on(game, most=1)
    return game


def pass_time(game: Game, seconds: float) -> None:
    """Let so many seconds pass for this game while the server is alive."""
    shift = timedelta(seconds=seconds)
    game.refresh_from_db()
    assert game.running_since is not None and game.deadline is not None
    Game.objects.filter(pk=game.pk).update(running_since=game.running_since - shift, deadline=game.deadline - shift)


def be_down(seconds: float) -> None:
    """The server was not there for so many seconds: its last tick and every clock are that much older."""
    shift = timedelta(seconds=seconds)
    SweepTick.objects.update(at=timezone.now() - shift)
    for game in Game.objects.filter(status="playing"):
        pass_time(game, seconds)


def test_the_sweep_ends_a_game_that_nobody_looks_at(game: Game) -> None:
    loser = to_act(game)
    pass_time(game, 3600)
    assert clocks.sweep().timed_out == 1
    game.refresh_from_db()
    assert (game.status, game.reason, game.winner) == ("finished", "time_out", other_side(game, loser))
    assert game.events.order_by("-seq")[0].event == {"type": "time_out", "side": game.side_of(loser.pk)}
    assert settle.claim_and_settle() == settle.Settled(1, 0)
    assert clocks.sweep().timed_out == 0


def test_an_act_after_the_deadline_comes_too_late(game: Game) -> None:
    loser, version = to_act(game), game.version
    action = "roll" if state_of(game).phase == "roll" else "resign"
    pass_time(game, 3600)
    with pytest.raises(StaleVersion) as refused:
        act(loser, game.pk, version, action)
    assert refused.value.view.json["result"]["reason"] == "time_out"
    game.refresh_from_db()
    assert (game.status, game.version) == ("finished", version + 1)


def test_the_opponent_can_resign_before_the_deadline_only(game: Game) -> None:
    waiting = game.white if to_act(game) == game.black else game.black
    pass_time(game, 3600)
    with pytest.raises(StaleVersion):
        act(waiting, game.pk, game.version, "resign")
    game.refresh_from_db()
    assert game.winner == game.side_of(waiting.pk)


def test_owing_an_answer_to_a_double_time_out_is_a_pass(game: Game) -> None:
    while state_of(game).phase != "roll":
        play_on(game, most=1)
    act(to_act(game), game.pk, game.version, "double")
    pass_time(game, 3600)
    clocks.sweep()
    game.refresh_from_db()
    assert (game.reason, game.kind, game.points) == ("drop", "oin", 1)


def test_time_is_charged_to_the_side_that_used_it(game: Game) -> None:
    side = state_of(game).to_act
    pass_time(game, 15 + 60)
    play_on(game, most=1)
    left = {"white": game.white_ms, "black": game.black_ms}
    assert 115_000 < left[side or ""] <= 120_000
    assert min(ms for other, ms in left.items() if other != side) > 175_000


@pytest.mark.parametrize("moves_first", [True, False])
def test_a_game_in_which_one_side_never_moved_is_void(alice: Any, bob: Any, moves_first: bool) -> None:
    alive.tick()
    game = started(alice, bob)
    if moves_first:
        play_on(game, most=1)
    pass_time(game, 3600)
    clocks.sweep()
    game.refresh_from_db()
    assert (game.status, game.kind, game.reason, game.winner, game.settlement) == (
        "void", "void", "never_moved", "", "pending",
    )  # fmt: skip
    assert settle.claim_and_settle() == settle.Settled(1, 0)
    assert not book.holds(alice.pk) and not book.holds(bob.pk)
    assert book.entries_for(f"game:{game.pk}") == []
    assert book.wallet(alice.pk, "UAH").held == money.money(0, "UAH")
    tables.Table.objects.get(pk=game.table_id, status="between")


def test_downtime_runs_no_clock(game: Game) -> None:
    game.refresh_from_db()
    before = game.clock_value.charged(timezone.now())
    be_down(7200)
    swept = clocks.sweep()
    assert swept.moved_on >= timedelta(seconds=7200) and swept.timed_out == 0
    game.refresh_from_db()
    after = game.clock_value.charged(timezone.now())
    assert game.status == "playing"
    assert before.reserve(before.running or "white") - after.reserve(after.running or "white") < 5000


def test_the_first_act_after_a_downtime_is_in_time_even_before_the_sweep(game: Game) -> None:
    be_down(7200)
    play_on(game, most=1)
    assert game.status == "playing" and min(game.white_ms, game.black_ms) > 175_000


def test_a_turn_that_began_while_only_the_sweep_was_down_starts_afresh(game: Game) -> None:
    be_down(7200)
    Game.objects.filter(pk=game.pk).update(running_since=timezone.now() - timedelta(seconds=30))
    alive.tick()
    game.refresh_from_db()
    assert game.running_since is not None and timezone.now() - game.running_since < timedelta(seconds=5)


def test_a_short_pause_of_the_sweep_is_no_downtime(game: Game) -> None:
    SweepTick.objects.update(at=timezone.now() - alive.GAP + timedelta(seconds=2))
    pass_time(game, 3600)
    assert clocks.sweep().timed_out == 1


def test_the_alive_row_is_one(game: Game) -> None:
    alive.tick()
    alive.tick()
    assert SweepTick.objects.count() == 1


def other_side(game: Game, player: Any) -> str:
    return "black" if game.side_of(player.pk) == "white" else "white"
