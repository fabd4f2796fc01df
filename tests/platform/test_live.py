"""Live streams from a real web process: messages, heartbeats, limits, many at once, and the end at shutdown."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

import pytest
import redis
from django.conf import settings
from django.core import signing

from games import live
from nardy_platform import live as streams
from tests.platform.serving import free_port, get
from tests.support.processes import running, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Web:
    port: int
    process: subprocess.Popen[str]


@pytest.fixture(scope="session")
def static_root(tmp_path_factory) -> str:
    """Static files as `serve` collects them: pages name them by their digests."""
    root = str(tmp_path_factory.mktemp("static"))
    environment = os.environ | {"STATIC_ROOT": root, "DJANGO_SETTINGS_MODULE": "nardy_platform.settings"}
    collect = [sys.executable, "-m", "django", "collectstatic", "--no-input", "-v", "0"]
    subprocess.run(collect, env=environment, check=True)
    return root


@pytest.fixture
def web(transactional_db, valkey, static_root) -> Iterator[Web]:
    """The web process on the test database, as `serve` would start it."""
    port = free_port()
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "nardy_platform.settings"}
    environment |= {"PORT": str(port), "STATIC_ROOT": static_root}
    with running([sys.executable, "-m", "nardy_platform.web"], env=environment, stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: get(port, "/healthz/live")[0] == 200, what="the web process")
        yield Web(port, process)


class Listener:
    """A browser's EventSource, as far as these tests need one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.status = 0

    @classmethod
    async def open(cls, port: int, token: str) -> Listener:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /live/?token={quote(token)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        listener = cls(reader, writer)
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
        listener.status = int(head.split()[1])
        return listener

    async def until(self, text: str, timeout_s: float = 30) -> None:
        """Read on until this text comes."""
        seen = ""
        async with asyncio.timeout(timeout_s):
            while text not in seen:
                part = await self._reader.read(4096)
                assert part, f"the stream ended without {text!r}; it said {seen!r}"
                seen += part.decode()

    async def to_the_end(self, timeout_s: float) -> None:
        async with asyncio.timeout(timeout_s):
            while await self._reader.read(4096):
                pass

    def close(self) -> None:
        self._writer.close()


def publish(message: str) -> None:
    redis.Redis.from_url(settings.VALKEY_URL).publish(settings.LIVE_CHANNEL, message)


def test_a_message_reaches_those_who_watch_its_topic_and_nobody_else(web):
    async def scene() -> None:
        watcher = await Listener.open(web.port, live.make_token(1, ["game:7", "lobby"]))
        other = await Listener.open(web.port, live.make_token(2, ["game:8"]))
        await watcher.until("data: lobby ")  # the present version greets a newcomer
        publish("game:7 12")
        await watcher.until("data: game:7 12\n\n")
        publish("game:8 3")
        await other.until("data: game:8 3\n\n")
        publish("game:8 4\nnonsense\ngame:9 1\ngame:7 13")  # a batch of settled games comes as one message
        await watcher.until("data: game:7 13\n\n")
        await other.until("data: game:8 4\n\n")

    asyncio.run(scene())


def test_an_older_version_is_not_told_after_a_newer_one():
    async def scene() -> bytes:
        stream = streams.Stream(1, ["game:7"])
        stream.tell("game:7", 5)
        stream.tell("game:7", 4)
        return await stream.next_chunk()

    assert asyncio.run(scene()) == b"data: game:7 5\n\n"


def test_a_slow_reader_is_owed_only_the_newest_version():
    async def scene() -> bytes:
        stream = streams.Stream(1, ["game:7"])
        for version in range(10_000):
            stream.tell("game:7", version)
        return await stream.next_chunk()

    assert asyncio.run(scene()) == b"data: game:7 9999\n\n"


def test_a_forged_torn_or_expired_token_is_refused(web, monkeypatch):
    long_ago = time.time() - live.TOKEN_MAX_AGE_S - 1
    with monkeypatch.context() as patch:
        patch.setattr(signing.time, "time", lambda: long_ago)
        expired = live.make_token(1, ["lobby"])
    for token in ("", "forged", live.make_token(1, ["lobby"]) + "x", expired):
        status, said = get(web.port, f"/live/?token={quote(token)}")
        assert (status, "reload the page" in said) == (403, True)


def test_a_user_has_only_so_many_streams(web):
    async def scene() -> list[int]:
        token = live.make_token(1, ["lobby"])
        listeners = [await Listener.open(web.port, token) for _ in range(streams.STREAMS_PER_USER + 1)]
        listeners[0].close()
        await asyncio.sleep(0.5)
        return [*(listener.status for listener in listeners), (await Listener.open(web.port, token)).status]

    assert asyncio.run(scene()) == [200] * streams.STREAMS_PER_USER + [429, 200]


def test_hundreds_of_streams_hold_no_thread_and_pages_are_still_served(web):
    async def scene() -> None:
        tokens = [live.make_token(user, ["lobby"]) for user in range(400)]
        listeners = await asyncio.gather(*(Listener.open(web.port, token) for token in tokens))
        assert {listener.status for listener in listeners} == {200}
        answers = await asyncio.gather(*(asyncio.to_thread(get, web.port, "/accounts/login/") for _ in range(20)))
        assert {status for status, _ in answers} == {200}
        publish("lobby 99999999999999")
        await asyncio.gather(*(listener.until("data: lobby 99999999999999\n\n") for listener in listeners))

    asyncio.run(scene())


def test_streams_end_soon_after_the_signal_to_stop_and_so_does_the_process(web):
    async def scene() -> None:
        listener = await Listener.open(web.port, live.make_token(1, ["lobby"]))
        web.process.send_signal(signal.SIGTERM)
        await listener.to_the_end(timeout_s=3)

    asyncio.run(scene())
    web.process.wait(10)


def test_a_lost_subscription_is_taken_up_again(web):
    async def scene() -> None:
        listener = await Listener.open(web.port, live.make_token(1, ["game:7"]))
        client = redis.Redis.from_url(settings.VALKEY_URL)
        client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        async with asyncio.timeout(30):
            while not client.execute_command("PUBSUB", "NUMSUB", settings.LIVE_CHANNEL)[1]:
                await asyncio.sleep(0.1)
        publish("game:7 2")
        await listener.until("data: game:7 2\n\n")

    asyncio.run(scene())


def test_heartbeats_carry_the_versions_even_if_a_message_was_lost(monkeypatch, django_db_blocker):
    """The hub by itself, with a quick heartbeat and a Valkey that says nothing."""
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.2)
    monkeypatch.setattr(streams, "_read_versions", lambda topics: dict.fromkeys(topics, 41))

    async def scene() -> bytes:
        hub = streams.Hub()
        hub.start()
        stream = streams.Stream(1, ["game:7"])
        hub.add(stream)
        said = b""
        async with asyncio.timeout(20):
            while said.count(b"data: game:7 41\n\n") < 3:
                said += await stream.next_chunk()
        hub.remove(stream)
        await hub.stop()
        return said

    assert b": heartbeat\n\n" in asyncio.run(scene())


def test_a_client_that_does_not_read_is_dropped(monkeypatch):
    monkeypatch.setattr(streams, "SLOW_CLIENT_S", 0.05)
    monkeypatch.setattr(streams, "hub", streams.Hub())

    async def scene() -> None:
        async def receive() -> dict[str, str]:
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: dict[str, object]) -> None:
            if message["type"] == "http.response.body":
                await asyncio.Event().wait()  # the client's buffers are full

        await asyncio.wait_for(streams._serve(streams.Stream(1, ["game:7"]), receive, send), 20)

    asyncio.run(scene())
    assert streams.hub.refusal(1) == ""
    assert streams.hub._all() == set()
