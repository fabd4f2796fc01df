"""The measured part of bench.reads, in a process and on a database of its own: `python -m bench._reads_ours LINES`."""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
django.setup()

from django.contrib import admin  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from bench import _reads_site as site  # noqa: E402
from ledger import book  # noqa: E402
from players import roles  # noqa: E402
from players.models import Player  # noqa: E402

APPS = ("ledger", "games", "players", "tournaments", "watch")
ROUNDS = 3
EAGER = 1  # the id of the player with the most games
Measured = tuple[str, dict[str, float]]  # a question, and {"statements": …, "ms": …}
#: What operators type into the search boxes of each list.
SEARCHES = {
    "account": ["player1", "17", "nobody"],
    "entry": ["player1", "game:200000", "game:200000:settle", "fund:17", "17", "nobody"],
    "hold": ["player1", "game:200000", "game:200000:settle", "17", "nobody"],
    "seal": ["17", "game:200000", "nobody"],
    "proposal": ["player7", "7", "nobody"],
    "game": ["player1", "200000", "nobody"],
    "table": ["player1", "20000", "nobody"],
    "player": ["player1", "player", "17", "Player 17", "nobody"],
    "finding": ["game:7", "nobody"],
    "tournament": ["cup", "1"],
}


class Meter:
    """Counts statements and the seconds that the database takes for them, as seen by the driver."""

    def __init__(self) -> None:
        self.statements: list[tuple[float, str]] = []

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        started = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.statements.append((1000 * (time.perf_counter() - started), sql))


def measure(work: Callable[[], Any]) -> dict[str, float]:
    """Statements and median database milliseconds of some runs, after one that warms the caches up."""
    taken, number = [], 0
    for _ in range(ROUNDS + 1):
        meter = Meter()
        with connection.execute_wrapper(meter):
            work()
        taken.append(sum(ms for ms, _ in meter.statements))
        number = len(meter.statements)
    return {"statements": number, "ms": round(statistics.median(taken[1:]), 2)}


def main(lines: int) -> None:
    site.main(lines)
    print(json.dumps({name: dict(asked) for name, asked in measurements()}))


def measurements() -> Iterator[tuple[str, Iterator[Measured]]]:
    """(what was read, its questions with statements and milliseconds): the book, then every list of the admin."""
    yield "the book", _of_the_book()
    setup_test_environment()  # answers then carry the list that their page showed
    boss = Player.objects.create_user("boss")
    roles.give(boss, roles.OPERATORS)
    client = Client(HTTP_HOST="localhost")
    client.force_login(boss)
    for model, own in sorted(admin.site._registry.items(), key=lambda item: item[0]._meta.label):
        if model._meta.app_label in APPS:
            yield model._meta.label_lower, _of_a_list(client, own)


def _of_the_book() -> Iterator[Measured]:
    luck = random.Random(1)
    now = timezone.now()
    moments = iter([now - timedelta(seconds=luck.randrange(site.DAYS * 86400)) for _ in range(10 * ROUNDS)])
    middle = book.statement(EAGER, "UAH").rows[0].version + 300
    yield "statement, first page", measure(lambda: book.statement(EAGER, "UAH"))
    yield "statement, a page in the middle", measure(lambda: book.statement(EAGER, "UAH", after=middle))

    def week() -> None:
        end = next(moments)
        book.statement(EAGER, "UAH", end - timedelta(days=7), end)

    yield "statement of a past week", measure(week)
    yield "balance at a past moment", measure(lambda: book.balance_at(EAGER, "UAH", next(moments)))
    yield "rake at a past moment", measure(lambda: book.house_balance_at("rake", "UAH", next(moments)))
    furthest = now - timedelta(days=site.DAYS / 2)  # as far as can be from a total that is known
    yield "rake a month ago, no month closed", measure(lambda: book.house_balance_at("rake", "UAH", furthest))
    yield "balances of the house", measure(book.house_balances)
    yield "cover of what is owed", measure(book.covers)


def _of_a_list(client: Client, own: Any) -> Iterator[Measured]:
    """A list's first and last page, each filter, order, moment and search, and the page of its newest row."""
    meta = own.model._meta
    address = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")

    def get(query: str) -> dict[str, float]:
        def work() -> None:
            answer = client.get(address + query)
            assert answer.status_code == 200, (address, query, answer.status_code)

        return measure(work)

    shown = client.get(address).context["cl"]
    yield "first page", get("")
    yield "last page", get(f"?p={shown.paginator.num_pages}")
    moments = [""]
    if getattr(own, "time_field", ""):
        moments += [f"&until={timezone.now() - timedelta(days=site.DAYS / 2):%Y-%m-%dT%H:%M}"]
        yield "a month ago", get("?" + moments[1])
    for query in (choice for spec in shown.filter_specs for choice in _choices(spec, shown)):
        for moment in moments:
            yield f"filter {query + moment}", get(query + moment)
    for place, column in enumerate(shown.list_display):
        if shown.get_ordering_field(column) and (shown.sortable_by is None or column in shown.sortable_by):
            for order in (f"{place}", f"-{place}"):
                yield f"order {order} ({column})", get(f"?o={order}")
    for term in SEARCHES.get(meta.model_name, []):
        yield f"search {term}", get(f"?q={term}")
    newest = own.model.objects.order_by("-pk").first()
    if newest is not None:
        page = reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[newest.pk])
        yield "own page of the newest", measure(lambda: client.get(page))


def _choices(spec: Any, shown: Any) -> list[str]:
    """The questions that a filter offers."""
    offered = [choice for choice in spec.choices(shown) if not choice.get("selected")]
    return [choice["query_string"] for choice in offered if choice.get("query_string", "?") != "?"]


if __name__ == "__main__":
    main(int(sys.argv[1]))
