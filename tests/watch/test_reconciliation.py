"""Reconciliation finds what does not agree and stores it for operators; it repairs nothing and forgets nothing."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from celery.schedules import crontab
from django.conf import settings as site
from django.db import transaction

from ledger import book, money, seal
from ledger.models import Balance
from tests.games.helpers import fund, started
from tests.ledger.support import seal_everything
from watch import findings, reconcile
from watch.models import Finding, Verification

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def games(alice: Any, bob: Any) -> Any:
    """A running game with its two holds; everything is sealed."""
    fund(alice, "1000.00 UAH")
    fund(bob, "1000.00 UAH")
    game = started(alice, bob, stake="10.00 UAH", series_length=1)
    seal_everything()
    return game


def intrude(database: Any, statement: str) -> None:
    with psycopg.connect(database.superuser_url) as intruder:
        intruder.execute("SET session_replication_role = replica")
        assert intruder.execute(statement).rowcount  # type: ignore[arg-type]


def open_findings() -> set[tuple[str, str]]:
    return set(Finding.objects.filter(resolved_at=None).values_list("check_name", "subject"))


def test_nothing_is_found_where_all_agrees_and_the_next_run_goes_on_from_here(games: Any) -> None:
    assert reconcile.reconcile() == 0
    assert reconcile.verified() == seal.head()
    assert reconcile.verify_all() == 0
    assert list(Verification.objects.values_list("full", "violations").order_by("id")) == [(False, 0), (True, 0)]
    assert not Finding.objects.exists()


def test_a_hold_that_is_not_its_games_is_found_and_not_repaired(games: Any, database: Any) -> None:
    intrude(database, f"UPDATE ledger_hold SET amount = 29 WHERE reference = 'game:{games.pk}'")
    assert reconcile.reconcile() > 0
    assert ("holds_match_games", f"game {games.pk}") in open_findings()
    assert len(book.holds(games.white_id)) == 1


@pytest.mark.django_db(transaction=True)
def test_the_nightly_run_stores_what_it_finds(games: Any, database: Any) -> None:
    intrude(database, f"UPDATE ledger_hold SET amount = 29 WHERE reference = 'game:{games.pk}'")
    assert reconcile.verify_all() > 0
    assert ("holds_match_games", f"game {games.pk}") in open_findings()
    assert Verification.objects.get().violations > 0


def test_a_wrong_balance_is_found_again_and_again_but_stored_once(games: Any, database: Any) -> None:
    account = f"(SELECT id FROM ledger_account WHERE owner_id = {games.white_id} AND currency = 'UAH')"
    intrude(database, f"UPDATE ledger_balance SET posted = posted + 1 WHERE account_id = {account}")
    for _ in range(3):
        reconcile.reconcile()
    found = Finding.objects.get(check_name="balance_follows_lines")
    assert found.times == 3
    assert "balance says 1601.0000" in found.message
    assert Balance.objects.filter(posted=1601).count() == 1
    assert reconcile.verified().number == 0, "an unsound part is verified again"


def test_segregation_by_currency(alice: Any, operator: Any, stranger: Any) -> None:
    """An adjustment that the house had no money for is owed to the player without cash that covers it."""
    fund(alice, "100.00 UAH")
    fund(alice, "1000 XPC")
    assert list(reconcile.segregation()) == []
    with transaction.atomic():
        asked = book.propose_adjustment("gift", alice.pk, money.parse("7.00 UAH"), operator.pk, "goodwill")
        book.approve(asked.id, stranger.pk)
    for _ in range(2):  # before and after sealing
        (found,) = reconcile.segregation()
        assert (found.subject, found.message) == (
            "currency UAH", "cash of 100.00 UAH does not cover the 107.00 UAH owed",
        )  # fmt: skip
        seal_everything()
    with transaction.atomic():
        book.pay_in_capital("capital", money.parse("7.00 UAH"), operator.pk, "the owner pays")
    assert list(reconcile.segregation()) == []


def test_a_finding_is_resolved_once_with_a_reason_and_found_anew(games: Any, database: Any, operator: Any) -> None:
    intrude(database, f"UPDATE ledger_hold SET amount = 29 WHERE reference = 'game:{games.pk}'")
    reconcile.reconcile()
    found = Finding.objects.get(check_name="holds_match_games")
    with pytest.raises(findings.ReasonMissing):
        findings.resolve(found.pk, operator, " ")
    assert findings.resolve(found.pk, operator, "a test")
    assert not findings.resolve(found.pk, operator, "again")
    reconcile.reconcile()
    again = Finding.objects.get(check_name="holds_match_games", resolved_at=None)
    assert again.pk != found.pk


def test_operators_see_findings_and_only_with_the_right_resolve_them(
    games: Any, database: Any, operator: Any, client: Any, make_user: Any
) -> None:
    intrude(database, f"UPDATE ledger_hold SET amount = 29 WHERE reference = 'game:{games.pk}'")
    reconcile.reconcile()
    (pk, *_) = Finding.objects.values_list("pk", flat=True)
    action = {"action": "resolve", "_selected_action": [pk], "reason": "told the bank"}
    client.force_login(make_user("clerk", is_staff=True))
    assert client.post("/admin/watch/finding/", action).status_code == 403
    client.force_login(operator)
    assert f"game {games.pk}" in client.get("/admin/watch/finding/").content.decode()
    client.post("/admin/watch/finding/", action | {"reason": ""})
    assert Finding.objects.get(pk=pk).resolved_at is None
    client.post("/admin/watch/finding/", action)
    assert Finding.objects.get(pk=pk).reason == "told the bank"


def test_beat_does_it_by_the_clock() -> None:
    """An interval would start anew with each restart of beat."""
    schedule = {entry["task"]: entry["schedule"] for entry in site.CELERY_BEAT_SCHEDULE.values()}
    assert schedule["watch.tasks.reconcile"] == crontab(minute="5")
    assert schedule["watch.tasks.verify_all"] == crontab(hour="3", minute="30")
