"""What a director does by hand: forfeit, extend, correct, withdraw, pause; each with a reason and in the log."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from games import tables
from ledger import book, money
from ledger.errors import AccountOwes
from ledger.posting import LARGEST_BATCH
from tests.ledger.support import withdraw
from tests.tournaments.playing import (
    by_name,
    make,
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
from tournaments import advance, direct, life, pages, registration
from tournaments.admin_form import LARGEST_FIELD
from tournaments.errors import AlreadyDecided, BadMinutes, CannotCorrect, NotFound, NotNow, ReasonNeeded
from tournaments.models import LogEntry, Pairing, Tournament

pytestmark = pytest.mark.django_db


def actions(tournament: Tournament) -> list[str]:
    return list(tournament.log.order_by("pk").values_list("action", flat=True))


def test_a_forfeit_voids_the_running_game_and_the_next_round_comes(operator: Any) -> None:
    tournament = started(4, format="knockout")
    one, two = state(tournament).open_pairings
    play(one, stronger(one))
    for entrant in (two.first, two.second):
        tables.say_ready(entrant.player, two.table_id)
    direct.forfeit(tournament.pk, two.pk, "second", "left the hall", operator)
    advance.advance(tournament.pk)
    now = state(tournament)
    assert len(now.rounds) == 2 and not violations()
    assert two.table.games.get().status == "void"
    with pytest.raises(AlreadyDecided):
        direct.forfeit(tournament.pk, two.pk, "first", "again", operator)
    assert "forfeit" in actions(tournament)


def test_absence_is_a_forfeit_and_twice_a_withdrawal() -> None:
    tournament = started(4, format="round_robin")
    for _ in range(2):
        for pairing in state(tournament).open_pairings:
            names = {str(pairing.first), str(pairing.second)}
            if "p4" not in names:
                play(pairing, stronger(pairing))
            else:
                here = pairing.first if str(pairing.second) == "p4" else pairing.second
                tables.say_ready(here.player, pairing.table_id)
        pass_deadlines(tournament)
        advance.advance(tournament.pk)
    now = state(tournament)
    assert by_name(now, "p4").status == "withdrawn"
    play_out(tournament)
    assert places(state(tournament)) == [["p1"], ["p2"], ["p3"]]  # p4 played less than half: unranked


def test_both_absent_in_a_bracket_are_both_out_and_the_next_walks_over() -> None:
    tournament = started(4, format="knockout")
    one, _two = state(tournament).open_pairings
    play(one, stronger(one))
    pass_deadlines(tournament)
    advance.advance(tournament.pk)
    now = state(tournament)
    assert now.tournament.status == "finished"
    assert places(now)[0] == ["p1"]
    life.pay(tournament.pk)
    assert book.pool(tournament.pk, "UAH").amount == 0 and not violations()


def test_more_minutes_and_a_pause_move_deadlines(operator: Any) -> None:
    tournament = started(4)
    pass_deadlines(tournament)
    one, two = state(tournament).open_pairings
    direct.extend(tournament.pk, one.pk, 30, "bus is late", operator)
    direct.pause(tournament.pk, "power cut", operator)
    advance.advance(tournament.pk)
    assert len(state(tournament).open_pairings) == 2
    Tournament.objects.update(paused_at=timezone.now() - timedelta(hours=1))
    direct.resume(tournament.pk, "light again", operator)
    two.refresh_from_db()
    assert two.deadline > timezone.now() + timedelta(minutes=58)
    pass_deadlines(tournament)
    advance.advance(tournament.pk)
    assert not Pairing.objects.filter(pk=one.pk, outcome="").exists()


@pytest.mark.parametrize("minutes", [-5, 0, 10_081])
def test_minutes_that_are_none_are_refused_and_not_logged(operator: Any, minutes: int) -> None:
    tournament = started(4)
    pairing = state(tournament).open_pairings[0]
    with pytest.raises(BadMinutes, match="from 1 to 10080 minutes"):
        direct.extend(tournament.pk, pairing.pk, minutes, "bus is late", operator)
    assert state(tournament).open_pairings[0].deadline == pairing.deadline
    assert not LogEntry.objects.filter(action="extend").exists()


@pytest.mark.parametrize("field", [4, 12])
def test_a_pause_ends_with_one_statement_for_all_deadlines(
    operator: Any, field: int, django_assert_num_queries: Any
) -> None:
    tournament = started(field)
    direct.pause(tournament.pk, "power cut", operator)
    with django_assert_num_queries(6):  # lock, deadlines, log, tournament; the savepoint around them
        direct.resume(tournament.pk, "light again", operator)


def test_reasons_are_asked_for_and_strange_ids_refused(operator: Any) -> None:
    tournament, other = started(4), started(4)
    pairing = state(tournament).open_pairings[0]
    for call in (
        lambda: direct.forfeit(tournament.pk, pairing.pk, "first", "", operator),
        lambda: direct.extend(tournament.pk, pairing.pk, 5, " ", operator),
        lambda: direct.pause(tournament.pk, "", operator),
        lambda: direct.withdraw(tournament.pk, pairing.first_id, "", operator),
    ):
        with pytest.raises(ReasonNeeded):
            call()
    with pytest.raises(NotFound):
        direct.forfeit(other.pk, pairing.pk, "first", "wrong tournament", operator)
    assert not LogEntry.objects.filter(action__in=["forfeit", "extend", "pause", "withdraw"]).exists()


def test_a_corrected_result_seats_the_right_people(operator: Any) -> None:
    tournament = started(4, format="knockout")
    play_round(tournament)
    final = state(tournament).open_pairings[0]
    semi = next(p for p in state(tournament).pairings if str(p.first) == "p1" and p.round.number == 1)
    direct.correct(tournament.pk, semi.pk, "second", (0, 1), "the sheet was wrong", operator)
    now = state(tournament)
    assert {str(now.open_pairings[0].first), str(now.open_pairings[0].second)} == {"p4", "p2"}
    final.table.refresh_from_db()
    assert (final.table.status, final.table.close_reason) == ("closed", "corrected")
    play_out(tournament)
    with pytest.raises(CannotCorrect) as refused, override("uk"):
        direct.correct(tournament.pk, semi.pk, "first", (1, 0), "back again", operator)
    assert "спершу виправте її" in str(refused.value.params["reason"])


def test_after_the_payout_compensating_entries_are_posted_once(operator: Any) -> None:
    tournament = started(4, format="knockout")
    play_out(tournament)
    life.pay(tournament.pk)
    final = state(tournament).pairings[-1]
    direct.correct(tournament.pk, final.pk, "second" if str(final.first) == "p1" else "first",
                   (0, 1) if str(final.first) == "p1" else (1, 0), "the other one won", operator)  # fmt: skip
    paid = [book.wallet(player.pk, "UAH").available.amount for player in people(4, "0.01 UAH")]
    assert [str(amount) for amount in paid[:2]] == ["101.01", "117.01"]
    assert book.pool(tournament.pk, "UAH").amount == 0 and not violations()
    kinds = [entry.kind for entry in book.entries_for(f"tournament:{tournament.pk}")]
    assert (kinds.count("tournament_prize"), kinds.count("tournament_correction")) == (2, 2)


def test_a_corrected_prize_that_was_spent_is_owed(client: Client, operator: Any) -> None:
    """p1 has withdrawn all, the prize of 28 included; the final was p2's, and p2 gets the difference at once."""
    tournament = started(4, format="knockout")
    play_out(tournament)
    life.pay(tournament.pk)
    one, two = (by_name(state(tournament), name).player for name in ("p1", "p2"))
    had = book.wallet(two.pk, "UAH").available
    with transaction.atomic():
        withdraw("spent", one.pk, book.wallet(one.pk, "UAH").available - money.parse("3.00 UAH"), None, "test")
    final = state(tournament).pairings[-1]
    direct.correct(tournament.pk, final.pk, "second", (0, 1), "the other one won", operator)
    assert state(tournament).pairings[-1].winner_id == final.second_id
    wallet = book.wallet(one.pk, "UAH")
    assert (str(wallet.available.amount), str(wallet.owed)) == ("0.00", str(money.parse("13.00 UAH")))
    assert book.wallet(two.pk, "UAH").available - had == money.parse("16.00 UAH")
    assert book.pool(tournament.pk, "UAH").amount == 0 and not violations()
    prizes = {str(state(tournament).entrants[pk]): str(amount.amount)
              for pk, amount in pages.prize_by_entrant(state(tournament)).items()}  # fmt: skip
    assert prizes == {"p2": "28.00", "p1": "12.00"}
    with pytest.raises(AccountOwes), transaction.atomic():
        book.place_holds([book.HoldRequest("h", one.pk, money.parse("1.00 UAH"))])
    client.force_login(one)
    page = client.get(reverse("tournament_money", args=[tournament.pk])).content.decode()
    assert "owed, because it was spent" in page and "−₴13.00" in page and "−₴3.00" in page
    assert "a prize corrected" in client.get(reverse("wallet")).content.decode()
    # It was right after all: what was owed is owed no more, and the rest is in the wallet again.
    direct.correct(tournament.pk, final.pk, "first", (1, 0), "it was right", operator)
    wallet = book.wallet(one.pk, "UAH")
    assert (str(wallet.available.amount), wallet.owed) == ("3.00", None) and not violations()


