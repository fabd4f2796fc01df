"""What operators and players read on pages, fuzzed against the model: filters, searches, pages, moments, statements."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ledger import book, views
from ledger.admin import filters, lists
from ledger.admin.base import ReadOnlyAdmin
from ledger.models import Account
from ledger.money import money
from tests.faults.history import CURRENCIES, OWNERS, Held, History, Posted, some_moment
from tests.ledger.support import seal_everything

pytestmark = pytest.mark.django_db(transaction=True)

QUESTIONS = 120
MOST_COUNTED, MOST_FOUND, WINDOW, PAGE = 17, 9, 12, 5


@pytest.fixture
def clerk(operator: Any, make_user: Any, monkeypatch: pytest.MonkeyPatch) -> Client:
    """An operator whose lists are so short that every bound is met; the owners are players."""
    monkeypatch.setattr(lists, "MOST_COUNTED", MOST_COUNTED)
    monkeypatch.setattr(lists, "MOST_FOUND", MOST_FOUND)
    monkeypatch.setattr(ReadOnlyAdmin, "window", WINDOW)
    monkeypatch.setattr(ReadOnlyAdmin, "list_per_page", PAGE)
    monkeypatch.setattr(filters, "APART", timedelta(0))
    client = Client()
    client.force_login(operator)
    return client


@pytest.fixture(autouse=True)
def players(make_user: Any) -> dict[int, Any]:
    """The owners, who can log in."""
    return {owner: make_user(f"player-{owner}", pk=owner) for owner in OWNERS}


@dataclass
class Question:
    """What is asked of a list, and which rows of the model it is about."""

    query: dict[str, str]
    fits: Callable[[Any], bool]
    narrow: bool  # an index finds what is filtered for
    finds: Callable[[Any], bool] | None  # the search, if any


def expected(rows: list[Any], question: Question, until: datetime | None, at: str) -> tuple[list[int], bool]:
    """Ids in the order of the whole list, newest first, as far as it can be paged; whether the page says it is cut."""
    told = [row for row in rows if until is None or getattr(row, at) < until]
    found = [row for row in told if question.fits(row) and (question.finds is None or question.finds(row))]
    if question.finds is not None:
        found = sorted(found, key=lambda row: row.id)[-MOST_FOUND:]
    elif question.query and not question.narrow:
        newest = max((row.id for row in told), default=0)
        found = [row for row in found if newest <= WINDOW or row.id > newest - WINDOW]
    return sorted((row.id for row in found), reverse=True), len(found) > MOST_COUNTED


def check_list(
    clerk: Client, model: str, rows: list[Any], question: Question, until: datetime | None, at: str, oldest_first: bool
) -> None:
    """Every page of the list, joined, is what the model says."""
    query = dict(question.query)
    if until is not None:
        query["until"] = until.replace(tzinfo=None).isoformat()
    ids, cut = expected(rows, question, until, at)
    if oldest_first:
        query["o"] = "0"
        ids = ids[::-1]
    shown: list[int] = []
    number, pages = 1, 1
    while number <= pages:
        answer = clerk.get(reverse(f"admin:ledger_{model}_changelist"), query | {"p": str(number)})
        assert answer.status_code == 200, (query, number)
        changelist = answer.context["cl"]
        pages, number = changelist.paginator.num_pages, number + 1
        assert len(changelist.result_list) <= PAGE
        shown += [row.pk for row in changelist.result_list]
        assert changelist.paginator.is_cut == cut
    assert shown == ids[:MOST_COUNTED], query


def about_entries(luck: random.Random, history: History) -> Question:
    one, owner = luck.choice(history.entries), luck.choice([*OWNERS, 404])
    kind = luck.choice([None, "deposit", "settlement", "reversal"])
    searches: list[tuple[str, Callable[[Posted], bool]]] = [
        (str(owner), lambda row: owner in row.owners or row.id == owner),
        (f"player-{owner}", lambda row: owner in row.owners),
        (one.key, lambda row: row.key == one.key),
        (str(one.id), lambda row: row.id == one.id or one.id in row.owners),
        ("nothing", lambda row: False),
    ]
    if one.reference:
        searches.append((one.reference, lambda row: row.reference == one.reference))
    term, finds = luck.choice([("", None), *searches])
    query = ({"kind": kind} if kind else {}) | ({"q": term} if finds else {})
    return Question(query, lambda row: kind is None or row.kind == kind, True, finds)


def about_holds(luck: random.Random, history: History) -> Question:
    one, owner = luck.choice(history.placed), luck.choice([*OWNERS, 404])
    state = luck.choice([None, "open", "captured", "released"])
    currency = luck.choice([None, *CURRENCIES])
    searches: list[tuple[str, Callable[[Held], bool]]] = [
        (f"player-{owner}", lambda row: row.owner == owner),
        (one.reference, lambda row: row.reference == one.reference),
        (one.key, lambda row: row.key == one.key),
        (str(one.id), lambda row: row.id == one.id or row.owner == one.id),
    ]
    if one.entry_key:
        searches.append((one.entry_key, lambda row: row.entry_key == one.entry_key))
    term, finds = luck.choice([("", None), *searches])
    query = {name: value for name, value in (("state", state), ("currency", currency), ("q", term)) if value}
    return Question(query, lambda row: state in (None, row.state) and currency in (None, row.currency), state == "open",
                    finds)  # fmt: skip


@pytest.mark.parametrize("seed", [1, 2])
def test_lists_show_what_the_model_says(seed: int, clerk: Client) -> None:
    luck = random.Random(seed)
    history = History(luck)
    if seed == 2:
        seal_everything()
    moments = [row.at for row in history.entries]
    for _ in range(QUESTIONS):
        until, oldest_first = some_moment(luck, moments), luck.random() < 0.3
        if luck.random() < 0.5:
            check_list(clerk, "entry", history.entries, about_entries(luck, history), until, "at", oldest_first)
        else:
            check_list(clerk, "hold", history.placed, about_holds(luck, history), until, "placed_at", oldest_first)


@pytest.mark.parametrize("seed", [1, 2])
def test_accounts_show_what_the_model_says(seed: int, clerk: Client) -> None:
    luck = random.Random(seed)
    history = History(luck)
    moments = [row.at for row in history.entries]
    wallets = list(Account.objects.filter(kind="wallet"))
    for owner in OWNERS:
        answer = clerk.get(reverse("admin:ledger_account_changelist"), {"q": f"player-{owner}", "kind": "wallet"})
        changelist = answer.context["cl"]
        shown = {row.currency: changelist.model_admin.posted(row) for row in changelist.result_list}
        assert shown == {
            currency: f"{book.wallet(owner, currency).posted.amount} {currency}"
            for currency in CURRENCIES
            if (owner, currency) in history.moves
        }
    for _ in range(QUESTIONS // 2):
        account, at = luck.choice(wallets), some_moment(luck, moments) or moments[0]
        given = {"at": at.replace(tzinfo=None).isoformat(), "zone": "UTC"}
        page = reverse("admin:ledger_account_change", args=[account.pk])
        assert account.owner_id is not None
        expected = money(history.balance(account.owner_id, account.currency, at), account.currency)
        assert clerk.get(page, given).context["moment_balance"] == f"{expected.amount} {account.currency}"


@pytest.mark.parametrize("seed", [1, 2])
def test_players_read_what_the_model_says(seed: int, players: dict[int, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Periods of whole days (UTC), moments, and every page of the statement by its own link to the next."""
    luck = random.Random(seed)
    history = History(luck)
    real, moments = book.statement, [row.at for row in history.entries]
    monkeypatch.setattr(views.book, "statement", partial(real, limit=3))
    today = moments[0].date()
    for _ in range(QUESTIONS // 2):
        owner, currency = luck.choice(OWNERS), luck.choice(CURRENCIES)
        first, last = (luck.choice([None, today + timedelta(days=days)]) for days in luck.choices([-1, 0, 1], k=2))
        at = some_moment(luck, moments)
        query = {"from": str(first or ""), "to": str(last or "")} | (
            {"at": at.replace(tzinfo=None).isoformat()} if at else {}
        )
        client = Client()
        client.force_login(players[owner])
        check_statement(client, history, owner, currency, query)


def check_statement(client: Client, history: History, owner: int, currency: str, query: dict[str, str]) -> None:
    start, end = (midnight(query[name], days) for name, days in (("from", 0), ("to", 1)))
    moves = [
        move
        for move in history.moves.get((owner, currency), [])
        if (start is None or move[0] >= start) and (end is None or move[0] < end)
    ]
    address, shown = reverse("statement", args=[currency]), []
    link: str | None = ""
    while link is not None:
        answer = client.get(address + link, query if not link else None)
        page = answer.context["page"]
        shown += [(row.at, row.amount.amount) for row in page.rows]
        assert page.opening.amount == (history.balance(owner, currency, start) if start else 0)
        if not (start and end and start > end):
            assert page.closing.amount == page.opening.amount + sum(amount for _, amount in moves)
        if "at" in query:
            at = datetime.fromisoformat(query["at"]).replace(tzinfo=UTC)
            assert answer.context["at_balance"].amount == history.balance(owner, currency, at)
        found = re.search(r'class="pages"><a class="btn" href="([^"]+)"', answer.content.decode())
        link = found[1].replace("&amp;", "&") if found else None
    assert shown == moves


def midnight(day: str, later: int) -> datetime | None:
    return datetime.combine(datetime.fromisoformat(day) + timedelta(days=later), time(), UTC) if day else None
