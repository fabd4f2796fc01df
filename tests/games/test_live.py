"""Live updates: who may listen, what is announced, and the versions that heartbeats repeat."""

from __future__ import annotations

import time
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core import signing

from games import live, queries, tables
from games.errors import NotFound
from games.play import act
from tests.games.helpers import joined, started


def test_a_pass_says_who_and_what() -> None:
    assert live.read_token(live.make_token(7, ["game:2", "game:1"])) == (7, ["game:1", "game:2"])


def test_forged_torn_and_expired_passes_are_none(monkeypatch: Any) -> None:
    token = live.make_token(7, ["game:1"])
    assert live.read_token(token[:-1]) is None
    assert live.read_token("") is None
    assert live.read_token(signing.dumps({"user": 7, "topics": ["game:1"]}, salt="other")) is None
    later = time.time() + live.TOKEN_MAX_AGE_S + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert live.read_token(token) is None


@pytest.mark.django_db
def test_versions_of_what_exists_in_one_statement(alice: Any, bob: Any, django_assert_num_queries: Any) -> None:
    game = started(alice, bob)
    game.table.refresh_from_db()
    topics = [f"game:{game.pk}", f"table:{game.table_id}", "lobby", "game:999999", "game:x", "nonsense"]
    with django_assert_num_queries(1):
        versions = live.versions(topics)
    assert versions == {
        f"game:{game.pk}": game.version,
        f"table:{game.table_id}": game.table.version,
        "lobby": int(game.table.changed_at.timestamp() * 1000),
    }
    assert "lobby" not in live.versions([f"game:{game.pk}"])


@pytest.mark.django_db
def test_only_players_may_listen(alice: Any, bob: Any, stranger: Any) -> None:
    game = started(alice, bob)
    queries.check_topics(alice, [f"game:{game.pk}", f"table:{game.table_id}", "lobby"])
    queries.check_topics(stranger, ["lobby"])
    for topic in (f"game:{game.pk}", f"table:{game.table_id}", "game:999999", "game:", "secret"):
        with pytest.raises(NotFound):
            queries.check_topics(stranger, [topic])


@pytest.mark.django_db(transaction=True)
def test_what_happens_is_announced_after_the_commit(alice: Any, bob: Any) -> None:
    with redis.Redis.from_url(settings.VALKEY_URL) as valkey, valkey.pubsub() as listener:
        listener.subscribe(settings.LIVE_CHANNEL)
        assert listener.get_message(timeout=10)["type"] == "subscribe"
        table = joined(alice, bob)
        tables.say_ready(alice, table.pk)
        tables.say_ready(bob, table.pk)
        game = table.games.get()
        version = act(alice, game.pk, game.version, "resign").version
        heard = set()
        while f"game:{game.pk} {version}" not in heard:
            message = listener.get_message(timeout=10)
            assert message, f"not heard, only {heard}"
            heard.add(message["data"].decode())
    assert {f"table:{table.pk} 3", f"table:{table.pk} 4"} <= heard
    assert any(message.startswith("lobby ") for message in heard)
