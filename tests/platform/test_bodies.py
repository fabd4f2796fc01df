"""Bodies of requests are read before a page's thread is taken, and are limited."""

from __future__ import annotations

from django.conf import settings

from nardy_platform import bodies
from tests.platform.asgi_client import ask


async def echo(scope, receive, send) -> None:
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": message["body"]})


async def silent(scope, receive, send) -> None:
    raise AssertionError("the page was called")


def test_a_body_in_pieces_arrives_whole():
    assert ask(bodies.whole_body(echo), "/", "POST", [b"one ", b"two"]) == (200, b"one two")


def test_a_large_body_is_refused_before_the_page_is_called():
    half = b"x" * (settings.MAX_BODY_BYTES // 2 + 1)
    status, said = ask(bodies.whole_body(silent), "/", "POST", [half, half])
    assert status == 413
    assert b"larger than 1000000 bytes" in said


def test_a_body_that_does_not_come_is_given_up(monkeypatch):
    monkeypatch.setattr(bodies, "BODY_TIMEOUT_S", 0.01)

    async def never(scope, receive, send) -> None:
        async def nothing() -> dict[str, object]:
            import asyncio

            await asyncio.sleep(60)
            raise AssertionError

        await bodies.whole_body(silent)(scope, nothing, send)

    assert ask(never, "/", "POST")[0] == 408
