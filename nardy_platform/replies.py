"""Short answers of the parts that stand before Django."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'"),
]


async def reply(
    send: Send, status: int, content: str | dict[str, Any], headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    """One whole ASGI answer: JSON for a dict, else plain text."""
    text = isinstance(content, str)
    body = content.encode() if isinstance(content, str) else json.dumps(content).encode()
    kind = b"text/plain; charset=utf-8" if text else b"application/json"
    start = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), *HEADERS, *(headers or [])]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})
