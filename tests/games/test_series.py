"""A series: the next game between the same two, who starts it, and when the series ends."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from games import alive, clocks, dice, queries, settle, tables
from games.errors import NotEnoughMoney, TableClosed
from games.models import Game, Table
from games.play import act
from ledger import book
from tests.games.helpers import next_game, started, state_of
from tests.ledger.support import withdraw

pytestmark = pytest.mark.django_db


def resign(game: Game, side: str) -> Table:
    act(game.player(side), game.pk, Game.objects.get(pk=game.pk).version, "resign")
    game.refresh_from_db()
    return Table.objects.select_related("white", "black").get(pk=game.table_id)


def lots(game: Game) -> int:
    return game.events.filter(event__type="lot").count()


@pytest.mark.parametrize("loser", ["white", "black"])
def test_the_loser_starts_with_a_fresh_roll_and_may_double_before(alice: Any, bob: Any, loser: str) -> None:
    table = resign(started(alice, bob, cube_limit=2, first_move="loser"), loser)
    assert table.status == "between"
    second = next_game(table)
    state = state_of(second)
    assert (second.number, second.starter, state.phase, lots(second)) == (2, loser, "roll", 0)
    assert state.may_double(state.to_act or "white")


def test_they_take_turns(alice: Any, bob: Any) -> None:
    first = started(alice, bob, first_move="alternate")
    second = next_game(resign(first, "white"))
    third = next_game(resign(second, "white"))
    assert second.starter != first.starter and third.starter == first.starter


def test_each_game_by_its_own_lot(alice: Any, bob: Any) -> None:
    first = started(alice, bob, first_move="lot")
    second = next_game(resign(first, "white"))
    assert lots(first) >= 1 and lots(second) >= 1


def test_after_a_draw_the_second_starter_starts(alice: Any, bob: Any) -> None:
    first = started(alice, bob)
    Game.objects.filter(pk=first.pk).update(
        status="finished", settlement="pending", finished_at=timezone.now(), kind="draw", reason="draw", factor=0,
        cube=1, points=0, running="", running_since=None, deadline=None,
    )  # fmt: skip
    Table.objects.filter(pk=first.table_id).update(status="between", seeds=dice.new_seeds())
    second = next_game(Table.objects.select_related("white", "black").get(pk=first.table_id))
    assert second.starter != first.starter


def test_each_game_has_its_own_holds_and_its_own_entry(alice: Any, bob: Any) -> None:
    first = started(alice, bob)
    second = next_game(resign(first, "white"))
    first.refresh_from_db()
    assert first.settlement == "settled"  # the next game needs the money, so it was settled before
    assert [hold.reference for hold in book.holds(alice.pk)] == [f"game:{second.pk}"]
    resign(second, "black")
    settle.claim_and_settle()
    assert len(book.entries_for(f"game:{first.pk}")) == len(book.entries_for(f"game:{second.pk}")) == 1


def test_a_series_ends_at_its_agreed_length(alice: Any, bob: Any) -> None:
    table = resign(started(alice, bob, series_length=2), "white")
    table = resign(next_game(table), "white")
    assert (table.status, table.close_reason) == ("closed", "series_over")
    with pytest.raises(TableClosed):
        tables.say_ready(alice, table.pk)


def test_either_player_may_leave_between_games(alice: Any, bob: Any) -> None:
    table = resign(started(alice, bob), "white")
    assert tables.leave_table(bob, table.pk).close_reason == "left"


def test_a_series_ends_when_a_hold_can_no_longer_be_covered(alice: Any, bob: Any) -> None:
    table = resign(started(alice, bob), "white")
    settle.claim_and_settle()
    with transaction.atomic():
        withdraw("all", alice.pk, book.wallet(alice.pk, "UAH").available, None, "test")
    with pytest.raises(NotEnoughMoney):
        tables.say_ready(alice, table.pk)
    table.refresh_from_db()
    assert (table.status, table.close_reason) == ("closed", "not_covered")


def test_a_paused_settlement_does_not_end_a_series(alice: Any, bob: Any, operator: Any) -> None:
    table = resign(started(alice, bob), "white")
    settle.pause(operator, "test")
    with transaction.atomic():
        withdraw("all", alice.pk, book.wallet(alice.pk, "UAH").available, None, "test")
    with pytest.raises(NotEnoughMoney):
        tables.say_ready(alice, table.pk)
    table.refresh_from_db()
    assert table.status == "between"


def test_a_void_game_is_replayed_with_the_same_starter_and_counts_for_nothing(alice: Any, bob: Any) -> None:
    alive.tick()
    first = started(alice, bob, series_length=1, first_move="alternate")
    past = timezone.now() - timedelta(hours=1)
    Game.objects.filter(pk=first.pk).update(running_since=past, deadline=past)
    clocks.sweep()
    table = Table.objects.select_related("white", "black").get(pk=first.table_id)
    assert table.status == "between"
    again = next_game(table)
    assert (again.number, again.starter, lots(again)) == (2, first.starter, 0)


def test_absent_people_end_a_series(alice: Any, bob: Any) -> None:
    table = resign(started(alice, bob), "white")
    assert tables.sweep_absent(10) == 0
    Table.objects.update(black_seen_at=timezone.now() - tables.ABSENT_BETWEEN - timedelta(seconds=1))
    assert tables.sweep_absent(10) == 1
    table.refresh_from_db()
    assert (table.status, table.close_reason) == ("closed", "absent")


def test_the_standings_of_a_series(alice: Any, bob: Any) -> None:
    table = resign(started(alice, bob, stake="10.00 UAH", endgame="oin"), "white")
    table = resign(next_game(table), "black")
    table = resign(next_game(table), "black")
    assert queries.series_score(table) == {
        "games": 3, "void": 0, "draws": 0, "next_starter": "black",
        "white": {"wins": 2, "points": 2, "net": {"amount": "10.00", "currency": "UAH"}},
        "black": {"wins": 1, "points": 1, "net": {"amount": "-10.00", "currency": "UAH"}},
    }  # fmt: skip
