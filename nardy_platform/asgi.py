"""The site as one ASGI application: live streams and health stand before Django, whose pages run as WSGI in threads.

A stream inside Django would keep a thread and a database connection; 200 of them took a whole site down in a trial.
"""

from __future__ import annotations

import os

from a2wsgi import WSGIMiddleware

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")

from nardy_platform.wsgi import application as wsgi_application

from nardy_platform import health, live  # isort: skip  (they need Django set up)
from nardy_platform.bodies import whole_body
from nardy_platform.replies import Receive, Scope, Send

PAGE_THREADS = 16
pages = whole_body(WSGIMiddleware(wsgi_application, workers=PAGE_THREADS))  # type: ignore[arg-type]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Route by path alone; everything that is neither a stream nor a health check is a page."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] != "http":
        await send({"type": "websocket.close", "code": 1000})
    elif scope["path"] == "/live/":
        await live.stream(scope, receive, send)
    elif scope["path"].startswith("/healthz/"):
        await health.answer(scope, receive, send)
    else:
        await pages(scope, receive, send)


async def _lifespan(receive: Receive, send: Send) -> None:
    await receive()
    live.hub.start()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await live.hub.stop()
    await send({"type": "lifespan.shutdown.complete"})
