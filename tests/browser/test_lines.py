"""What happens between page and server: stale tabs, cut lines, one stream for several tabs, and what is loaded."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from games import play, rules
from tests.browser.conftest import PHONE
from tests.browser.positions import board_is_ready, confirm, game_to_roll, game_with_dice, move

STYLES = Path(__file__).parents[2] / "static" / "css" / "site.css"


def test_the_second_of_two_tabs_follows_the_first(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = game_with_dice(alice, bob, (3, 1))
    person = guest(alice)
    streams: list[str] = []
    person.context.on("request", lambda request: streams.append(request.url) if "/live/" in request.url else None)
    first = person.open(f"/games/{game.pk}/")
    second = person.open(f"/games/{game.pk}/", person.tab())
    board_is_ready(first)
    board_is_ready(second)
    first.bring_to_front()
    move(first, 8, 5)
    move(first, 6, 5)
    confirm(first)
    expect(second.locator(".moves")).to_contain_text("8/5 6/5")
    assert len(streams) == 1  # both tabs share one stream


def test_a_repeated_press_from_an_old_page_changes_nothing(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = game_with_dice(alice, bob, (3, 1))
    page = guest(alice).open(f"/games/{game.pk}/")
    board_is_ready(page)
    move(page, 24, 20)
    page.route("**/state/", lambda route: route.abort())  # the page cannot learn that it is behind
    play.act(alice, game.pk, game.version, rules.Play("8/5 6/5"))
    confirm(page)
    expect(page.locator("#toast")).to_contain_text("Your move was taken back")
    expect(page.locator(".moves")).to_contain_text("8/5 6/5")
    expect(page.locator(".say")).to_contain_text("bob is to roll")


def test_a_cut_line_freezes_the_page_and_comes_back(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = game_with_dice(alice, bob, (3, 1))
    person = guest(alice)
    page = person.open(f"/games/{game.pk}/")
    board_is_ready(page)
    move(page, 8, 5)
    person.context.set_offline(True)
    expect(page.locator("#wire")).to_contain_text("Reconnecting")
    expect(page.locator("#undo")).to_be_disabled()
    person.context.set_offline(False)
    expect(page.locator("#wire")).not_to_be_visible()
    expect(page.locator("#undo")).to_be_enabled()  # the step that was not sent is still there
    move(page, 6, 5)
    confirm(page)
    expect(page.locator(".say")).to_contain_text("bob is to roll")


def test_the_game_page_keeps_its_budget(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = game_to_roll(alice, bob, cube_limit=8)
    person = guest(alice)
    sizes: dict[str, list[int]] = {"document": [], "stylesheet": [], "script": [], "other": []}
    bodies: list[Any] = []
    person.page.on("response", lambda response: bodies.append(response))
    page = person.open(f"/games/{game.pk}/")
    board_is_ready(page)
    for response in bodies:
        if "/live/" in response.url:
            continue
        kind = response.request.resource_type
        sizes.setdefault(kind, []).append(len(gzip.compress(response.body())))
    total = {kind: sum(found) for kind, found in sizes.items()}
    assert total["document"] <= 14_000 and total["stylesheet"] <= 14_000 and total["script"] <= 35_000, total
    assert len(sizes["script"]) <= 6 and len(bodies) <= 12, [response.url for response in bodies]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_in_the_first_byte(guest: Callable[..., Any], alice: Any, bob: Any, scheme: str) -> None:
    person = guest(alice, color_scheme="light" if scheme == "dark" else "dark", java_script_enabled=False)
    person.context.add_cookies([{"name": "theme", "value": scheme, "url": person.site}])
    page = person.open("/rules/")
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(246, 243, 238)", "dark": "rgb(21, 19, 15)"}[scheme]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_system_decides_where_nobody_chose(guest: Callable[..., Any], alice: Any, scheme: Any) -> None:
    """Every token has a value in both themes, and the system's is the chosen one's."""
    names = sorted(set(re.findall(r"(--[\w-]+): var\(--if-light", STYLES.read_text())))
    read = """names => { const style = getComputedStyle(document.documentElement);
                         return names.map(name => style.getPropertyValue(name).trim()) }"""
    by_system = guest(alice, color_scheme=scheme).open("/rules/").evaluate(read, names)
    person = guest(alice, color_scheme="light" if scheme == "dark" else "dark")
    person.context.add_cookies([{"name": "theme", "value": scheme, "url": person.site}])
    assert len(names) > 25 and "" not in by_system
    assert person.open("/rules/").evaluate(read, names) == by_system


def test_nothing_moves_for_those_who_want_it_calm(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = game_with_dice(alice, bob, (3, 1))
    page = guest(alice, reduced_motion="reduce", **PHONE).open(f"/games/{game.pk}/")
    board_is_ready(page)
    page.evaluate("() => { Element.prototype.animate = () => { throw new Error('moved') } }")
    move(page, 24, 20)
    assert page.locator(".m-last").count() == 1
