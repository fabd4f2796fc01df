"""The cache: only counters against abuse live there, so its absence must not stop a game in progress."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import redis
from django.core.cache.backends.redis import RedisCache

logger = logging.getLogger(__name__)


class TolerantCache(RedisCache):
    """Django's cache on Valkey, empty while Valkey is away. Rate limits are then off, and /healthz/ready says so."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return _or(default, lambda: super(TolerantCache, self).get(key, default, version))

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        return _or({}, lambda: super(TolerantCache, self).get_many(keys, version))

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        return _or(True, lambda: super(TolerantCache, self).add(key, value, *args, **kwargs))

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        return _or(None, lambda: super(TolerantCache, self).set(key, value, *args, **kwargs))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return _or(delta, lambda: super(TolerantCache, self).incr(key, delta, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return _or(False, lambda: super(TolerantCache, self).delete(key, version))

    def delete_many(self, keys: Any, version: int | None = None) -> None:
        return _or(None, lambda: super(TolerantCache, self).delete_many(keys, version))

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return _or(False, lambda: super(TolerantCache, self).has_key(key, version))


def _or(default: Any, ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except redis.RedisError as error:
        logger.warning("cache: Valkey does not answer: %s", error)
        return default
