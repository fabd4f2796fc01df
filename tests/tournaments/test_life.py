"""The life of a tournament: each step with its guard, by hand and by schedule, repeated without harm."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from ledger import book
from tests.tournaments.playing import (
    make,
    opened,
    people,
    play_out,
    play_round,
    promote,
    started,
    state,
    violations,
)
from tournaments import advance, life, purse, registration
from tournaments.errors import (
    CannotStart,
    Full,
    FundTooSmall,
    NotEnoughForEntry,
    NotFound,
    NotNow,
    ReasonNeeded,
    TooFew,
)
from tournaments.models import Pairing, Tournament

pytestmark = pytest.mark.django_db


def available(player: Any) -> str:
    return str(book.wallet(player.pk, "UAH").available.amount)


def test_the_whole_life_by_hand() -> None:
    tournament = make(format="knockout")
    players = people(4)
    life.announce(tournament.pk)
    with pytest.raises(NotNow):
        registration.register(players[0], tournament.pk)
    life.open_registration(tournament.pk)
    for player in players:
        registration.register(player, tournament.pk)
    assert available(players[0]) == "89.00" and book.pool(tournament.pk, "UAH").amount == 0
    life.close_registration(tournament.pk)
    life.start(tournament.pk)
    assert str(book.pool(tournament.pk, "UAH").amount) == "40.00"
    assert not violations()
    now = play_out(tournament)
    assert now.tournament.status == "finished"
    life.pay(tournament.pk)
    assert [available(player) for player in players] == ["117.00", "101.00", "89.00", "89.00"]
    assert book.pool(tournament.pk, "UAH").amount == 0 and not violations()


def test_every_step_repeated_changes_nothing() -> None:
    tournament = started(4, format="knockout")
    steps = [life.announce, life.open_registration, life.close_registration, life.start]
    version = state(tournament).tournament.version
    for step in steps:
        step(tournament.pk)
    assert state(tournament).tournament.version == version and Pairing.objects.count() == 2
    play_out(tournament)
    for _ in range(2):
        life.finish(tournament.pk)
        life.pay(tournament.pk)
    prizes = [e for e in book.entries_for(f"tournament:{tournament.pk}") if e.kind == "tournament_prize"]
    assert len(prizes) == 2


@pytest.mark.parametrize("step", [life.open_registration, life.close_registration, life.start, life.finish, life.pay])
def test_no_step_before_its_time(step: Any) -> None:
    with pytest.raises(NotNow):
        step(make().pk)


def test_the_schedule_does_everything() -> None:
    now = timezone.now()
    tournament = make(
        automatic=True, registration_opens_at=now - timedelta(hours=1), starts_at=now + timedelta(hours=1)
    )
    players = people(3)
    life.announce(tournament.pk)
    advance.sweep()
    assert state(tournament).tournament.status == "registration"
    for player in players:
        registration.register(player, tournament.pk)
    advance.sweep()
    assert state(tournament).tournament.status == "registration"
    Tournament.objects.update(starts_at=now - timedelta(seconds=1))
    advance.sweep()
    assert state(tournament).tournament.status == "running"
    play_round(tournament)
    play_round(tournament)
    assert state(tournament).tournament.status == "paid"
    assert book.pool(tournament.pk, "UAH").amount == 0 and not violations()


def test_too_small_a_field_is_cancelled_by_schedule_and_refused_by_hand() -> None:
    tournament = opened(min_field=4, automatic=True)
    players = people(3)
    for player in players:
        registration.register(player, tournament.pk)
    with pytest.raises(TooFew):
        life.close_registration(tournament.pk)
    advance.sweep()
    now = state(tournament)
    assert now.tournament.status == "cancelled"
    assert [available(player) for player in players] == ["100.00"] * 3
    assert not book.entries_for(f"tournament:{tournament.pk}") and not violations()


def test_registering_twice_blocks_once_and_leaving_sets_free() -> None:
    tournament = opened()
    (player,) = people(1)
    registration.register(player, tournament.pk)
    registration.register(player, tournament.pk)
    assert available(player) == "89.00"
    registration.leave(player, tournament.pk)
    registration.leave(player, tournament.pk)
    assert available(player) == "100.00"
    registration.register(player, tournament.pk)
    assert available(player) == "89.00" and not violations()


def test_registration_refuses_the_poor_the_many_and_a_draft() -> None:
    tournament = opened(max_field=2)
    one, two, three = people(3)
    with pytest.raises(NotEnoughForEntry):
        registration.register(people(4, "1.00 UAH")[3], tournament.pk)
    registration.register(one, tournament.pk)
    registration.register(two, tournament.pk)
    with pytest.raises(Full):
        registration.register(three, tournament.pk)
    with pytest.raises(NotFound):
        registration.register(three, make().pk)


def test_a_tournament_for_nothing_moves_no_money() -> None:
    tournament = started(3, entry="0", fee="0")
    play_out(tournament)
    life.pay(tournament.pk)
    assert not book.entries_for(f"tournament:{tournament.pk}") and not violations()


def fund() -> str:
    return str(book.promotion_fund("UAH").amount)


def test_a_guarantee_is_put_into_the_pool_when_it_is_promised() -> None:
    """The smallest field brings 20 of the 100, so 80 are promised; four bring 40, so 60 are added."""
    promote("85.00 UAH")
    tournament = make(format="knockout", guarantee="100.00")
    life.announce(tournament.pk)
    assert (str(book.pool(tournament.pk, "UAH").amount), fund()) == ("80.00", "5.00")
    assert not violations()
    life.open_registration(tournament.pk)
    for player in people(4):
        registration.register(player, tournament.pk)
    life.close_registration(tournament.pk)
    life.start(tournament.pk)
    assert (str(book.pool(tournament.pk, "UAH").amount), fund()) == ("100.00", "25.00")
    assert not violations()
    play_out(tournament)
    life.pay(tournament.pk)
    house = {balance.kind: str(balance.total.amount) for balance in book.house_balances() if balance.currency == "UAH"}
    assert (house["entry_fees"], house["promotion"], fund()) == ("4.00", "-85.00", "25.00") and not violations()


def test_no_promise_without_the_money_for_it() -> None:
    """The fund has enough for one of two; what the first gives back is there for the second."""
    promote("80.00 UAH")
    first, second = make(guarantee="100.00"), make(added="80.00")
    life.announce(first.pk)
    with pytest.raises(FundTooSmall) as refused:
        life.announce(second.pk)
    assert "up to 80.00 UAH, and the promotion fund has 0.00 UAH" in str(refused.value)
    assert state(second).tournament.status == "draft" and not second.log.exists() and not violations()
    life.cancel(first.pk, reason="nobody comes")
    life.announce(second.pk)
    assert str(book.pool(second.pk, "UAH").amount) == "80.00" and not violations()


def test_added_money_is_all_added_and_play_chips_have_a_fund_of_their_own() -> None:
    promote("70 XPC")
    with pytest.raises(FundTooSmall):
        life.announce(make(added="71", entry="0", fee="0", entry_currency="XPC").pk)
    tournament = started(3, added="70", entry="0", fee="0", entry_currency="XPC")
    assert book.pool(tournament.pk, "XPC").amount == 70 and not violations()
    play_out(tournament)
    life.pay(tournament.pk)
    assert book.promotion_fund("XPC").amount == 0 and not violations()


def test_a_promise_from_before_the_fund_is_drawn_at_the_start(monkeypatch: Any) -> None:
    """Announced by a release that promised without money: the start is refused, in words, until the fund has it."""
    monkeypatch.setattr(purse, "keep_promise", lambda tournament: None)
    tournament = opened(guarantee="100.00")
    assert violations() == [
        f"promises_are_in_the_pool: tournament {tournament.pk}: the site promises 80.000, its pool has 0"
    ]
    for player in people(4):
        registration.register(player, tournament.pk)
    life.close_registration(tournament.pk)
    with pytest.raises(CannotStart) as refused:
        life.start(tournament.pk)
    assert "₴60.00 of the promotion fund are promised, and it has ₴0.00" in str(refused.value)
    assert available(people(1, "0.01 UAH")[0]) == "89.01", "nothing was taken"
    promote("60.00 UAH")
    life.start(tournament.pk)
    assert (str(book.pool(tournament.pk, "UAH").amount), fund()) == ("100.00", "0.00") and not violations()


def test_cancelling_needs_a_reason_and_refunds_after_the_start() -> None:
    promote("80.00 UAH")
    tournament = started(4, guarantee="100.00")
    with pytest.raises(ReasonNeeded):
        life.cancel(tournament.pk, reason=" ")
    life.cancel(tournament.pk, reason="no light")
    life.cancel(tournament.pk, reason="no light")
    players = people(4, "0.01 UAH")
    assert [available(player) for player in players] == ["100.01"] * 4
    house = {balance.kind: balance.total.amount for balance in book.house_balances() if balance.currency == "UAH"}
    assert (house["entry_fees"], house["promotion"], fund()) == (0, -80, "80.00")
    assert not violations() and not Pairing.objects.filter(outcome="").exists()
    with pytest.raises(NotNow):
        life.start(tournament.pk)


def test_an_abort_by_standings_pays_the_places_of_that_moment() -> None:
    tournament = started(4, format="round_robin", abort_rule="standings")
    play_round(tournament)
    life.cancel(tournament.pk, reason="the hall closes")
    assert state(tournament).tournament.status == "paid"
    assert book.pool(tournament.pk, "UAH").amount == 0 and not violations()


def test_a_crash_between_two_steps_loses_nothing(monkeypatch: Any) -> None:
    tournament = started(4, format="knockout", automatic=True)
    for pairing in state(tournament).open_pairings:
        from tests.tournaments.playing import play, stronger

        play(pairing, stronger(pairing))
    monkeypatch.setattr("tournaments.rounds.pair_next", lambda state: (_ for _ in ()).throw(RuntimeError("power")))
    with pytest.raises(RuntimeError):
        advance.advance(tournament.pk)
    monkeypatch.undo()
    now = state(tournament)
    assert not now.open_pairings and len(now.rounds) == 1  # results were kept, the next round is still to come
    advance.sweep()
    assert len(state(tournament).rounds) == 2
