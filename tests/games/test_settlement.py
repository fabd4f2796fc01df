"""Settlement: claimed in batches, once, by the frozen terms; what fails alone is parked and stops nobody."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone

from games import settle, tables
from games.models import Game, Table
from games.play import act
from games.start import hold_key
from ledger import book, money
from tests.games.helpers import fund, next_game, play_on, started

pytestmark = pytest.mark.django_db


def finished(alice: Any, bob: Any, loser: str = "white", **given: Any) -> Game:
    """A game that was resigned and awaits settlement, its table closed."""
    game = started(alice, bob, **given)
    act(game.player(loser), game.pk, game.version, "resign")
    tables.leave_table(alice, game.table_id)
    game.refresh_from_db()
    return game


def test_the_entry_moves_loss_and_rake_and_both_holds_are_resolved(alice: Any, bob: Any, operator: Any) -> None:
    with transaction.atomic():
        book.set_rake("UAH", Decimal("5"), None, operator.pk, "test")
    game = finished(alice, bob, stake="10.33 UAH")
    settle.claim_and_settle()
    game.refresh_from_db()
    entry = book.entry(game.entry_id or 0)
    assert entry is not None
    assert {(line.owner_id, money.text(line.amount)) for line in entry.lines} == {
        (alice.pk, "-30.99 UAH"), (bob.pk, "29.45 UAH"), (None, "1.54 UAH"),
    }  # fmt: skip
    assert (entry.key, entry.details["factor"], entry.details["cube"], entry.details["variant"]) == (
        f"game:{game.pk}:settle", 3, 1, "short",
    )  # fmt: skip
    assert [(hold.state, money.text(hold.captured)) for hold in book.holds_for(f"game:{game.pk}")] == [
        ("captured", "30.99 UAH"), ("released", "0.00 UAH"),
    ]  # fmt: skip


def test_the_rake_of_the_day_when_the_table_was_opened_counts(alice: Any, bob: Any, operator: Any) -> None:
    game = finished(alice, bob)
    with transaction.atomic():
        book.set_rake("UAH", Decimal("50"), None, operator.pk, "test")
    settle.claim_and_settle()
    game.refresh_from_db()
    entry = book.entry(game.entry_id or 0)
    assert entry is not None and len(entry.lines) == 2


def test_a_loss_never_exceeds_the_hold(alice: Any, bob: Any, settings: Any) -> None:
    settings.HOLD_POLICY = "table_stakes"
    game = started(alice, bob, stake="10.00 UAH", cube_limit=64)
    Game.objects.filter(pk=game.pk).update(
        state=game.state | {"cube": game.state["cube"] | {"value": 32, "taken": True}}
    )
    act(alice, game.pk, game.version, "resign")
    settle.claim_and_settle()
    game.refresh_from_db()
    assert (game.points, money.text(game.hold), money.text(game.loss)) == (96, "100.00 UAH", "100.00 UAH")
    hold = book.hold(hold_key(game.pk, alice.pk))
    assert hold is not None and hold.captured == money.parse("100.00 UAH")


def test_a_draw_releases_both_holds_and_writes_no_entry(alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    Game.objects.filter(pk=game.pk).update(
        status="finished", settlement="pending", finished_at=timezone.now(), kind="draw", reason="draw", factor=0,
        cube=1, points=0, running="", running_since=None, deadline=None,
    )  # fmt: skip
    assert settle.claim_and_settle() == settle.Settled(1, 0)
    game.refresh_from_db()
    assert (game.settlement, game.entry_id) == ("settled", None)
    assert not book.holds(alice.pk) and not book.holds(bob.pk) and not book.entries_for(f"game:{game.pk}")


def test_many_batches_settle_everything(alice: Any, bob: Any) -> None:
    for number in range(7):
        finished(alice, bob, loser=("white", "black")[number % 2])
    assert settle.claim_and_settle(batch=3) == settle.Settled(7, 0)
    assert not settle.pending().exists()


def test_what_cannot_be_settled_is_parked_with_its_reason_and_stops_nobody(alice: Any, bob: Any) -> None:
    bad, good = finished(alice, bob), finished(alice, bob)
    with transaction.atomic():
        book.settle([book.Release("stolen", "test", [hold_key(bad.pk, alice.pk)], "test")])
    assert settle.claim_and_settle() == settle.Settled(1, 1)
    bad.refresh_from_db()
    good.refresh_from_db()
    assert (good.settlement, bad.settlement) == ("settled", "parked")
    assert "was released already" in bad.settlement_note
    assert settle.claim_and_settle() == settle.Settled(0, 0)


def test_something_unforeseen_in_one_game_stops_nobody_else(alice: Any, bob: Any, monkeypatch: Any) -> None:
    bad, good = finished(alice, bob), finished(alice, bob)
    honest = settle.draft

    def draft(due: settle.Due) -> Any:
        if due.pk == bad.pk:
            raise ValueError("a bug")
        return honest(due)

    announced: dict[str, int] = {}
    monkeypatch.setattr(settle, "draft", draft)
    monkeypatch.setattr(settle.live, "publish_all_on_commit", announced.update)
    assert settle.claim_and_settle() == settle.Settled(1, 1)
    bad.refresh_from_db()
    good.refresh_from_db()
    assert (good.settlement, bad.settlement, bad.settlement_note) == ("settled", "parked", "ValueError: a bug")
    assert announced == {f"game:{bad.pk}": bad.version, f"game:{good.pk}": good.version}


def test_a_lost_connection_parks_nobody(alice: Any, bob: Any, monkeypatch: Any) -> None:
    game = finished(alice, bob)

    def lost(_drafts: Any) -> Any:
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(settle.book, "settle", lost)
    with pytest.raises(OperationalError):
        settle.claim_and_settle()
    game.refresh_from_db()
    assert game.settlement == "pending"


def test_parked_games_are_tried_again_on_request(alice: Any, bob: Any) -> None:
    game = finished(alice, bob)
    Game.objects.filter(pk=game.pk).update(settlement="parked", settlement_note="test")
    assert settle.claim_and_settle() == settle.Settled(0, 0)
    assert settle.retry_parked() == 1
    assert settle.claim_and_settle() == settle.Settled(1, 0)
    game.refresh_from_db()
    assert (game.settlement, game.settlement_note) == ("settled", "")


def test_operators_pause_and_resume(alice: Any, bob: Any, operator: Any) -> None:
    game = finished(alice, bob)
    settle.pause(operator, "the accountant asked")
    assert settle.claim_and_settle() == settle.Settled(0, 0)
    game.refresh_from_db()
    assert game.settlement == "pending" and len(book.holds(alice.pk)) == 1
    settle.resume(operator, "done")
    assert settle.claim_and_settle() == settle.Settled(1, 0)


def test_the_task_settles(alice: Any, bob: Any) -> None:
    from games import tasks

    game = finished(alice, bob)
    tasks.settle_pending()
    tasks.settle_pending()
    game.refresh_from_db()
    assert game.settlement == "settled" and len(book.entries_for(f"game:{game.pk}")) == 1


def test_money_is_conserved_over_a_series(alice: Any, bob: Any) -> None:
    fund(alice, "1000.00 UAH")
    game = started(alice, bob, variant="hypergammon", series_length=4)
    total = sum(book.wallet(player.pk, "UAH").posted.amount for player in (alice, bob))
    table = Table.objects.select_related("white", "black").get(pk=game.table_id)
    play_on(game)
    for _ in range(3):
        play_on(next_game(table))
    settle.claim_and_settle()
    assert sum(book.wallet(player.pk, "UAH").posted.amount for player in (alice, bob)) == total
