"""Two people at two browsers, from an open table to settled money, without ever reloading a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from games import settle
from games.models import Game
from tests.browser.conftest import PHONE
from tests.browser.positions import board_is_ready, checkers_on, confirm, game_to_roll, game_with_dice, men, move, press
from tests.games.helpers import fund


def test_from_the_lobby_to_a_game(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    fund(alice)
    fund(bob)
    first, second = guest(alice), guest(bob, **PHONE)
    second.open("/")
    page = first.open("/tables/new/")
    page.fill("[name=stake]", "10,50")
    page.check("[name=cube_limit][value='8']", force=True)
    expect(page.locator("#hold")).to_contain_text("₴252.00")  # 10.50 × 8 × 3
    page.click("#open-table")
    page.wait_for_url("**/tables/*/")
    second.page.locator("a.offer").click()  # appeared in the lobby by itself
    second.page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Ready").click()
    expect(page.get_by_text("You are ready.")).to_be_visible()
    second.page.get_by_role("button", name="Ready").click()
    for one in (first, second):
        one.page.wait_for_url("**/games/*/")
        expect(one.page.locator(".money-box")).to_contain_text("₴252.00")
    assert Game.objects.count() == 1


def test_a_move_is_seen_by_the_other_side_at_once(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = game_with_dice(alice, bob, (3, 1))
    first, second = guest(alice), guest(bob)
    mine, theirs = first.open(f"/games/{game.pk}/"), second.open(f"/games/{game.pk}/")
    board_is_ready(mine)
    board_is_ready(theirs)
    move(mine, 8, 5)
    move(mine, 6, 5)
    confirm(mine)
    expect(theirs.locator(".say")).to_contain_text("Your turn")
    expect(theirs.locator("#points [data-point='20']")).to_have_attribute(
        "aria-label", "Point 20, the opponent's 2 checkers"
    )
    expect(theirs.locator("#polite")).to_contain_text("alice rolled 3-1: 8 to 5; 6 to 5. Your turn")
    expect(theirs.locator(".moves")).to_contain_text("8/5 6/5")
    game.refresh_from_db()
    assert game.state["last_turn"]["play"] == "8/5 6/5"
    assert len(men(mine)) == len(men(theirs)) == 30


def test_double_take_resign_and_settled_money(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = game_to_roll(alice, bob, stake="10.00 UAH", cube_limit=8)
    first, second = guest(alice), guest(bob)
    mine, theirs = first.open(f"/games/{game.pk}/"), second.open(f"/games/{game.pk}/")
    press(mine, "#double")
    expect(mine.locator("#double-words")).to_contain_text("If bob takes, the game is worth ₴20.00.")
    press(mine, "#confirm-double [data-act=double]")
    expect(theirs.locator(".panel")).to_contain_text("you lose ₴10.00 now")
    assert theirs.evaluate("document.activeElement.dataset.act") is None  # Enter out of habit decides nothing
    press(theirs, ".panel [data-act=take]")
    expect(mine.locator(".money-box")).to_contain_text("cube 2")
    press(mine, "#menu-open")
    mine.click("#resign-open")
    expect(mine.locator("#resign-words")).to_contain_text("koks: you lose ₴60.00")
    press(mine, "#resign [data-act=resign]")
    expect(theirs.locator(".panel.end")).to_contain_text("You have won")
    expect(mine.locator(".panel.end")).to_contain_text("−₴60.00")
    settle.claim_and_settle()
    for page in (mine, theirs):
        expect(page.locator(".panel.end")).to_contain_text("Entry")
        expect(page.get_by_role("button", name="Next game")).to_be_visible()
    game.refresh_from_db()
    assert (game.winner, game.points, game.settlement) == ("black", 6, "settled")


def test_a_roll_is_one_press_and_shows_on_both_boards(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = game_to_roll(alice, bob)
    first, second = guest(alice), guest(bob)
    mine, theirs = first.open(f"/games/{game.pk}/"), second.open(f"/games/{game.pk}/")
    board_is_ready(theirs)
    press(mine, "#main-act")
    mine.locator("#main-act").dblclick(force=True, no_wait_after=True)
    expect(mine.locator(".die").first).to_be_visible()
    expect(theirs.locator(".die").first).to_be_visible()
    assert game.events.filter(event__type="roll").count() == 1
    assert "24" in checkers_on(mine, 24)
