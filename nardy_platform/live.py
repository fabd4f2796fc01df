"""Server-Sent Events: which game, table or lobby has a new version. No business data; the browser fetches the state.

One Valkey subscription per process is fanned out to its streams. A message may be lost: every 15 s one query reads the
versions of all that this process's streams watch, and the heartbeats carry them. docs/protocol.md tells clients.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs

import redis.asyncio
from django.conf import settings
from django.db import close_old_connections

from games import live
from nardy_platform.replies import Receive, Scope, Send, reply

logger = logging.getLogger(__name__)

HEARTBEAT_S = 15
GATHER_S = 0.3  # newcomers within this time are told their versions by one query
SLOW_CLIENT_S = 10
STREAMS_PER_USER = 20
STREAMS_PER_PROCESS = 5000
RETRY_MS = 2000
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx must pass events on at once
    (b"x-content-type-options", b"nosniff"),
]


class Stream:
    """One listening browser and what it has to be told. Only the newest version of a topic waits, so it stays small."""

    def __init__(self, user_id: int, topics: Iterable[str]) -> None:
        self.user_id = user_id
        self.topics = frozenset(topics)
        self._told: dict[str, int] = {}
        self._waiting: dict[str, int] = {}
        self._heartbeat = False
        self._something = asyncio.Event()
        self.ended = False

    def tell(self, topic: str, version: int, *, again: bool = False) -> None:
        """Pass a version on if it is news, or, with `again`, in any case."""
        if again or version > self._told.get(topic, -1):
            self._told[topic] = self._waiting[topic] = max(version, self._told.get(topic, -1))
            self._something.set()

    def heartbeat(self) -> None:
        self._heartbeat = True
        self._something.set()

    def end(self) -> None:
        self.ended = True
        self._something.set()

    async def next_chunk(self) -> bytes:
        """What is to be sent next; empty when the stream has ended."""
        await self._something.wait()
        self._something.clear()
        if self.ended:
            return b""
        lines = [f"data: {topic} {version}\n\n" for topic, version in self._waiting.items()]
        text = "".join([": heartbeat\n\n"] * self._heartbeat + lines)
        self._waiting.clear()
        self._heartbeat = False
        return text.encode()


class Hub:
    """All streams of this process, fed by one subscription and one query at a time."""

    def __init__(self) -> None:
        self._streams: dict[str, set[Stream]] = defaultdict(set)
        self._per_user: Counter[int] = Counter()
        self._newcomers: list[Stream] = []
        self._newcomer = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="live-versions")
        self._closing = False

    # --- Life ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        self._tasks = [asyncio.create_task(work()) for work in (self._listen, self._beat, self._greet)]

    def end_streams(self) -> None:
        """End all streams: the server is going down, and the browsers shall come back to its successor."""
        self._closing = True
        for stream in self._all():
            stream.end()

    async def stop(self) -> None:
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._thread.shutdown(wait=False)

    # --- Streams ------------------------------------------------------------------------------------------------------

    def refusal(self, user_id: int) -> str:
        """Why no further stream can be opened for this user, or an empty text."""
        if self._closing:
            return "The server is about to restart; try again in a moment."
        if self._per_user[user_id] >= STREAMS_PER_USER:
            return f"There are already {STREAMS_PER_USER} live pages open for this account; close one of them."
        if self._per_user.total() >= STREAMS_PER_PROCESS:
            return "The server has as many live pages open as it can hold; try again later."
        return ""

    def add(self, stream: Stream) -> None:
        self._per_user[stream.user_id] += 1
        for topic in stream.topics:
            self._streams[topic].add(stream)
        self._newcomers.append(stream)
        self._newcomer.set()

    def remove(self, stream: Stream) -> None:
        self._per_user[stream.user_id] -= 1
        self._per_user += Counter()  # drops users without streams
        for topic in stream.topics:
            self._streams[topic].discard(stream)
            if not self._streams[topic]:
                del self._streams[topic]

    def _all(self) -> set[Stream]:
        return set().union(*self._streams.values())

    # --- News ---------------------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        """The process's one subscription, taken up again whenever it breaks."""
        while True:
            try:
                await self._listen_once()
            except (redis.asyncio.RedisError, OSError) as error:
                logger.warning("live: no messages from Valkey, trying again: %s", error)
            await asyncio.sleep(1)

    async def _listen_once(self) -> None:
        options = {"socket_connect_timeout": 5, "health_check_interval": 10}
        async with redis.asyncio.from_url(settings.VALKEY_URL, **options) as client, client.pubsub() as subscription:
            await subscription.subscribe(settings.LIVE_CHANNEL)
            await self._tell_versions(self._all())  # what was said while nobody listened
            while True:
                # The time-out makes the health check run, which notices a server that went silent.
                message = await subscription.get_message(ignore_subscribe_messages=True, timeout=5)
                if message:
                    self._pass_on(message["data"])

    def _pass_on(self, data: bytes) -> None:
        for line in data.decode(errors="replace").split("\n"):
            topic, _, version = line.rpartition(" ")
            if not version.isdecimal():
                logger.warning("live: a line that is no 'topic version' was dropped")
                continue
            for stream in self._streams.get(topic, ()):
                stream.tell(topic, int(version))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            streams = self._all()
            for stream in streams:
                stream.heartbeat()
            await self._tell_versions(streams, again=True)

    async def _greet(self) -> None:
        """A page may be older than its stream: newcomers are told the present versions."""
        while True:
            await self._newcomer.wait()
            await asyncio.sleep(GATHER_S)
            newcomers, self._newcomers = self._newcomers, []
            self._newcomer.clear()
            await self._tell_versions(newcomers)

    async def _tell_versions(self, streams: Iterable[Stream], *, again: bool = False) -> None:
        topics = {topic for stream in streams for topic in stream.topics}
        if not topics:
            return
        try:
            versions = await asyncio.wait_for(self._versions(topics), HEARTBEAT_S)
        except Exception as error:  # the next heartbeat asks again
            logger.warning("live: versions could not be read: %s: %s", type(error).__name__, error)
            return
        for stream in streams:
            for topic in stream.topics & versions.keys():
                stream.tell(topic, versions[topic], again=again)

    async def _versions(self, topics: set[str]) -> dict[str, int]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, _read_versions, topics)


