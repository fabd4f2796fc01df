"""What an account had at a past moment, asked on its page: by one look-up, or for the house from the nearest total."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ledger import book, periods
from ledger.models import Account, Entry
from tests.ledger.support import OPERATOR, fund, play_game, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

TICK = timedelta(microseconds=1)


@pytest.fixture
def clerk(operator: Any) -> Client:
    client = Client()
    client.force_login(operator)
    return client


@pytest.fixture
def moments() -> list[datetime]:
    """Of each entry: two deposits and two games, with a rake of 1.00 each."""
    fund(1, "100.00 UAH")
    fund(2, "100.00 UAH")
    play_game(1, 1, 2, "30.00 UAH", "20.00 UAH", "1.00 UAH")
    play_game(2, 1, 2, "30.00 UAH", "20.00 UAH", "1.00 UAH")
    return list(Entry.objects.order_by("id").values_list("at", flat=True))


def page(account: Account) -> str:
    return reverse("admin:ledger_account_change", args=[account.pk])


def wallet(owner: int) -> Account:
    return Account.objects.get(owner_id=owner, kind="wallet")


def house(kind: str, currency: str = "UAH") -> Account:
    return Account.objects.get(owner_id=None, kind=kind, currency=currency)


def ask(client: Client, account: Account, at: datetime, zone: str = "UTC") -> str:
    written = at.astimezone(ZoneInfo(zone)).replace(tzinfo=None).isoformat()
    answer = client.get(page(account), {"at": written, "zone": zone})
    assert answer.status_code == 200
    balance: str = answer.context["moment_balance"]
    assert f"<strong>{balance}</strong>" in answer.content.decode()
    return balance


def test_a_wallet_at_any_moment(clerk: Client, moments: list[datetime]) -> None:
    for number, before, after in ((0, "0.00", "100.00"), (2, "100.00", "119.00"), (3, "119.00", "138.00")):
        assert ask(clerk, wallet(1), moments[number]) == f"{before} UAH"
        assert ask(clerk, wallet(1), moments[number] + TICK) == f"{after} UAH"
    assert ask(clerk, wallet(1), moments[0] - timedelta(days=300)) == "0.00 UAH"


def test_the_house_at_any_moment(clerk: Client, moments: list[datetime]) -> None:
    for sealed in (False, True):
        if sealed:
            seal_everything()
        for number, at in enumerate(moments):
            assert ask(clerk, house("rake"), at) == f"{max(number - 2, 0)}.00 UAH"
            assert ask(clerk, house("cash"), at) == f"{-100 * min(number, 2)}.00 UAH"
        assert ask(clerk, house("rake"), moments[-1] + TICK) == "2.00 UAH"
        assert ask(clerk, house("rake"), moments[-1] + timedelta(days=900)) == "2.00 UAH"
        assert ask(clerk, house("rake", "JPY"), moments[-1]) == "0 JPY"


def test_the_house_around_a_closed_month(moments: list[datetime], database: Any) -> None:
    """The month's end is the nearest total that is known, from above or from below."""
    with psycopg.connect(database.superuser_url) as past:
        past.execute("SET session_replication_role = replica")
        for table in ("entry", "line"):
            past.execute(f"UPDATE ledger_{table} SET at = at - interval '40 days'")  # type: ignore[arg-type]
    seal_everything()
    month = periods.next_month()
    assert month is not None
    with transaction.atomic():
        end = book.close_period(month, OPERATOR, "month's end").ends_at
    play_game(3, 1, 2, "30.00 UAH", "20.00 UAH", "1.00 UAH")
    latest = Entry.objects.latest("id").at

    def rake(at: datetime) -> str:
        with CaptureQueriesContext(connection) as captured:
            amount = book.house_balance_at("rake", "UAH", at).amount
        assert ("ledger_sealhorizon" in captured.captured_queries[-1]["sql"]) == (latest - at < timedelta(days=2))
        return f"{amount:.2f}"

    assert rake(moments[-1] - timedelta(days=40)) == "1.00"
    for near in (end - TICK, end, end + timedelta(days=1)):
        assert rake(near) == "2.00"
    assert (rake(latest), rake(latest + TICK)) == ("2.00", "3.00")


def test_the_zone_is_the_readers(clerk: Client, moments: list[datetime]) -> None:
    for zone in ("Europe/Kyiv", "UTC"):
        assert ask(clerk, wallet(1), moments[3], zone) == "119.00 UAH"
    # The clocks show this time twice: the first time, in summer, it is 00:30 UTC.
    shown = clerk.get(page(wallet(1)), {"at": "2026-10-25T03:30", "zone": "Europe/Kyiv"})
    assert shown.context["moment_utc"] == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert "posted before 2026-10-25 03:30:00 Europe/Kyiv (2026-10-25 00:30:00 UTC)" in shown.content.decode()


def test_what_is_not_sealed_is_called_provisional(clerk: Client, moments: list[datetime]) -> None:
    given = {"at": moments[-1].replace(tzinfo=None).isoformat(), "zone": "UTC"}
    assert "Provisional" in clerk.get(page(wallet(1)), given).content.decode()
    seal_everything()
    assert "Provisional" not in clerk.get(page(wallet(1)), given).content.decode()
    tomorrow = given | {"at": (datetime.now(UTC) + timedelta(days=1)).replace(tzinfo=None).isoformat()}
    assert "Provisional" in clerk.get(page(wallet(1)), tomorrow).content.decode()


def test_it_is_one_look_up(clerk: Client, moments: list[datetime]) -> None:
    account = wallet(1)
    with CaptureQueriesContext(connection) as captured:
        ask(clerk, account, moments[2])
    assert sum("ledger_line" in found["sql"] for found in captured.captured_queries) == 1
    with CaptureQueriesContext(connection) as captured:
        book.house_balance_at("rake", "UAH", moments[2])
    assert len(captured) == 2


@pytest.mark.parametrize(
    "given",
    [
        {"at": "nonsense", "zone": "UTC"},
        {"at": "", "zone": "UTC"},
        {"at": "2026-11-01T12:00+02:00", "zone": "UTC"},
        {"at": "9999-01-01T00:00", "zone": "UTC"},
        {"at": "2026-11-01T12:00", "zone": "Mars/Base"},
        {"at": "2026-11-01T12:00"},
    ],
)
def test_nonsense_is_answered_in_the_form(clerk: Client, moments: list[datetime], given: dict[str, str]) -> None:
    shown = clerk.get(page(wallet(1)), given)
    assert shown.status_code == 200
    assert "moment_balance" not in shown.context
    assert "errors" in shown.content.decode()


def test_only_those_who_may_see_accounts(moments: list[datetime], stranger: Any, make_user: Any) -> None:
    given = {"at": moments[-1].replace(tzinfo=None).isoformat(), "zone": "UTC"}
    outsider, colleague = Client(), Client()
    outsider.force_login(stranger)
    colleague.force_login(make_user("colleague", is_staff=True))  # staff without any right on the ledger
    for client, status in ((Client(), 302), (outsider, 302), (colleague, 403)):
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(page(wallet(1)), given)
        assert answer.status_code == status
        assert not any("ledger_line" in found["sql"] for found in captured.captured_queries)
