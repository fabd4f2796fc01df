"""The web process: `python -m nardy_platform.web` serves pages, API, live streams and health on HOST and PORT.

`serve` hands it a socket that is already open (--fd), so that the port stays ours while this process is restarted.
"""

from __future__ import annotations

import os
import resource
import socket
import sys

import uvicorn

from nardy_platform import address, environment

GRACE_S = 10  # for pages that are being answered; streams are ended at once


class Server(uvicorn.Server):
    """uvicorn waits for open connections before it tells the application of the shutdown: streams must end before."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from nardy_platform.live import hub

        hub.end_streams()
        await super().shutdown(sockets)


def main() -> None:
    try:
        port = address.port()
    except address.CannotServe as error:
        environment.refuse(str(error))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
    environment.read_settings()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # each stream is an open file
    proxies = os.environ.get("FORWARDED_ALLOW_IPS", "")
    config = uvicorn.Config(
        "nardy_platform.asgi:application",
        host=os.environ.get("HOST") or "127.0.0.1",
        port=port,
        log_config=None,  # Django's, see log.py; uvicorn's access log would show tokens
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=GRACE_S,
    )
    given = [socket.socket(fileno=int(sys.argv[2]))] if sys.argv[1:2] == ["--fd"] else None
    Server(config).run(sockets=given)


if __name__ == "__main__":
    main()
