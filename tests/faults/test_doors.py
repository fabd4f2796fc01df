"""The simulated clients see when a site does something twice: here one that does, in place of ours."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from games import rules
from games.client import Client
from games.doors import Refused, Web
from games.models import Game
from games.terms import make_terms
from ledger.money import parse

pytestmark = pytest.mark.django_db

TERMS = make_terms(variant="short", stake=parse("1.00 UAH"), options={"cube_limit": 2}, series_length=1)
Answers = Callable[[str, dict[str, Any]], tuple[int, Any]]


@pytest.fixture
def site() -> Iterator[Callable[..., Web]]:
    """site(answers, seed=…): a door to a site that answers so; with that seed every "… open" and so on is raced."""
    servers: list[http.server.ThreadingHTTPServer] = []

    def serve(answers: Answers) -> Web:
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, told = answers(self.path, json.loads(body or b"{}"))
                text = json.dumps(told).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST

            def log_message(self, *_: Any) -> None: ...

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = Client(f"127.0.0.1:{server.server_port}", 1, lambda _: None)
        client.fate = lambda name, trouble: "raced"  # type: ignore[method-assign]
        return Web(client)

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_table_opened_twice_is_seen(site: Any, alice: Any) -> None:
    ids = count(1)
    door = site(lambda path, body: (201, {"id": next(ids)}))
    with pytest.raises(AssertionError, match=r"one request opened \[(1, 2|2, 1)\]"):
        door._open(alice, TERMS, "x")


def test_another_table_named_is_seen(site: Any, alice: Any) -> None:
    answers = iter([(201, {"id": 1}), (409, {"code": "already_has_table", "params": {"table": 2}})])
    with pytest.raises(AssertionError, match=r"opened \[1\] and found \[2\]"):
        site(lambda path, body: next(answers))._open(alice, TERMS, "x")


def test_one_opened_and_once_told_so_is_well(site: Any, alice: Any) -> None:
    answers = iter([(409, {"code": "already_has_table", "params": {"table": 3}}), (201, {"id": 3})])
    assert site(lambda path, body: next(answers))._open(alice, TERMS, "x") == 3


def test_a_seat_taken_twice_is_seen(site: Any, alice: Any) -> None:
    with pytest.raises(AssertionError, match="taken twice"):
        site(lambda path, body: (200, {}))._join(alice, 5, "x")


def test_a_seat_that_somebody_else_took_is_a_refusal(site: Any, alice: Any) -> None:
    door = site(lambda path, body: (200, []) if "mine" in path else (409, {"code": "table_taken", "params": {}}))
    with pytest.raises(Refused, match="table_taken"):
        door._join(alice, 5, "x")


def test_one_ready_that_begins_two_games_is_seen(site: Any, alice: Any) -> None:
    ids = count(1)
    door = site(lambda path, body: (200, {"status": "playing", "game": next(ids)}))
    with pytest.raises(AssertionError, match="began the games"):
        door.ready(alice, 5, "x")


def test_two_answers_to_one_act_are_seen(site: Any, alice: Any) -> None:
    versions = count(7)
    door = site(lambda path, body: (200, {"applied": next(versions)}))
    with pytest.raises(AssertionError, match="one roll was answered"):
        door.act(alice, Game(pk=1), 6, "roll", "key")


def test_a_play_goes_over_the_line_as_it_was_chosen(site: Any, alice: Any) -> None:
    seen: list[Any] = []

    def answers(path: str, body: dict[str, Any]) -> tuple[int, Any]:
        seen.append((path, body))
        return 409, {"code": "stale_version", "params": {}}

    with pytest.raises(Refused, match="stale_version"):
        site(answers).act(alice, Game(pk=1), 6, rules.Play("24/18 13/8"), None)
    assert seen == [("/api/v1/games/1/actions/", {"version": 6, "type": "play", "play": "24/18 13/8"})]