def _read_versions(topics: set[str]) -> dict[str, int]:
    close_old_connections()
    return live.versions(topics)


hub = Hub()


async def stream(scope: Scope, receive: Receive, send: Send) -> None:
    """GET /live/?token=…: the stream of one page. 403 for a bad token, 429 beyond the limits."""
    if scope["method"] != "GET":
        await reply(send, 405, "Only GET is possible here.", [(b"allow", b"GET")])
        return
    token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
    admitted = live.read_token(token)
    if admitted is None:
        await reply(send, 403, "This page's permission to listen is not valid (any more): reload the page.")
        return
    user_id, topics = admitted
    if reason := hub.refusal(user_id):
        await reply(send, 429, reason, [(b"retry-after", b"30")])
        return
    await _serve(Stream(user_id, topics), receive, send)


async def _serve(stream: Stream, receive: Receive, send: Send) -> None:
    hub.add(stream)
    gone = asyncio.create_task(_wait_until_gone(stream, receive))
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        chunk = f"retry: {RETRY_MS}\n\n".encode()
        while chunk:
            message = {"type": "http.response.body", "body": chunk, "more_body": True}
            await asyncio.wait_for(send(message), SLOW_CLIENT_S)
            chunk = await stream.next_chunk()
        await send({"type": "http.response.body", "body": b""})
    except TimeoutError:
        logger.info("live: a client that does not read was dropped")
    finally:
        hub.remove(stream)
        gone.cancel()


async def _wait_until_gone(stream: Stream, receive: Receive) -> None:
    with contextlib.suppress(asyncio.CancelledError):
        while (await receive())["type"] != "http.disconnect":
            pass
        stream.end()
