"""Closing a month: when it can be, that it stays, and that its reports are the same to the byte ever after."""

from __future__ import annotations

import io
from datetime import date, timedelta
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from ledger import book, errors, periods, verify
from ledger.models import Entry, Period
from ledger.money import parse
from ledger.reports import REPORTS, Params, export
from ledger.reports.formats import FORMATS
from tests.ledger.support import OPERATOR, fund, hold, play_game, seal_everything, settle

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def month(database: Any) -> date:
    """The month of some entries of 40 days ago, sealed; it has ended."""
    fund(1, "100.00 UAH", key="paid in")
    fund(2, "100.00 UAH")
    play_game(1, 1, 2, "30.00 UAH", "20.00 UAH", "1.00 UAH")
    hold("open", 1, "10.00 UAH", "match:2")
    with psycopg.connect(database.superuser_url) as past:
        past.execute("SET session_replication_role = replica")
        for table in ("entry", "line"):
            past.execute(f"UPDATE ledger_{table} SET at = at - interval '40 days'")  # type: ignore[arg-type]
        past.execute(
            """UPDATE ledger_hold SET placed_at = placed_at - interval '40 days',
                                      resolved_at = resolved_at - interval '40 days'"""
        )
    seal_everything()
    due = periods.next_month()
    assert due is not None
    return due


def close(month: date) -> book.PeriodView:
    with transaction.atomic():
        return book.close_period(month, OPERATOR, "month's end")


def report(name: str, form: str, month: date) -> bytes:
    start, end = periods.bounds(month)
    out = io.BytesIO()
    player = 1 if REPORTS[name].player == "must" else None
    export(REPORTS[name], Params(start, end, start.tzinfo, player=player), form, out)  # type: ignore[arg-type]
    return out.getvalue()


def all_reports(month: date) -> dict[tuple[str, str], bytes]:
    return {
        (name, form): report(name, form, month)
        for name in REPORTS
        for form in FORMATS
        if form != "hledger" or REPORTS[name].hledger
    }


def test_closing_keeps_totals_and_digest(month: date) -> None:
    period = close(month)
    assert (period.month, period.entries, period.actor_id, period.reason) == (month, 3, OPERATOR, "month's end")
    closing = {(kind, currency): total for kind, currency, *_, total in period.totals}
    assert closing == {
        ("cash", "UAH"): "-200.0000", ("wallet", "UAH"): "199.0000", ("rake", "UAH"): "1.0000",
    }  # fmt: skip
    assert close(month) == period  # once more: the first answer
    assert list(verify.run()) == []


def test_reports_of_a_closed_month_are_the_same_to_the_byte_for_ever(month: date) -> None:
    close(month)
    before = all_reports(month)
    settle(book.Release("r", "match:2", ["open"], "void"))
    fund(1, "5.00 EUR")
    fund(3, "100 XPC")
    play_game(3, 2, 1, "30.00 UAH", "30.00 UAH", "1.00 UAH")
    with transaction.atomic():
        asked = book.propose_reversal("r", Entry.objects.get(key="paid in").pk, OPERATOR, "bounced")
        book.approve(asked.id, OPERATOR + 1)
        book.freeze(1, "UAH", OPERATOR, "asked")
    seal_everything()
    after = all_reports(month)
    assert [what for what in before if before[what] != after[what]] == []
    assert b"Status,final" in after["journal", "csv"]


def test_a_late_correction_falls_into_the_open_month(month: date) -> None:
    period = close(month)
    with transaction.atomic():
        asked = book.propose_reversal("r", Entry.objects.get(key="paid in").pk, OPERATOR, "bounced")
        done = book.approve(asked.id, OPERATOR + 1)
    entry = book.entry(done.entry_id or 0)
    assert entry is not None and entry.at > period.ends_at
    assert (book.balance_at(1, "UAH", period.ends_at), book.wallet(1, "UAH").owed) == (parse("119.00 UAH"), None)


def test_a_month_that_goes_on_cannot_be_closed(month: date) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()::date")
        (today,) = cursor.fetchone()
    close_all_before(today, month)
    with pytest.raises(errors.NotReadyToClose) as refused:
        close(today)
    assert refused.value.params["why"] == "it has not ended"


def close_all_before(today: date, month: date) -> None:
    while month < today.replace(day=1):
        close(month)
        month = (month + timedelta(days=32)).replace(day=1)


def test_months_are_closed_in_order_and_when_sealed(month: date) -> None:
    later = (month + timedelta(days=32)).replace(day=1)
    with pytest.raises(errors.NotReadyToClose):
        close(later)
    with pytest.raises(errors.ReasonMissing), transaction.atomic():
        book.close_period(month, OPERATOR, " ")
    assert not Period.objects.exists()


def test_what_is_not_sealed_is_not_closed(month: date, database: Any) -> None:
    with psycopg.connect(database.superuser_url) as past:
        past.execute("UPDATE ledger_sealhorizon SET sealed_until = now() - interval '41 days'")
    with pytest.raises(errors.NotReadyToClose) as refused:
        close(month)
    assert "not sealed" in str(refused.value)


def test_posting_waits_for_the_closing(month: date) -> None:
    """The exclusive lock: while a month is being closed, nobody is halfway through an entry."""
    with transaction.atomic():
        book.close_period(month, OPERATOR, "month's end")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted"
            )
            assert ("ExclusiveLock",) in cursor.fetchall()


def test_a_closed_period_stays(month: date, owner_connection: psycopg.Connection) -> None:
    close(month)
    for sql in ("UPDATE ledger_period SET digest = ''", "DELETE FROM ledger_period", "TRUNCATE ledger_period"):
        with pytest.raises(psycopg.errors.IntegrityConstraintViolation):
            owner_connection.execute(sql)  # type: ignore[call-overload]
    with pytest.raises(IntegrityError, match="has ended"), connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_period (month, starts_at, ends_at, entries, totals, digest, reason)
               VALUES ('2100-01-01', '2100-01-01', '2100-02-01', 0, '[]', '', 'x')"""
        )


def test_the_command_closes(month: date, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("close_period", f"{month:%Y-%m}", "--reason", "month's end")
    assert f"{month:%Y-%m} is closed: 3 entries" in capsys.readouterr().out
    for bad in ("2026-13", "October", "2100-01"):
        with pytest.raises(CommandError):
            call_command("close_period", bad, "--reason", "x")


def test_operators_close_the_next_month_with_a_reason(month: date, make_user: Any) -> None:
    user = make_user("accountant", is_staff=True)
    client = Client()
    client.force_login(user)
    url, data = (
        reverse("admin:ledger_period_close"),
        {"act": f"{month:%Y-%m}", "key": "00000000-0000-4000-8000-000000000001"},
    )
    assert client.post(url, data | {"reason": "x"}).status_code == 403
    user.user_permissions.set(Permission.objects.filter(codename__in=["close", "view_period"]))
    client.force_login(type(user).objects.get(pk=user.pk))
    assert f"Close {month:%Y-%m}" in client.get(url).content.decode()
    assert client.post(url, data | {"reason": ""}).status_code == 400
    assert client.post(url, data | {"reason": "old page", "act": "2020-01"}).status_code == 400
    assert client.post(url, data | {"reason": "month's end"}).status_code == 302
    assert Period.objects.get().actor_id == user.pk
    assert url in client.get(reverse("admin:ledger_period_changelist")).content.decode()
