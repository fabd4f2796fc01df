"""The operator's lists stay cheap and honest: statements do not grow, nothing is read whole, and the page says so."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ledger import book
from ledger.admin import lists
from ledger.admin.base import ReadOnlyAdmin
from ledger.admin.entries import EntryAdmin
from ledger.admin.filters import first_id_from
from ledger.admin.holds import HoldAdmin
from ledger.models import Account, Entry, Hold
from ledger.money import parse
from tests.ledger.support import fund, hold, play_game, seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

READ = re.compile(r"[\s(]*(SELECT|WITH)")
MODELS = ("account", "entry", "hold", "seal", "proposal", "rakerule", "period")
#: What each list is asked for; filters that look at the newest rows only need a look for the newest id.
QUESTIONS = {
    "account": ["", "?kind=wallet", "?currency=UAH", "?status=frozen", "?q=1"],
    "entry": ["", "?kind=deposit", "?q=match:1", "?q=1", "?until=2100-01-01T00:00"],
    "hold": [
        "",
        "?state=open",
        "?state=captured",
        "?currency=UAH",
        "?q=match:1",
        "?until=2100-01-01T00:00&currency=UAH",
    ],
    "seal": ["", "?q=1"],
    "proposal": ["", "?state=open", "?currency=UAH", "?q=1"],
    "rakerule": ["", "?currency=UAH"],
    "period": [""],
}


@pytest.fixture
def client_(operator: Any) -> Client:
    client = Client()
    client.force_login(operator)
    return client


def address(model: str) -> str:
    return reverse(f"admin:ledger_{model}_changelist")


def rows(client: Client, model: str, **query: Any) -> list[Any]:
    answer = client.get(address(model), query)
    assert answer.status_code == 200, query
    return list(answer.context["cl"].result_list)


def text(client: Client, model: str, **query: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", client.get(address(model), query).content.decode()).split())


def grow(first: int) -> None:
    for n in range(first, first + 5):
        fund(n + 1, "100.00 UAH")
        fund(n + 101, "100.00 UAH")
        play_game(n, n + 1, n + 101, "30.00 UAH", "20.00 UAH")
        hold(f"open:{n}", n + 1, "1.00 UAH", f"match:{n}")
        with transaction.atomic():
            book.request_withdrawal(f"w:{n}", n + 1, parse("1.00 UAH"), n + 1, "please")
            book.set_rake("UAH", 5, None, 1, f"tariff {n}")  # type: ignore[arg-type]
    seal_everything()


@pytest.mark.parametrize("model", MODELS)
def test_statements_do_not_grow_with_rows(model: str, client_: Client) -> None:
    counts: dict[str, list[int]] = {question: [] for question in QUESTIONS[model]}
    client_.get(address(model))  # content types are looked up once per process
    for first in (1, 11):
        grow(first)
        for question, seen in counts.items():
            with CaptureQueriesContext(connection) as captured:
                assert client_.get(address(model) + question).status_code == 200
            # Reads alone: the session is written now and then.
            statements = [found["sql"] for found in captured.captured_queries if READ.match(found["sql"])]
            seen.append(len(statements))
            # No list of the values that a column has, no count of all rows, no order but by key.
            assert not [sql for sql in statements if "DISTINCT" in sql]
            assert all("LIMIT" in sql for sql in statements if "COUNT(" in sql)
    for question, (few, many) in counts.items():
        assert few == many <= 11, question


def test_a_count_ends_and_says_so(client_: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_COUNTED", 3)
    for owner in range(1, 5):
        fund(owner, "1.00 UAH")
    page = client_.get(address("entry"))
    assert page.context["cl"].result_count == 3
    assert "more than 3; the first 3 can be paged through" in text(client_, "entry")
    assert "3 results" not in text(client_, "entry")
    monkeypatch.setattr(lists, "MOST_COUNTED", 4)
    assert "more than" not in text(client_, "entry")


def test_a_filter_without_index_looks_at_the_newest_and_says_so(
    client_: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HoldAdmin, "window", 3)
    fund(1, "100.00 UAH")
    fund(1, "100 JPY")
    placed = [hold(f"jpy:{n}", 1, "1 JPY") for n in range(2)]
    before = datetime.now(UTC)
    placed += [hold(f"uah:{n}", 1, "1.00 UAH") for n in range(3)]
    assert not rows(client_, "hold", currency="JPY")
    assert "Only the newest 3 rows were looked through. Choose an earlier time" in text(client_, "hold", currency="JPY")
    # An index finds open holds, so all are looked at; and a search is not narrowed either.
    assert {row.pk for row in rows(client_, "hold", state="open", currency="JPY")} == {one.id for one in placed[:2]}
    assert {row.pk for row in rows(client_, "hold", q="jpy:0", currency="JPY")} == {placed[0].id}
    monkeypatch.setattr("ledger.admin.filters.APART", timedelta(0))
    earlier = {"currency": "JPY", "until": before.replace(tzinfo=None).isoformat()}
    assert {row.pk for row in rows(client_, "hold", **earlier)} == {one.id for one in placed[:2]}


def test_an_old_proposal_that_waits_is_found(client_: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadOnlyAdmin, "window", 1)
    fund(1, "100.00 UAH")
    with transaction.atomic():
        waits = book.request_withdrawal("w:0", 1, parse("1.00 UAH"), 1, "please")
        for number in range(1, 4):
            asked = book.request_withdrawal(f"w:{number}", 1, parse("1.00 UAH"), 1, "please")
            book.cancel(asked.id, 1)
    assert [row.pk for row in rows(client_, "proposal", state="open")] == [waits.id]
    assert len(rows(client_, "proposal", state="cancelled")) == 1


def test_a_list_is_read_back_from_a_moment(client_: Client) -> None:
    moments = []
    for number in range(8):
        fund(number + 1, "1.00 UAH")
        moments.append(Entry.objects.latest("id").at)
    for number, moment in enumerate(moments):
        assert len(rows(client_, "entry", until=moment.replace(tzinfo=None).isoformat())) == number
        assert len(
            rows(client_, "entry", until=(moment + timedelta(microseconds=1)).replace(tzinfo=None).isoformat())
        ) == (number + 1)
        assert first_id_from(Entry, "at", moment) == Entry.objects.order_by("id")[number].pk
    assert first_id_from(Entry, "at", moments[0] - timedelta(days=1)) == Entry.objects.earliest("id").pk
    assert first_id_from(Entry, "at", moments[-1] + timedelta(days=1)) == Entry.objects.latest("id").pk + 1
    assert first_id_from(Hold, "placed_at", moments[0]) == 0
    assert len(rows(client_, "entry", until="nonsense")) == 8


def test_a_search_shows_the_newest_and_says_so(client_: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_FOUND", 2)
    for number in range(3):
        fund(7, f"{number + 1}.00 UAH")
    newest = list(Entry.objects.order_by("-id").values_list("pk", flat=True)[:2])
    assert [row.pk for row in rows(client_, "entry", q="7")] == newest
    assert "More were found; these are the newest 2." in text(client_, "entry", q="7")
    assert "More were found" not in text(client_, "entry", q="fund:7:1.00 UAH")


def test_nothing_is_sorted_without_an_index(client_: Client) -> None:
    for owner in (2, 1, 3):
        fund(owner, "1.00 UAH")
    newest_first = [row.pk for row in rows(client_, "entry")]
    for place, column in enumerate(EntryAdmin.list_display):
        ordered = [row.pk for row in rows(client_, "entry", o=str(place))]
        assert ordered == (newest_first[::-1] if column == "id" else newest_first), column


def test_a_filter_takes_only_what_it_offers(client_: Client) -> None:
    fund(1, "1.00 UAH")
    assert not rows(client_, "entry", kind="nonsense")
    assert len(rows(client_, "entry", kind="deposit")) == 1
    offered = client_.get(address("account")).context["cl"].filter_specs[0].lookup_choices
    assert {"wallet", "cash"} <= {value for value, _name in offered}
    assert len(rows(client_, "account", kind="cash", currency="UAH")) == 1


def test_lines_show_their_owners_by_one_look_up(client_: Client, make_user: Any) -> None:
    for pk, name in ((100_001, "olena"), (100_002, "taras")):
        make_user(name, pk=pk)
        fund(pk, "100.00 UAH")
    play_game(1, 100_001, 100_002, "30.00 UAH", "20.00 UAH", "1.00 UAH")
    page = reverse("admin:ledger_entry_change", args=[Entry.objects.get(kind="settlement").pk])
    with CaptureQueriesContext(connection) as captured:
        shown = client_.get(page).content.decode()
    assert "olena (100001)" in shown and "taras (100002)" in shown
    labels = [sql for sql in captured.captured_queries if "IN (100001, 100002)" in sql["sql"]]
    assert len(labels) == 1
    assert Account.objects.filter(kind="wallet").count() == 2


def test_people_are_named_wherever_they_acted(client_: Client, operator: Any) -> None:
    fund(1, "5.00 UAH")
    with transaction.atomic():
        book.set_rake("UAH", Decimal(5), None, operator.pk, "autumn")
        entry = book.deposit("d", 1, parse("5.00 UAH"), operator.pk, "wire 1")
        book.propose_adjustment("a", 1, parse("1.00 UAH"), operator.pk, "gift")
    name = f"({operator.pk})"  # behind the name, which a page without a look-up cannot show
    for model in ("entry", "rakerule", "proposal"):
        assert name in client_.get(address(model)).content.decode()
    assert name in client_.get(reverse("admin:ledger_entry_change", args=[entry.id])).content.decode()
