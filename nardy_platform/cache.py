"""The cache: only counters against abuse live there, so its absence must not stop a game in progress."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import redis
from django.core.cache.backends.redis import RedisCache

logger = logging.getLogger(__name__)


def _tolerant(name: str, default: Any = None) -> Callable[..., Any]:
    """The method of that name, which answers `default` (or the caller's own) when Valkey does not."""
    method = getattr(RedisCache, name)

    def wrapped(self: RedisCache, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except redis.RedisError as error:
            logger.warning("cache: %s failed: %s", name, error)
            return kwargs.get("default", default() if callable(default) else default)

    return wrapped


class TolerantCache(RedisCache):
    """Django's cache on Valkey, empty while Valkey is away. Rate limits are then off, and /healthz/ready says so."""

    get = _tolerant("get")
    get_many = _tolerant("get_many", dict)
    add = _tolerant("add", True)
    set = _tolerant("set")
    set_many = _tolerant("set_many", list)
    touch = _tolerant("touch", False)
    delete = _tolerant("delete", False)
    delete_many = _tolerant("delete_many")
    has_key = _tolerant("has_key", False)
    incr = _tolerant("incr", 1)
