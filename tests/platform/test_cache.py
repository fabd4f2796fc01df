"""The cache without Valkey: everything is forgotten, nothing fails."""

from __future__ import annotations

from nardy_platform.cache import TolerantCache


def test_without_valkey_it_is_an_empty_cache():
    cache = TolerantCache("unix:///nowhere/valkey.sock", {})
    cache.set("a", 1, 60)
    assert cache.get("a") is None
    assert cache.get("a", []) == []
    assert cache.get_or_set("a", 5) == 5
    assert cache.get_many(["a", "b"]) == {}
    assert cache.add("a", 1) is True
    assert cache.incr("a") == 1
    assert "a" not in cache
    assert cache.delete("a") is False
    cache.delete_many(["a", "b"])


def test_with_valkey_it_remembers(valkey):
    cache = TolerantCache(valkey, {})
    cache.set("a", 1, 60)
    assert cache.incr("a") == 2
    assert cache.get("a") == 2
    assert cache.add("a", 7) is False
