"""Games at a chosen moment, and hands that play them through the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page, expect

from games import rules
from games.models import Game, SweepTick
from tests.games.helpers import started

GUARD_MS = 360  # a control ignores activation for 350 ms after it has appeared


def game_with_dice(white: Any, black: Any, dice: Sequence[int], **given: Any) -> Game:
    """A game at its start in which White has these dice on the board."""
    game = started(white, black, **given)
    return set_state(game, phase="play", turn="white", dice=list(dice))


def game_to_roll(white: Any, black: Any, **given: Any) -> Game:
    """A game in which White is to roll (or to double), after both have moved once."""
    game = started(white, black, **given)
    return set_state(game, phase="roll", turn="white", dice=None)


def set_state(game: Game, **changes: Any) -> Game:
    """Writes a moment into a game's row, with White's clock running; the server must look alive to judge clocks."""
    now = timezone.now()
    SweepTick.objects.update_or_create(pk=1, defaults={"at": now + timedelta(hours=1)})
    game.refresh_from_db()
    clock = game.clock_value.next(now, changes.get("turn", "white"), 60_000)
    game.clock_value = clock
    game.state = game.state | {"turns_played": 2, "starter": "black"} | changes
    rules.state_from_json(game.state)
    game.save()
    return game


def board_is_ready(page: Page) -> None:
    """Until the script has taken over the drawing."""
    expect(page.locator("#points [data-point='24']")).not_to_have_attribute("aria-label", "24")


def tap(page: Page, point: int) -> None:
    page.locator(f"#points [data-point='{point}']").click()


def move(page: Page, start: int, end: int) -> None:
    """Choose, then place; waits until the checker has arrived."""
    tap(page, start)
    expect(page.locator(f"#points [data-point='{start}']")).to_have_attribute("aria-label", contains("selected"))
    tap(page, end)
    expect(page.locator("#undo")).to_be_enabled()
    page.wait_for_timeout(200)  # the checker is on its way


def contains(text: str) -> Any:
    return re.compile(re.escape(text))


def confirm(page: Page) -> None:
    press(page, "#main-act")


def press(page: Page, selector: str) -> None:
    """Presses a control that has been there for long enough."""
    expect(page.locator(selector)).to_be_enabled()
    page.wait_for_timeout(GUARD_MS)
    page.locator(selector).click()


def men(page: Page) -> list[tuple[str, str, str]]:
    """Every checker in the drawing: colour and place."""
    script = "[...document.querySelectorAll('.men use')].map(m => ['href', 'x', 'y'].map(name => m.getAttribute(name)))"
    return sorted(map(tuple, page.evaluate(script)))


def checkers_on(page: Page, point: int) -> str:
    """What the point's button says to a screen reader."""
    return page.locator(f"#points [data-point='{point}']").get_attribute("aria-label") or ""
