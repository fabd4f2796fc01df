"""Signs of life of worker and beat, left in Valkey for /healthz/ready. Lost ones only make health say "degraded"."""

from __future__ import annotations

import logging
import os
import sys
import time
from functools import lru_cache

import redis
from django.conf import settings

logger = logging.getLogger(__name__)

PARTS = ("worker", "beat")
EXPIRES_S = 20


@lru_cache(maxsize=1)
def _valkey() -> redis.Redis:
    return redis.Redis.from_url(settings.VALKEY_URL, socket_timeout=1, socket_connect_timeout=1)


def beat_once(part: str) -> None:
    """Note that this part ("worker", "beat") is alive now."""
    try:
        _valkey().set(_key(part), int(time.time()), ex=EXPIRES_S)
    except redis.RedisError as error:
        logger.warning("no sign of life could be left for %s: %s", part, error)


def missing() -> list[str]:
    """The parts without a sign of life in the last 20 s. Raises redis.RedisError when Valkey does not answer."""
    signs = _valkey().mget([_key(part) for part in PARTS])
    return [part for part, sign in zip(PARTS, signs, strict=True) if sign is None]


def _key(part: str) -> str:
    return f"{settings.LIVE_CHANNEL}:pulse:{part}"


def main() -> int:
    """`python -m nardy_platform.pulse worker`: exit status 0 if that part has left a sign of life lately."""
    try:
        silent = sys.argv[1] in missing()
    except redis.RedisError as error:
        print(f"Valkey does not answer: {error}", file=sys.stderr)
        return 1
    return 1 if silent else 0


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
    sys.exit(main())