def test_a_debt_that_was_paid_back_is_not_taken_off_twice(operator: Any) -> None:
    tournament = started(4, format="knockout")
    play_out(tournament)
    life.pay(tournament.pk)
    one = by_name(state(tournament), "p1").player
    with transaction.atomic():
        withdraw("spent", one.pk, book.wallet(one.pk, "UAH").available, None, "test")
    final = state(tournament).pairings[-1]
    direct.correct(tournament.pk, final.pk, "second", (0, 1), "the other one won", operator)
    with transaction.atomic():
        book.repay("back", one.pk, money.parse("10.00 UAH"), operator.pk, "cash")
    direct.correct(tournament.pk, final.pk, "first", (1, 0), "it was right", operator)
    wallet = book.wallet(one.pk, "UAH")
    assert (str(wallet.available.amount), wallet.owed) == ("10.00", None) and not violations()


def test_a_correction_takes_from_a_frozen_wallet_too(operator: Any) -> None:
    tournament = started(4, format="knockout")
    play_out(tournament)
    life.pay(tournament.pk)
    with transaction.atomic():
        book.freeze(by_name(state(tournament), "p1").player_id, "UAH", operator.pk, "under inquiry")
    final = state(tournament).pairings[-1]
    direct.correct(tournament.pk, final.pk, "second", (0, 1), "the other one won", operator)
    assert book.wallet(final.first.player_id, "UAH").owed is None and not violations()


