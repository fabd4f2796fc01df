"""Whole tournaments with all that goes wrong in them: a Swiss of 32, a knockout of 13, a round robin, a cancelled one.

`pytest -s` prints standings, entries and pools.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games import tables
from ledger import book
from ledger.reports import REPORTS
from ledger.reports.params import read
from ledger.reports.report import arguments, stream
from tests.games.helpers import fund
from tests.tournaments.playing import (
    by_chance,
    by_name,
    opened,
    pass_deadlines,
    people,
    places,
    play,
    play_out,
    play_round,
    promote,
    started,
    state,
    stronger,
    violations,
)
from tournaments import advance, life, pages, registration
from tournaments.models import Pairing
from tournaments.state import State

pytestmark = pytest.mark.django_db


def show(now: State, title: str) -> None:
    print(f"\n{title}: {now.tournament.status}, {len(now.entrants)} entrants, {len(now.rounds)} rounds")
    for row in pages.standings(now) if now.seeded else []:
        numbers = " ".join(number or "·" for number in row.numbers)
        print(f"  {row.place:>6} {row.entrant!s:6} {numbers:28} {row.prize or ''}")
    kinds = Counter(entry.kind for entry in book.entries_for(f"tournament:{now.tournament.pk}"))
    print(f"  entries {dict(kinds)}, pool {book.pool(now.tournament.pk, 'UAH')}")


def test_a_swiss_of_32_with_withdrawals_a_no_show_and_a_late_entry(make_user: Any) -> None:
    promote("400.00 UAH")
    tournament = started(32, guarantee="400.00")
    assert tournament.rounds == 5
    choose = by_chance(7)
    play_round(tournament, choose)
    late = make_user("late")
    fund(late, "50.00 UAH")
    registration.register(late, tournament.pk)
    registration.leave(by_name(state(tournament), "p5").player, tournament.pk)
    play_round(tournament, choose)
    registration.leave(by_name(state(tournament), "p9").player, tournament.pk)
    absent = state(tournament).open_pairings[3]
    for pairing in state(tournament).open_pairings:
        if pairing.pk != absent.pk:
            play(pairing, choose(pairing))
    tables.say_ready(absent.first.player, absent.table_id)
    pass_deadlines(tournament)
    advance.advance(tournament.pk)
    absent.refresh_from_db()
    assert (absent.outcome, absent.winner_id) == ("forfeit", absent.first_id)
    now = play_out(tournament, choose)
    life.pay(tournament.pk)
    now = state(tournament)
    show(now, "Swiss of 32")
    _nobody_meets_twice_and_no_second_bye(now)
    assert by_name(now, "late").from_round == 3
    assert [str(e) for e in now.entrants.values() if e.status == "withdrawn"] == ["p5", "p9"]
    # 33 entries of 10.00 and 80.00 of the guarantee, which counted 32 at the start.
    assert sum(amount.amount for amount in pages.prize_by_entrant(now).values()) == 410
    assert book.pool(tournament.pk, "UAH").amount == 0 and not violations()


def _nobody_meets_twice_and_no_second_bye(now: State) -> None:
    met = [frozenset((p.first_id, p.second_id)) for p in now.pairings if p.second_id]
    byes = [p.first_id for p in now.pairings if p.outcome == Pairing.Outcome.BYE]
    assert len(set(met)) == len(met) and len(set(byes)) == len(byes)


def test_a_knockout_of_13_with_byes() -> None:
    tournament = started(13, format="knockout")
    assert len(state(tournament).pairings) == 5  # three byes: the best seeds enter in round 2
    now = play_out(tournament)
    life.pay(tournament.pk)
    now = state(tournament)
    show(now, "Knockout of 13")
    assert len([p for p in now.pairings if p.outcome == "played"]) == 12
    assert places(now)[:4] == [["p1"], ["p2"], ["p3", "p4"], ["p5", "p6", "p7", "p8"]]
    prizes = {str(now.entrants[pk]): str(amount.amount) for pk, amount in pages.prize_by_entrant(now).items()}
    assert prizes == {"p1": "65.00", "p2": "39.00", "p3": "13.00", "p4": "13.00"}
    assert book.pool(tournament.pk, "UAH").amount == 0 and not violations()


#: p1, p2, p3 beat each other in a circle and everybody else: tied by every key.
CIRCLE = {frozenset(("p1", "p2")): "p1", frozenset(("p2", "p3")): "p2", frozenset(("p1", "p3")): "p3"}


def test_a_round_robin_of_8_with_a_three_way_tie_at_the_top() -> None:
    tournament = started(8, format="round_robin", entry="12.51")

    def choose(pairing: Pairing) -> Any:
        best = stronger(pairing)
        name = CIRCLE.get(frozenset((str(pairing.first), str(pairing.second))), str(best))
        return pairing.first if str(pairing.first) == name else pairing.second

    now = play_out(tournament, choose)
    life.pay(tournament.pk)
    now = state(tournament)
    show(now, "Round robin of 8")
    assert places(now)[0] == ["p1", "p2", "p3"] and len(now.pairings) == 28
    prizes = {str(now.entrants[pk]): str(amount.amount) for pk, amount in pages.prize_by_entrant(now).items()}
    assert prizes == {"p1": "33.36", "p2": "33.36", "p3": "33.36"}  # 100.08 shared by three places
    assert book.pool(tournament.pk, "UAH").amount == 0 and not violations()


def test_a_cancelled_one_gives_everything_back() -> None:
    tournament = opened()
    for player in people(6):
        registration.register(player, tournament.pk)
    life.cancel(tournament.pk, reason="the hall is closed")
    promote("100.00 UAH")
    running = started(6, guarantee="100.00")
    play_round(running)
    life.cancel(running.pk, reason="power cut")
    show(state(tournament), "Cancelled before the start")
    show(state(running), "Aborted in round 2")
    assert [str(book.wallet(player.pk, "UAH").available.amount) for player in people(6, "0.01 UAH")] == ["200.01"] * 6
    assert book.pool(running.pk, "UAH").amount == 0 and not violations()


def rows(name: str) -> list[dict[str, Any]]:
    report = REPORTS[name]
    given = arguments(report, read("2020-01-01", "2100-01-01", currency="UAH"))
    names = [column.key for column in report.columns]
    return [dict(zip(names, row, strict=True)) for row in stream(report, given)]


def test_the_reports_of_tournaments_and_revenue_agree() -> None:
    promote("200.00 UAH")
    paid = started(4, format="knockout", guarantee="100.00")
    play_out(paid)
    life.pay(paid.pk)
    life.cancel(started(4, guarantee="100.00").pk, reason="test")
    started(5)
    tournaments, revenue = rows("tournaments"), rows("revenue")
    columns = ("entry_money", "overlay", "prizes", "refunds")
    assert [tuple(int(row[name]) for name in columns) for row in tournaments] == [
        (40, 60, 100, 0), (40, 0, 0, 40), (50, 0, 0, 0),
    ]  # fmt: skip
    assert sum(row["fees"] for row in tournaments) == sum(row["fees"] for row in revenue)
    assert [int(row["promotion"]) for row in revenue] == [200], "spent when it was set aside"
    assert [int(row["pool_change"]) for row in tournaments] == [0, 0, 50]
