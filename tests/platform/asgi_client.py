"""One request to an ASGI application, without a server."""

from __future__ import annotations

import asyncio
from typing import Any


def ask(application: Any, path: str, method: str = "GET", body: list[bytes] | None = None) -> tuple[int, bytes]:
    """Status and body of its answer; `body` is sent in these pieces."""
    pieces = [{"type": "http.request", "body": piece, "more_body": True} for piece in body or []]
    pieces.append({"type": "http.request", "body": b"", "more_body": False})
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return pieces.pop(0) if pieces else {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": []}
    asyncio.run(application(scope, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)