def test_a_withdrawal_before_the_start_sets_money_free(operator: Any) -> None:
    tournament = started(4)
    with pytest.raises(NotNow):
        life.close_registration(life.cancel(tournament.pk, reason="test").pk)
    from tests.tournaments.playing import opened

    other = opened()
    players = people(3)
    for player in players:
        registration.register(player, other.pk)
    life.close_registration(other.pk)
    direct.withdraw(other.pk, state(other).seeded[1].pk, "ill", operator)
    life.start(other.pk)
    assert len(state(other).entrants) == 2 and not violations()


def test_the_log_cannot_be_changed() -> None:
    tournament = started(4)
    with pytest.raises(DatabaseError), transaction.atomic():
        tournament.log.update(reason="nothing happened")
    with pytest.raises(DatabaseError), transaction.atomic():
        tournament.log.all().delete()


# --- The director's page ----------------------------------------------------------------------------------------------


def run_page(tournament: Tournament) -> str:
    return reverse("admin:tournaments_tournament_run", args=[tournament.pk])


def test_the_page_does_every_step(client: Client, operator: Any) -> None:
    tournament = started(4, format="swiss")
    client.force_login(operator)
    assert "What this round waits for" in client.get(run_page(tournament)).content.decode()
    one, two = state(tournament).open_pairings
    client.post(run_page(tournament), {"action": "forfeit", "pairing": one.pk, "loser": "first", "reason": "ill"})
    play(two, stronger(two))
    page = client.post(run_page(tournament), {"action": "pause", "reason": "tea"}, follow=True).content.decode()
    assert "Done: paused." in page and "tea" in page
    page = client.get(run_page(tournament), {"dry": 1}).content.decode()
    assert "The next round waits for" in page
    client.post(run_page(tournament), {"action": "resume", "reason": "tea is over"})
    assert len(state(tournament).rounds) == 2
    page = client.post(run_page(tournament), {"action": "finish"}, follow=True).content.decode()
    assert "Say the reason" in page
    client.post(run_page(tournament), {"action": "finish", "reason": "late"})
    client.post(run_page(tournament), {"action": "pay"})
    assert state(tournament).tournament.status == "paid" and not violations()


