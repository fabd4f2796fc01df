"""Tournaments in a browser: axe, no sideways scrolling on phones, and pages that follow without a reload."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_axe import violations
from tests.games.helpers import fund
from tests.tournaments.playing import opened, play_out, play_round, started, state
from tournaments import life, registration

TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def sections(tournament: Any, *names: str) -> list[str]:
    return [f"/tournaments/{tournament.pk}/{name}/" for name in names]


@pytest.mark.parametrize(("scheme", "kind"), [("light", DESKTOP), ("dark", PHONE)])
def test_axe_finds_nothing_and_nothing_is_too_wide(
    guest: Callable[..., Any], alice: Any, operator: Any, scheme: str, kind: Any
) -> None:
    fund(alice)
    knockout, table, waiting = started(13, format="knockout"), started(5, format="round_robin"), opened()
    play_round(knockout)
    play_round(table)
    over = started(6)
    play_out(over)
    life.pay(over.pk)
    one = state(over).seeded[0]
    paths = ["/tournaments/", f"/tournaments/{waiting.pk}/", f"/tournaments/{waiting.pk}/register/"]
    paths += sections(knockout, "bracket", "rounds", "standings", "entrants", "money")
    paths += sections(table, "table", "standings")
    paths += [
        f"/tournaments/{over.pk}/",
        f"/tournaments/{over.pk}/entrants/{one.pk}/",
        f"/tournaments/{over.pk}/print/",
    ]
    person = guest(alice, color_scheme=scheme, **kind)
    problems: dict[str, list[str]] = {}
    for path in paths:
        page = person.open(path)
        problems[path] = violations(page) + (["too wide"] if page.evaluate(TOO_WIDE) else [])
    director = guest(operator, color_scheme=scheme, **kind)
    for path in (f"/admin/tournaments/tournament/{knockout.pk}/run/", f"/admin/tournaments/tournament/{over.pk}/run/"):
        page = director.open(path)
        problems[path] = violations(page) + (["too wide"] if page.evaluate(TOO_WIDE) else [])
    assert {path: found for path, found in problems.items() if found} == {}


def test_a_registration_shows_on_an_open_page(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    tournament = opened()
    fund(bob)
    page = guest(alice).open(f"/tournaments/{tournament.pk}/entrants/")
    assert "Nobody has registered yet." in page.inner_text("main")
    registration.register(bob, tournament.pk)
    page.wait_for_selector("main >> text=bob", timeout=20_000)


def test_registering_by_keyboard(guest: Callable[..., Any], alice: Any) -> None:
    tournament = opened()
    fund(alice, "50.00 UAH")
    page = guest(alice).open(f"/tournaments/{tournament.pk}/")
    page.locator("text=Register").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/register/")
    assert "₴11.00 are blocked now" in page.inner_text("main")
    page.locator("button:has-text('Register for')").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You are registered for Friday cup.")
