"""axe-core finds nothing on any page, in both themes, on a desk and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from games import settle, tables
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.positions import board_is_ready, game_to_roll
from tests.games.helpers import fund, play_on, started, terms


def violations(page: Any) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize(("scheme", "kind"), [("light", DESKTOP), ("dark", PHONE)])
def test_axe_finds_nothing(
    guest: Callable[..., Any], alice: Any, bob: Any, stranger: Any, scheme: str, kind: Any
) -> None:
    done = started(alice, bob)
    play_on(done)
    settle.claim_and_settle()
    tables.leave_table(alice, done.table_id)
    running = game_to_roll(alice, bob, cube_limit=8)
    fund(stranger)
    waiting = tables.create_table(stranger, terms())
    done.refresh_from_db()
    person = guest(alice, color_scheme=scheme, **kind)
    games = [f"/games/{running.pk}/", f"/games/{done.pk}/", f"/games/{done.pk}/dice/", "/games/"]
    money = ["/wallet/", "/wallet/UAH/", f"/wallet/entries/{done.entry_id}/"]
    account = ["/profile/", "/accounts/password/change/", "/accounts/2fa/"]
    others = ["/", "/tables/new/", f"/tables/{waiting.pk}/", "/rules/", "/rules/short/", "/no-such-page/"]
    problems: dict[str, list[str]] = {}
    for path in [*games, *money, *account, *others]:
        page = person.open(path)
        if path == f"/games/{running.pk}/":
            board_is_ready(page)
            page.click("#menu-open")
        problems[path] = violations(page)
    person.complaints[:] = [one for one in person.complaints if "404" not in one]
    assert {path: found for path, found in problems.items() if found} == {}


def test_axe_finds_nothing_before_log_in(guest: Callable[..., Any]) -> None:
    person = guest()
    pages = ["/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"]
    assert {path: found for path in pages if (found := violations(person.open(path)))} == {}