def test_the_page_says_what_is_promised_before_it_is_announced(client: Client, operator: Any) -> None:
    tournament = make(guarantee="100.00")
    client.force_login(operator)
    page = client.get(run_page(tournament)).content.decode()
    assert "The site promises up to ₴80.00" in page and "The promotion fund has ₴0.00." in page
    page = client.post(run_page(tournament), {"action": "announce"}, follow=True).content.decode()
    assert "promise up to ₴80.00, and the promotion fund has ₴0.00" in page and "Nothing was announced" in page
    assert actions(tournament) == []
    promote("80.00 UAH")
    client.post(run_page(tournament), {"action": "announce"})
    assert actions(tournament) == ["announce"] and book.promotion_fund("UAH").amount == 0
    assert "The site promises" not in client.get(run_page(tournament)).content.decode()


def test_a_dry_run_shows_the_next_pairing_and_stores_nothing(client: Client, operator: Any) -> None:
    tournament = started(4)
    for pairing in state(tournament).open_pairings:
        play(pairing, stronger(pairing))
    Tournament.objects.filter(pk=tournament.pk).update(paused_at=timezone.now())
    from tournaments import rounds

    rounds.collect(state(tournament))
    client.force_login(operator)
    page = client.get(run_page(tournament), {"dry": 1}).content.decode()
    assert "nothing is stored" in page and "p1 – " in page
    assert len(state(tournament).rounds) == 1


def test_damaged_forms_change_nothing(client: Client, operator: Any) -> None:
    tournament = started(4)
    client.force_login(operator)
    for form in ({"action": "explode"}, {"action": "forfeit", "loser": "third"}, {}):
        page = client.post(run_page(tournament), form, follow=True).content.decode()
        assert "damaged on the way" in page
    page = client.post(run_page(tournament), {"action": "forfeit", "loser": "both", "pairing": "x", "reason": "r"},
                       follow=True)  # fmt: skip
    assert page.status_code == 200 and len(state(tournament).open_pairings) == 2


def test_players_and_plain_staff_do_not_get_in(client: Client, stranger: Any, make_user: Any) -> None:
    tournament = started(4)
    for person, status in ((stranger, 302), (make_user("clerk", is_staff=True), 403)):
        client.force_login(person)
        assert client.get(run_page(tournament)).status_code == status
        assert client.post(run_page(tournament), {"action": "cancel", "reason": "mine"}).status_code == status
    assert state(tournament).tournament.status == "running"


