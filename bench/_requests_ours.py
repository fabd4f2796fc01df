"""The measured part of bench.requests, on a site of its own: `python -m bench._requests_ours GAMES_AT_ONCE`."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import socket
import statistics
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client as Browser  # noqa: E402

from games import simulation  # noqa: E402
from games.client import Client, Told  # noqa: E402
from games.crowd import Cast, Crowd, Tally  # noqa: E402
from games.doors import Web  # noqa: E402
from games.models import Game  # noqa: E402
from games.site import Site  # noqa: E402
from players.models import Player  # noqa: E402

READERS, PAUSE_S = 4, 0.1
NEWEST = 8  # games that are looked at
GAMES = 12  # played in all, so many at once as is said
ALONE_S = 15  # how long readers read where nobody plays
UP_WITHIN_S = 60


class Times:
    """How long requests took, by kind, from all threads."""

    def __init__(self) -> None:
        self.taken: defaultdict[str, list[float]] = defaultdict(list)

    @contextmanager
    def of(self, kind: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.taken[kind].append(1000 * (time.perf_counter() - started))

    def figures(self, seconds: float) -> dict[str, dict[str, float]]:
        return {
            kind: {
                "requests": len(taken), "per_s": len(taken) / seconds, "p50_ms": statistics.median(taken),
                "p99_ms": statistics.quantiles(taken, n=100)[98],
            }
            for kind, taken in sorted(self.taken.items())
        }  # fmt: skip


class TimedClient(Client):
    """Bots' browsers on a good line, with their requests timed."""

    trouble = RARE_TROUBLE = 0.0

    def __init__(self, address: str, times: Times) -> None:
        super().__init__(address, 1, lambda what: None)
        self.times = times

    def ask(
        self, name: str, player: Player, path: str, body: Any = None, key: str | None = None, rare: bool = False
    ) -> list[Told]:
        with self.times.of("act" if path.startswith("games/") else "sit down"):
            return super().ask(name, player, path, body, key, rare)


def main(at_once: int) -> None:
    people = [simulation.bot_player(number) for number in range(1, 2 * max(at_once, 2) + 3)]
    play_one(people)
    times, over = Times(), threading.Event()
    with site() as address, ThreadPoolExecutor(READERS) as readers:
        wait_until_up(address)
        cookies = {person.pk: session(person) for person in people}
        begun = time.perf_counter()
        reading = [readers.submit(read, address, cookies, times, over) for _ in range(READERS)]
        try:
            if at_once:
                crowd = Crowd(
                    GAMES, Cast(people), 1, lambda text: None, tally := Tally(), Web(TimedClient(address, times))
                )
                crowd.run(at_once)
                if tally.failures:
                    sys.exit(f"the run failed: {tally.failures[:3]}")
            else:
                time.sleep(ALONE_S)
        finally:
            over.set()
        seconds = time.perf_counter() - begun
        for one in reading:
            one.result()
    print(json.dumps(times.figures(seconds)))


def play_one(people: list[Player]) -> None:
    """A game that is there from the beginning, for the readers."""
    Crowd(1, Cast(people), 2, lambda text: None, Tally()).run(1)


@contextmanager
def site() -> Iterator[str]:
    """One web process, a worker and beat; the address of the site."""
    logs = Path(settings.STATIC_ROOT).parent / "log"
    logs.mkdir(exist_ok=True)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(512)
        running = Site(listener, logs)
        try:
            for name in ("web 1", "worker", "beat"):
                running.restart(name)
            yield running.address
        finally:
            running.end()


def wait_until_up(address: str) -> None:
    give_up = time.monotonic() + UP_WITHIN_S
    while True:
        line = http.client.HTTPConnection(address, timeout=5)
        try:
            line.request("GET", "/healthz/live")
            if line.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.2)
        finally:
            line.close()
        if time.monotonic() > give_up:
            sys.exit("the site did not come up")


def session(player: Player) -> str:
    browser = Browser()
    browser.force_login(player)
    return browser.cookies["sessionid"].value


def read(address: str, cookies: dict[int, str], times: Times, over: threading.Event) -> None:
    """Open one page after the other, each as the next person who has a game, until all is over."""
    line = http.client.HTTPConnection(address, timeout=60)
    pages = itertools.cycle(["lobby", "game page", "wallet", "API game"])
    while not over.wait(PAUSE_S):
        game = random.choice(Game.objects.order_by("-pk")[:NEWEST])
        page = next(pages)
        path = {
            "lobby": "/",
            "game page": f"/games/{game.pk}/",
            "wallet": "/wallet/",
            "API game": f"/api/v1/games/{game.pk}/",
        }[page]
        with times.of(page):
            line.request("GET", path, headers={"Cookie": f"sessionid={cookies[game.white_id]}"})
            answer = line.getresponse()
            answer.read()
        if answer.status != 200:
            raise AssertionError(f"{path}: {answer.status}")
    connection.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
