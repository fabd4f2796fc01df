"""Live updates: who may listen to what, what is announced on commit, and the versions that heartbeats repeat.

A message is "topic version", for example "game:12 34", one a line: no business data. Topics: "game:<id>", "table:<id>",
"lobby", and what other apps register.
nardy_platform/live.py streams them; docs/protocol.md is the description for clients.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import redis
from django.conf import settings
from django.core import signing
from django.db import connection, transaction

from games.courier import Courier

#: Short, for a pass outlives a log-out; pages that lose their stream ask for a new pass (static/js/net.js).
TOKEN_MAX_AGE_S = 10 * 60
_SALT = "games.live"

#: kind of topic -> the table that has its version
_TABLES = {"game": "games_game", "table": "games_table"}
LOBBY_SQL = """
    SELECT 'lobby', coalesce(floor(extract(epoch FROM max(changed_at)) * 1000), 0)::bigint FROM games_table WHERE %s
"""


def register(kind: str, table: str) -> None:
    """Let pages listen to "<kind>:<id>", whose version is the column `version` of a database table."""
    _TABLES[kind] = table


def make_token(user_id: int, topics: Iterable[str]) -> str:
    """A signed pass for the stream. The caller has checked that this person may see these topics."""
    return signing.dumps({"user": user_id, "topics": sorted(topics)}, salt=_SALT, compress=True)


def read_token(token: str) -> tuple[int, list[str]] | None:
    """(user id, topics) of a pass, or None for a forged, torn or expired one."""
    try:
        data = signing.loads(token, salt=_SALT, max_age=TOKEN_MAX_AGE_S)
    except signing.BadSignature:
        return None
    return data["user"], data["topics"]


def versions(topics: Iterable[str]) -> dict[str, int]:
    """The present version of each topic that exists, in one query. The lobby's is the time of its last change (ms)."""
    ids: dict[str, list[int]] = {kind: [] for kind in _TABLES}
    lobby = False
    for topic in topics:
        kind, _, number = topic.partition(":")
        if kind in ids and number.isascii() and number.isdigit() and len(number) < 19:
            ids[kind].append(int(number))
        lobby = lobby or topic == "lobby"
    with connection.cursor() as cursor:
        parts = [f"SELECT '{kind}:' || id, version FROM {table} WHERE id = ANY(%s)" for kind, table in _TABLES.items()]
        cursor.execute(" UNION ALL ".join([*parts, LOBBY_SQL]), [*ids.values(), lobby])
        return {topic: version for topic, version in cursor.fetchall() if lobby or topic != "lobby"}


def publish_on_commit(topic: str, version: int) -> None:
    """Announce a new version once the transaction is committed; never waits for Valkey."""
    publish_all_on_commit({topic: version})


def publish_all_on_commit(versions: Mapping[str, int]) -> None:
    """Announce the new versions of many topics in one message; a batch of settled games is one."""
    message = "\n".join(f"{topic} {version}" for topic, version in versions.items())
    transaction.on_commit(lambda: courier.send(message), robust=True)


@lru_cache(maxsize=1)
def _valkey() -> redis.Redis:
    return redis.Redis.from_url(settings.VALKEY_URL, socket_timeout=2, socket_connect_timeout=2)


courier = Courier("live", lambda message: _valkey().publish(settings.LIVE_CHANNEL, message))