FORM = {
    "title": "Sunday cup", "description": "", "format": "swiss", "rounds": "", "late_entry": "on", "seeding": "rating",
    "time_zone": "Europe/Kyiv", "starts_local_0": "2027-01-10", "starts_local_1": "18:00", "opens_local_0": "",
    "opens_local_1": "", "automatic": "on", "min_field": "4", "max_field": "64", "variant": "short",
    "options": '{"cube_limit": 8}', "count_by": "points", "target": "3", "crawford": "on", "first_move": "loser",
    "clock": "fast", "no_show_minutes": "10", "entry_0": "10.00", "entry_1": "UAH", "fee": "1", "added": "0",
    "guarantee": "0", "prize_weights": "[]", "abort_rule": "refund", "ranking": "[]", "difference_cap": "5",
    "entrants-TOTAL_FORMS": "0", "entrants-INITIAL_FORMS": "0", "log-TOTAL_FORMS": "0", "log-INITIAL_FORMS": "0",
}  # fmt: skip


def test_a_director_writes_a_tournament_in_local_time(client: Client, operator: Any) -> None:
    client.force_login(operator)
    add = reverse("admin:tournaments_tournament_add")
    page = client.get(add, {"preset": "evening_swiss"})
    assert page.status_code == 200 and "cube_limit" in page.content.decode()
    assert "preset=quick_knockout" in client.get(reverse("admin:tournaments_tournament_changelist")).content.decode()
    assert client.post(add, FORM).status_code == 302
    tournament = Tournament.objects.get()
    assert tournament.starts_at.isoformat() == "2027-01-10T16:00:00+00:00"
    assert (tournament.created_by, actions(tournament)) == (operator, ["edit"])
    change = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
    assert "18:00" in client.get(change).content.decode()
    life.announce(tournament.pk)
    assert client.get(change).status_code == 200
    assert client.post(change, FORM | {"description": "With tea."}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.description == "With tea." and tournament.status == tournament.Status.ANNOUNCED


def test_who_writes_a_draft_hears_at_once_what_the_fund_lacks(client: Client, operator: Any) -> None:
    client.force_login(operator)
    add = reverse("admin:tournaments_tournament_add")
    said = "The site promises up to ₴60.00"
    assert said in client.post(add, FORM | {"guarantee": "100"}, follow=True).content.decode()
    promote("60.00 UAH")
    assert said not in client.post(add, FORM | {"guarantee": "100"}, follow=True).content.decode()
    assert Tournament.objects.count() == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"starts_local_0": "2027-03-28", "starts_local_1": "03:30"}, "does not exist in Europe/Kyiv"),
        ({"options": '{"cube_limit": 3}'}, "cube_limit"),
        ({"prize_weights": "[30, 50]"}, "none above the one before"),
        ({"ranking": '["luck"]'}, "Choose from these"),
        ({"min_field": "9", "max_field": "8"}, "cannot be below"),
        ({"max_field": "1001"}, "less than or equal to 1000"),
        ({"format": "knockout", "rounds": "5"}, "Only a Swiss"),
        ({"fee": "0.005"}, "2 decimals"),
        ({"fee": "10.01"}, "cannot be more than it"),
        ({"guarantee": "1000001"}, "The highest amount is 1000000."),
        ({"starts_local_0": "2020-01-10"}, "This time is over"),
        ({"rounds": "0"}, "at least one round"),
        ({"options": '"x"'}, "Write options by name"),
        ({"options": "[1]"}, "Write options by name"),
        ({"options": '{"variant": "long"}'}, "Write options by name"),
        ({"options": '{"luck": 1}'}, "There is no option called luck."),
        ({"ranking": '[["points"]]'}, "Choose from these"),
    ],
)
def test_bad_terms_are_refused_in_words(client: Client, operator: Any, change: dict[str, str], words: str) -> None:
    client.force_login(operator)
    response = client.post(reverse("admin:tournaments_tournament_add"), FORM | change)
    assert response.status_code == 200 and words in response.content.decode()
    assert not Tournament.objects.exists()


def test_the_largest_field_is_one_batch_of_the_ledger() -> None:
    """Or nobody could start it, nor cancel it and get the money back."""
    assert LARGEST_FIELD <= LARGEST_BATCH
