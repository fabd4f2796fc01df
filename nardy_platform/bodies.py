"""Reading of request bodies before a thread is taken: a slow sender must not hold one, and a large one is refused."""

from __future__ import annotations

import asyncio

from django.conf import settings

from nardy_platform.replies import Application, Message, Receive, Scope, Send, reply

BODY_TIMEOUT_S = 30


class _TooLarge(Exception):
    pass


def whole_body(application: Application) -> Application:
    """Wrap an ASGI application so that it gets the body in one piece, of at most MAX_BODY_BYTES (else 413 or 408)."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await asyncio.wait_for(_read(receive), BODY_TIMEOUT_S)
        except _TooLarge:
            await _refuse(scope, send, 413, "too_large", f"The request is larger than {settings.MAX_BODY_BYTES} bytes.")
            return
        except TimeoutError:
            await _refuse(scope, send, 408, "too_slow", f"The request did not arrive within {BODY_TIMEOUT_S} s.")
            return
        if body is not None:
            await application(scope, _once(body, receive), send)

    return wrapped


async def _refuse(scope: Scope, send: Send, status: int, code: str, message: str) -> None:
    """In words for people, as JSON for programs (docs/api.md)."""
    programs = scope["path"].startswith("/api/")
    await reply(send, status, {"code": code, "message": message, "params": {}} if programs else message)


async def _read(receive: Receive) -> bytes | None:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > settings.MAX_BODY_BYTES:
            raise _TooLarge
        if not message.get("more_body"):
            return bytes(body)


def _once(body: bytes, receive: Receive) -> Receive:
    given = False

    async def receive_body() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_body
