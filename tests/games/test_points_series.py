"""Points series: no stakes, no holds, games that start by themselves, Crawford, and an end at the target."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import alive, clocks, queries, rules, series, tables
from games.errors import SeriesGoesOn
from games.models import Game, Table
from games.play import act
from ledger import book
from ledger.verify import run

pytestmark = pytest.mark.django_db


def opened(alice: Any, bob: Any, target: int = 3, count_by: str = "points", **options: Any) -> Table:
    alive.tick()
    terms = series.SeriesTerms(
        rules.make_options("short", **{"cube_limit": 64, **options}), target, count_by, "normal", "UAH"
    )
    return series.open_series(alice, bob, terms, "Friday cup", "/tournaments/1/")


def begin(table: Table) -> Game:
    for player in (table.white, table.black):
        tables.say_ready(player, table.pk)
    return table.games.latest("number")


def resign(game: Game, side: str) -> Table:
    act(game.player(side), game.pk, game.version, "resign")
    table = Table.objects.select_related("white", "black").get(pk=game.table_id)
    if table.next_at:
        Table.objects.filter(pk=table.pk).update(next_at=timezone.now() - timedelta(seconds=1))
    return table


def running(table: Table) -> Game:
    return table.games.select_related("white", "black").get(status="playing")


def test_nothing_is_blocked_and_nothing_settled(alice: Any, bob: Any) -> None:
    table = opened(alice, bob, endgame="oin")
    game = begin(table)
    assert not book.holds(alice.pk) and not game.is_staked
    resign(game, "white")
    game.refresh_from_db()
    assert (game.settlement, game.entry_id) == ("settled", None)
    assert [violation for violation in run() if "game" in violation.check] == []


def test_games_start_by_themselves_until_the_target(alice: Any, bob: Any) -> None:
    table = opened(alice, bob, target=2, endgame="oin")
    resign(begin(table), "white")
    assert clocks.sweep().begun == 1
    second = running(table)
    assert (second.number, second.starter) == (2, "white")  # the loser starts
    assert second.options["crawford_game"] and not second.options.get("crawford")
    table = resign(second, "black")
    assert clocks.sweep().begun == 1
    third = running(table)
    assert not third.options["crawford_game"]  # the Crawford game has been played
    table = resign(third, "black")
    score = series.score(table)
    assert (table.status, table.close_reason) == ("closed", "series_over")
    assert (score.white, score.black, score.winner) == (2, 1, "white")
    assert clocks.sweep().begun == 0


def test_best_of_three_counts_games_and_has_no_cube(alice: Any, bob: Any) -> None:
    table = opened(alice, bob, target=2, count_by="games", endgame="koks")
    game = begin(table)
    assert game.options["cube_limit"] == 1
    table = resign(game, "black")
    assert series.score(table).white == 1  # a koks by resignation, and still one game


def test_who_never_comes_loses_on_time(alice: Any, bob: Any) -> None:
    table = opened(alice, bob)
    game = begin(table)
    past = timezone.now() - timedelta(seconds=1)
    Game.objects.filter(pk=game.pk).update(deadline=past, running_since=past - timedelta(hours=1))
    clocks.sweep()
    game.refresh_from_db()
    assert (game.status, game.reason) == ("finished", "time_out")


def test_one_does_not_leave_and_the_table_is_not_swept(alice: Any, bob: Any) -> None:
    table = opened(alice, bob)
    Table.objects.filter(pk=table.pk).update(white_seen_at=timezone.now() - timedelta(days=1))
    assert tables.sweep_absent(10) == 0
    with pytest.raises(SeriesGoesOn):
        tables.leave_table(bob, table.pk)


def test_a_series_ended_from_outside_voids_its_game(alice: Any, bob: Any) -> None:
    table = opened(alice, bob)
    game = begin(table)
    series.abandon(table.pk, "forfeit")
    series.abandon(table.pk, "forfeit")
    game.refresh_from_db()
    table.refresh_from_db()
    assert (game.status, table.status, table.close_reason) == ("void", "closed", "forfeit")
    assert [violation for violation in run() if "game" in violation.check] == []


def test_listeners_hear_of_each_game(alice: Any, bob: Any, django_capture_on_commit_callbacks: Any) -> None:
    heard: list[int] = []

    def listen(sender: Any, table_id: int, **_: Any) -> None:
        heard.append(table_id)

    series.moved.connect(listen)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            table = opened(alice, bob)
            resign(begin(table), "white")
    finally:
        series.moved.disconnect(listen)
    assert heard == [table.pk, table.pk]


def test_the_score_for_pages(alice: Any, bob: Any) -> None:
    table = resign(begin(opened(alice, bob, endgame="oin")), "white")
    score = queries.series_score(table)
    assert (score["target"], score["score"], score["next_starter"]) == (3, {"white": 0, "black": 1}, "white")
