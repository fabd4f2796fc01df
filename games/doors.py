"""Two ways by which a simulated client acts in a game: straight into the action, or over HTTP through the API.

Over HTTP it also does what bad lines make of clients: it abandons a request before the answer and sends it again, and
it sends one request twice at the same time. Answers to the same request must agree.
"""

from __future__ import annotations

import http.client
import json
import random
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import InterfaceError, OperationalError, connection

from games import play, rules
from games.errors import GameError
from games.models import Game
from players.models import Player

Answer = TypeVar("Answer")

CLIENT_PATIENCE_S = 120
ABANDON_CHANCE = RACE_CHANCE = 0.04
ANSWER_WITHIN_S = 30


class Refused(GameError):
    """The API said no; `code` is what it said."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self.code = code

    def __str__(self) -> str:
        return self.code


class NoAnswer(Exception):
    """The line broke, or the server could not answer now: the same request may be sent again."""


class Door(Protocol):
    def act(self, player: Player, game: Game, version: int, action: play.Action, key: str | None) -> tuple[Game, int]:
        """Act, and answer with the game after it and the version that the request produced. Raises GameError and
        RuleError where the request is refused."""


class Inside:
    """Calls the action itself; a request whose database connection broke is repeated."""

    def act(self, player: Player, game: Game, version: int, action: play.Action, key: str | None) -> tuple[Game, int]:
        view = patient(lambda: play.act(player, game.pk, version, action, key))
        assert view.applied is not None
        return view.game, view.applied


class Web:
    """A browser's requests to the API at `address` ("127.0.0.1:8000"), each with its player's own session."""

    def __init__(self, address: str, luck: random.Random, count: Callable[[str], object]) -> None:
        self.address = address
        self.luck = luck
        self.count = count
        self._cookies: dict[int, str] = {}

    def act(self, player: Player, game: Game, version: int, action: play.Action, key: str | None) -> tuple[Game, int]:
        send = self._request(player, game, version, action, key)
        chance = self.luck.random()
        if key and chance < ABANDON_CHANCE:
            self._abandon(send)
        if key and ABANDON_CHANCE <= chance < ABANDON_CHANCE + RACE_CHANCE:
            applied = self._race(send)
        else:
            applied = self._until_answered(send)
        found = patient(lambda: Game.objects.select_related("white", "black").get(pk=game.pk))
        return found, applied

    def _request(
        self, player: Player, game: Game, version: int, action: play.Action, key: str | None
    ) -> Callable[[http.client.HTTPConnection], None]:
        body: dict[str, Any] = {"version": version, "type": action if isinstance(action, str) else action.kind}
        if isinstance(action, rules.Play):
            body["play"] = action.text
        token = secrets.token_hex(16)
        headers = {
            "Content-Type": "application/json",
            "Cookie": f"sessionid={self._session(player)}; csrftoken={token}",
            "X-CSRFToken": token,
        } | ({"Idempotency-Key": key} if key else {})
        return lambda line: line.request("POST", f"/api/v1/games/{game.pk}/actions/", json.dumps(body), headers)

    def _session(self, player: Player) -> str:
        """A session as log-in makes it: bots have no password to log in with."""
        if player.pk not in self._cookies:
            self._cookies[player.pk] = patient(lambda: _new_session(player))
        return self._cookies[player.pk]

    def _abandon(self, send: Callable[[http.client.HTTPConnection], None]) -> None:
        """Send and hang up without reading the answer, as a browser that is closed."""
        line = http.client.HTTPConnection(self.address, timeout=ANSWER_WITHIN_S)
        try:
            send(line)
            self.count("requests abandoned and repeated")
        except OSError:
            pass  # it did not even get through; the repeat will
        finally:
            line.close()

    def _race(self, send: Callable[[http.client.HTTPConnection], None]) -> int:
        with ThreadPoolExecutor(2) as both:
            first, second = both.map(lambda _: self._until_answered(send), range(2))
        if first != second:
            raise AssertionError(f"one request sent twice at once produced versions {first} and {second}")
        self.count("requests raced against themselves")
        return first

    def _until_answered(self, send: Callable[[http.client.HTTPConnection], None]) -> int:
        give_up = time.monotonic() + CLIENT_PATIENCE_S
        while True:
            try:
                return self._answer(send)
            except NoAnswer:
                self.count("requests repeated after no answer")
                if time.monotonic() > give_up:
                    raise
                time.sleep(0.3)

    def _answer(self, send: Callable[[http.client.HTTPConnection], None]) -> int:
        line = http.client.HTTPConnection(self.address, timeout=ANSWER_WITHIN_S)
        try:
            send(line)
            answer = line.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer(f"{type(error).__name__}: {error}") from error
        finally:
            line.close()
        if answer.status >= 500 or answer.status == 429:
            raise NoAnswer(f"status {answer.status}")
        told = json.loads(text)
        if answer.status != 200:
            raise Refused(told["code"])
        return int(told["applied"])


def _new_session(player: Player) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def patient(request: Callable[[], Answer]) -> Answer:
    """Repeat a request whose connection broke, as a browser does; the answer of a repeat is that of the first."""
    give_up = time.monotonic() + CLIENT_PATIENCE_S
    while True:
        try:
            return request()
        except (OperationalError, InterfaceError):
            connection.close()
            if time.monotonic() > give_up:
                raise
            time.sleep(0.2)
