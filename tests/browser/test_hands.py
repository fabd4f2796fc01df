"""What hands do on the board: choose and place, undo, drag, keys, typed moves; on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games import rules
from tests.browser.conftest import PHONE
from tests.browser.positions import (
    board_is_ready,
    checkers_on,
    confirm,
    game_with_dice,
    men,
    move,
    set_state,
    tap,
)
from tests.games.helpers import play_on, started


@pytest.fixture
def page(guest: Callable[..., Any], alice: Any, bob: Any) -> Any:
    game = game_with_dice(alice, bob, (3, 1))
    found = guest(alice).open(f"/games/{game.pk}/")
    board_is_ready(found)
    return found


def test_nothing_ends_before_confirm_and_everything_can_be_taken_back(page: Any) -> None:
    start = men(page)
    expect(page.locator("#main-act")).to_be_disabled()
    move(page, 8, 5)
    expect(page.locator("#main-act")).to_be_disabled()
    move(page, 6, 5)
    expect(page.locator("#main-act")).to_be_enabled()
    page.click("#undo")
    assert "Point 6, your 5 checkers" in checkers_on(page, 6)
    page.click("#undo-all")
    assert men(page) == start
    expect(page.locator("#undo")).to_be_disabled()


def test_chosen_again_is_chosen_no_more(page: Any) -> None:
    tap(page, 8)
    assert "selected" in checkers_on(page, 8) and "destination" in checkers_on(page, 5)
    tap(page, 8)
    assert "selected" not in checkers_on(page, 8)
    tap(page, 20)  # nothing of mine there
    assert "destination" not in checkers_on(page, 5)


def test_one_checker_may_take_both_dice_at_once(page: Any) -> None:
    move(page, 24, 20)
    expect(page.locator("#main-act")).to_be_enabled()
    assert page.locator(".die.used").count() == 2


def test_a_checker_is_dragged_and_a_bad_drop_changes_nothing(page: Any) -> None:
    def centre(point: int) -> tuple[float, float]:
        box = page.locator(f"#points [data-point='{point}']").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.8

    def drag(start: int, end: int) -> None:
        page.mouse.move(*centre(start))
        page.mouse.down()
        page.mouse.move(*centre(start + 1 if start < 12 else start - 1), steps=3)
        page.mouse.move(*centre(end), steps=5)
        page.mouse.up()

    before = men(page)
    drag(8, 1)
    assert men(page) == before
    drag(8, 5)
    assert "Point 5, your 1 checker" in checkers_on(page, 5)
    assert page.locator(".fly use").count() == 0


def test_keyboard_alone_plays_a_turn(page: Any) -> None:
    page.locator("#points [data-point='8']").focus()
    page.keyboard.press("Enter")
    assert "selected" in checkers_on(page, 8)
    page.keyboard.press("Escape")
    assert "selected" not in checkers_on(page, 8)
    page.keyboard.press("Enter")
    for _ in range(4):  # past the bar to point 5, in the direction in which it is seen
        page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.point") == "5"
    page.keyboard.press("Enter")
    expect(page.locator("#undo")).to_be_enabled()
    page.keyboard.press("Backspace")
    expect(page.locator("#undo")).to_be_disabled()
    page.fill("#typed-move", "8/5 6/5")
    page.press("#typed-move", "Enter")
    expect(page.locator("#main-act")).to_be_enabled()
    page.wait_for_timeout(400)
    page.locator("#points [data-point='5']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".say")).to_contain_text("bob is to roll")


def test_the_board_is_one_tab_stop(page: Any) -> None:
    assert page.evaluate("document.querySelectorAll('#points [tabindex=\"0\"]').length") == 1
    page.locator("#points [data-point='24']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    assert page.evaluate("document.querySelectorAll('#points [tabindex=\"0\"]').length") == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#points')") is None


@pytest.mark.parametrize("text", ["8/4 6/5", "24/1", "nonsense", "8/5/4/3"])
def test_a_typed_move_that_cannot_be_played_is_said(page: Any, text: str) -> None:
    before = men(page)
    page.fill("#typed-move", text)
    page.press("#typed-move", "Enter")
    expect(page.locator("#toast")).to_contain_text("cannot be played now")
    assert men(page) == before


def test_two_ways_with_different_results_are_asked_about(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    mine, theirs = [0] * 26, [0] * 26
    mine[13], mine[6], mine[8] = 5, 5, 5
    theirs[25 - 11], theirs[0], theirs[6] = 1, 9, 5  # a blot on White's 11, on one of the two ways from 13 to 10
    set_state(game, phase="play", turn="white", dice=[2, 1], white=mine, black=theirs)
    page = guest(alice).open(f"/games/{game.pk}/")
    board_is_ready(page)
    tap(page, 13)
    tap(page, 10)
    expect(page.locator("#routes")).to_contain_text("Which way?")
    page.get_by_role("button", name="via 11, hits").click()
    expect(page.locator("#points [data-point='11']")).to_have_attribute("aria-label", "Point 11, empty")
    confirm(page)
    expect(page.locator(".say")).to_contain_text("bob is to roll")
    game.refresh_from_db()
    assert game.state["last_turn"]["play"] == "13/11*/10"


def test_nobody_is_asked_where_the_dice_make_no_difference(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    mine, theirs = [0] * 26, [0] * 26
    mine[0], mine[1] = 12, 3
    theirs[0], theirs[1] = 13, 2
    set_state(game, phase="play", turn="white", dice=[6, 1], white=mine, black=theirs)
    page = guest(alice).open(f"/games/{game.pk}/")
    board_is_ready(page)
    page.fill("#typed-move", "1/off 1/off")
    page.press("#typed-move", "Enter")
    expect(page.locator("#main-act")).to_be_enabled()
    page.click("#undo-all")
    tap(page, 1)
    tap(page, 0)
    expect(page.locator("#undo")).to_be_enabled()
    expect(page.locator("#routes")).to_be_hidden()


def test_bearing_off_on_a_phone(guest: Callable[..., Any], alice: Any, bob: Any) -> None:
    game = started(alice, bob)
    mine, theirs = [0] * 26, [0] * 26
    mine[0], mine[2], mine[1] = 12, 1, 2
    theirs[0], theirs[1] = 13, 2
    set_state(game, phase="play", turn="white", dice=[2, 1], white=mine, black=theirs)
    page = guest(alice, **PHONE).open(f"/games/{game.pk}/")
    board_is_ready(page)
    tap(page, 2)
    page.locator("#off-box").tap()
    expect(page.locator("#undo")).to_be_enabled()
    assert "12" in page.locator("#off-box").inner_text()  # the strip counts what is confirmed
    tap(page, 1)
    page.locator("#off-box").tap()
    confirm(page)
    expect(page.locator("#off-box")).to_contain_text("14")


def test_a_phone_never_scrolls_and_a_tap_lands_where_the_checker_is(
    guest: Callable[..., Any], alice: Any, bob: Any
) -> None:
    game = game_with_dice(alice, bob, (3, 1))
    page = guest(alice, **PHONE).open(f"/games/{game.pk}/")
    board_is_ready(page)
    page.evaluate("scrollTo(0, 500)")
    assert page.evaluate("[scrollX, scrollY, document.documentElement.scrollWidth]") == [0, 0, 390]
    assert page.locator("#main-act").bounding_box()["y"] + 40 < 664
    misses = page.evaluate(
        """() => [...document.querySelectorAll('.men use')].filter(man => {
            const box = man.getBoundingClientRect();
            const button = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            const own = button.getBoundingClientRect();
            return !button.matches('.pt') || Math.abs(own.x + own.width / 2 - box.x - box.width / 2) > 2;
        }).length"""
    )
    assert misses == 0
    page.locator("#points [data-point='8']").tap()
    assert "selected" in checkers_on(page, 8)
    page.locator("#points [data-point='5']").tap()
    expect(page.locator("#points [data-point='5']")).to_have_attribute(
        "aria-label", "Point 5, your 1 checker, can move to 4"
    )


@pytest.mark.parametrize("variant", list(rules.VARIANTS))
def test_script_and_server_draw_the_same_board(guest: Callable[..., Any], alice: Any, bob: Any, variant: str) -> None:
    game = started(alice, bob, variant=variant)
    play_on(game, most=9)
    game.refresh_from_db()
    person = game.player("black")
    plain = guest(person, java_script_enabled=False).open(f"/games/{game.pk}/")
    scripted = guest(person).open(f"/games/{game.pk}/")
    board_is_ready(scripted)
    assert _drawn(plain.content()) == _drawn(scripted.content()) != []


def _drawn(html: str) -> list[tuple[str, ...]]:
    """Checkers, their numbers, and slabs of the tray, as they stand in the page."""
    checkers = re.findall(r'<use href="#(c[ld])" x="([\d.]+)" y="([\d.]+)"', html)
    numbers = re.findall(r'<text class="(count c[ld]-t)" x="([\d.]+)" y="([\d.]+)">(\d+)', html)
    slabs = re.findall(r'<rect class="(slab c[ld])" x="([\d.]+)" y="([\d.]+)"', html)
    return sorted([*checkers, *numbers, *slabs])
