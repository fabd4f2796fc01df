"""Second factors: their secrets are encrypted at rest, so that a copy of the database does not hold the keys to it."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from functools import lru_cache

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet
from django.conf import settings


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]
    """allauth's, with encryption under a key derived from SEED_KEY (so that the key itself has one use only)."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher().decrypt(encrypted_text.encode()).decode()


@lru_cache(maxsize=1)
def _cipher() -> Fernet:
    return Fernet(urlsafe_b64encode(hashlib.sha256(b"second factors\0" + settings.SEED_KEY.encode()).digest()))
