"""What bad lines make of an HTTP client: it abandons requests, races against itself, and repeats what got no answer.

`Client.ask` sends one request to the API as a player's browser would, and returns every answer that it got to it. What
happens to a request depends on its name and the seed alone, so one seed has the same requests abandoned and raced.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import InterfaceError, OperationalError, connection

from players.models import Player

Answer = TypeVar("Answer")

PATIENCE_S = 120
ANSWER_WITHIN_S = 30
RETRY_S = 0.3

Fate = Literal["plain", "abandoned", "raced"]


class NoAnswer(Exception):
    """The line broke, or the server could not answer now: the same request may be sent again."""


@dataclass(frozen=True)
class Told:
    """One answer of the API."""

    status: int
    body: Any

    @property
    def done(self) -> bool:
        return self.status < 300

    @property
    def code(self) -> str:
        """Why it was refused; empty where it was done."""
        return "" if self.done else str(self.body.get("code", self.status))


@dataclass(frozen=True)
class Request:
    """A request as it goes over the line; the same one can be sent any number of times."""

    method: str
    path: str
    body: str
    headers: dict[str, str]


class Client:
    """Players' browsers at `address` ("127.0.0.1:8000"), each with its player's own session.

    `trouble` is the share of requests that are abandoned, and as many race against themselves; of those named in
    `ask` as rare it is RARE_TROUBLE.
    """

    trouble = 0.04
    RARE_TROUBLE = 0.3

    def __init__(self, address: str, seed: int, count: Callable[[str], object]) -> None:
        self.address = address
        self.seed = seed
        self.count = count
        self._cookies: dict[int, str] = {}

    def ask(
        self, name: str, player: Player, path: str, body: Any = None, key: str | None = None, rare: bool = False
    ) -> list[Told]:
        """POST `body` to /api/v1/`path`; the answers: one, or two where the request was sent twice at the same time.

        `name` is the request's own in this run; its last word is what it is counted as. `rare`: one of a kind that
        comes seldom, so that it meets trouble more often. Raises NoAnswer when there is none for PATIENCE_S.
        """
        request = self._request(player, "POST", path, body, key)
        fate = self.fate(name, self.RARE_TROUBLE if rare else self.trouble)
        kind = name.rsplit(" ", 1)[-1]
        if fate == "abandoned" and self._abandon(request):
            self.count(f"abandoned and repeated: {kind}")
        if fate == "raced":
            self.count(f"raced against itself: {kind}")
            return self._race(request)
        return [self._until_answered(request)]

    def see(self, player: Player, path: str) -> Any:
        """What /api/v1/`path` shows this player. Raises NoAnswer, and ValueError where it is refused."""
        told = self._until_answered(self._request(player, "GET", path, None, None))
        if not told.done:
            raise ValueError(f"{path}: {told.status} {told.body}")
        return told.body

    def plain(self, player: Player, path: str, body: Any = None, key: str | None = None) -> Told:
        """POST without any trouble of our own making."""
        return self._until_answered(self._request(player, "POST", path, body, key))

    def fate(self, name: str, trouble: float) -> Fate:
        chance = random.Random(f"{self.seed} {name}").random()
        if chance < trouble:
            return "abandoned"
        return "raced" if chance < 2 * trouble else "plain"

    def _request(self, player: Player, method: str, path: str, body: Any, key: str | None) -> Request:
        token = secrets.token_hex(16)
        headers = {
            "Content-Type": "application/json",
            "Cookie": f"sessionid={self._session(player)}; csrftoken={token}",
            "X-CSRFToken": token,
        } | ({"Idempotency-Key": key} if key else {})
        return Request(method, f"/api/v1/{path}", "" if body is None else json.dumps(body), headers)

    def _session(self, player: Player) -> str:
        """A session as log-in makes it: simulated people have no password to log in with."""
        if player.pk not in self._cookies:
            self._cookies[player.pk] = patient(lambda: _new_session(player))
        return self._cookies[player.pk]

    def _abandon(self, request: Request) -> bool:
        """Send and hang up without reading the answer, as a browser that is closed; whether it was sent at all."""
        line = self._line()
        try:
            _send(line, request)
        except OSError:
            return False
        finally:
            line.close()
        return True

    def _race(self, request: Request) -> list[Told]:
        """The same request on two connections, both sent before either is answered; what got no answer is repeated."""
        lines = [self._line(), self._line()]
        for line in lines:
            with contextlib.suppress(OSError):  # its answer will be missing
                _send(line, request)
        told: list[Told] = []
        for line in lines:
            try:
                told.append(_answer(line))
            except NoAnswer:
                told.append(self._until_answered(request))
        return told

    def _until_answered(self, request: Request) -> Told:
        give_up = time.monotonic() + PATIENCE_S
        while True:
            line = self._line()
            try:
                _send(line, request)
                return _answer(line)
            except (NoAnswer, OSError) as error:
                line.close()
                self.count("repeated after no answer")
                if time.monotonic() > give_up:
                    raise NoAnswer(f"{request.method} {request.path}: {error}") from error
                time.sleep(RETRY_S)

    def _line(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.address, timeout=ANSWER_WITHIN_S)


def _send(line: http.client.HTTPConnection, request: Request) -> None:
    line.request(request.method, request.path, request.body, request.headers)


def _answer(line: http.client.HTTPConnection) -> Told:
    try:
        answer = line.getresponse()
        text = answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise NoAnswer(f"{type(error).__name__}: {error}") from error
    finally:
        line.close()
    if answer.status >= 500 or answer.status == 429:
        raise NoAnswer(f"status {answer.status}")
    return Told(answer.status, json.loads(text))


def _new_session(player: Player) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.create()
    return str(session.session_key)


def patient(request: Callable[[], Answer]) -> Answer:
    """Repeat a request whose connection broke, as a browser does; the answer of a repeat is that of the first."""
    give_up = time.monotonic() + PATIENCE_S
    while True:
        try:
            return request()
        except (OperationalError, InterfaceError):
            connection.close()
            if time.monotonic() > give_up:
                raise
            time.sleep(0.2)
