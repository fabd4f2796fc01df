"""A real web process on the test database, and Chromium. Without Chromium these tests are named as left out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.platform.serving import free_port, get
from tests.support.processes import running, wait_until

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 664}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    left_out = pytest.mark.skip(reason="browser tests are left out: there is no Chromium on this machine")
    for item in items:
        if here in Path(item.path).parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.django_db(transaction=True))
            item.add_marker(pytest.mark.xdist_group("browser"))
            if not Path(CHROMIUM).exists():
                item.add_marker(left_out)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    # Playwright's event loop lives in this thread, and Django would refuse to touch the database beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def site(django_db_setup: None, valkey: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a web process, as `serve` starts it, with collected static files."""
    port = free_port()
    environment = os.environ | {
        "PORT": str(port),
        "STATIC_ROOT": str(tmp_path_factory.mktemp("static")),
        "DJANGO_SETTINGS_MODULE": "nardy_platform.settings",
    }
    collect = [sys.executable, "-m", "django", "collectstatic", "--no-input", "-v", "0"]
    subprocess.run(collect, env=environment, check=True, cwd=settings.BASE_DIR, stderr=subprocess.DEVNULL)
    with running([sys.executable, "-m", "nardy_platform.web"], env=environment, stderr=subprocess.DEVNULL):
        wait_until(lambda: get(port, "/healthz/live")[0] == 200, what="the web process")
        yield f"http://127.0.0.1:{port}"


class Guest:
    """One person at one browser, who expects no errors in its console."""

    def __init__(self, context: BrowserContext, site: str) -> None:
        self.context, self.site = context, site
        self.complaints: list[str] = []
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._listen)
        return page

    def _listen(self, message: Any) -> None:
        # A refused command answers 409 or 422, and a line that is cut is no fault of the page.
        expected = (
            "status of 409",
            "status of 422",
            "ERR_INTERNET_DISCONNECTED",
            "ERR_INCOMPLETE_CHUNKED",
            "ERR_FAILED",
        )
        if message.type in ("error", "warning") and not any(part in message.text for part in expected):
            self.complaints.append(message.text)

    def open(self, path: str, page: Page | None = None) -> Page:
        page = page or self.page
        page.goto(self.site + path)
        return page


@pytest.fixture
def guest(browser: Browser, site: str, transactional_db: None) -> Iterator[Callable[..., Guest]]:
    """guest(player, **context): a browser in which this player is logged in."""
    guests: list[Guest] = []

    def make(player: Any = None, **kind: Any) -> Guest:
        context = browser.new_context(**{**DESKTOP, "locale": "en-US", **kind})
        if player is not None:
            client = Client()
            client.force_login(player)
            cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": site}])
        guests.append(Guest(context, site))
        return guests[-1]

    yield make
    for one in guests:
        one.context.close()
    assert [complaint for one in guests for complaint in one.complaints] == []
