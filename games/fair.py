"""Provably fair dice, the pure part: commitment, canonical text and bytes-to-dice. Standard library only.

Roll `k` of a game comes from HMAC-SHA-256(server seed, canonical text of the game, k, block). Bytes become numbers by
rejection, so that every number is equally likely. scripts/verify_dice.py repeats this file's work on its own.
What this proves, and what it cannot, is said in docs/protocol.md (section "Dice").
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

SEED_BYTES = 32
CLIENT_SEED_MAX = 64


def commitment(server_seed: bytes) -> str:
    """SHA-256 of the server seed in hex: published before either player can set their own seed."""
    return hashlib.sha256(server_seed).hexdigest()


def clean_client_seed(text: str) -> str:
    """A player's seed in the form that is hashed (NFC, no space around); raises ValueError for an unusable one."""
    seed = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(seed) <= CLIENT_SEED_MAX or not seed.isprintable():
        raise ValueError("a client seed is 1 to 64 printable characters")
    return seed


@dataclass(frozen=True)
class DiceStream:
    """All random numbers of one game, fixed once both client seeds are."""

    server_seed: bytes
    game_id: int
    rules_version: str
    white_seed: str
    black_seed: str

    def text(self, k: int, block: int) -> str:
        """The canonical text that is hashed for block `block` of roll `k`."""
        return (
            f"nardy-dice/1\ngame {self.game_id}\nrules {self.rules_version}\n"
            f"white {self.white_seed}\nblack {self.black_seed}\nroll {k}\nblock {block}"
        )

    def roll(self, k: int) -> tuple[int, int]:
        """Both dice of roll `k`, in the order drawn (1–6 each)."""
        draw = self.draws(k)
        return draw(6) + 1, draw(6) + 1

    def draws(self, k: int) -> Callable[[int], int]:
        """`draw(n)`: the next uniform number in range(n), 1 ≤ n ≤ 256, of roll `k`'s own bytes."""
        source = self._bytes(k)

        def draw(n: int) -> int:
            if not 1 <= n <= 256:
                raise ValueError(f"one byte cannot choose among {n}")
            limit = 256 - 256 % n
            return next(byte for byte in source if byte < limit) % n

        return draw

    def _bytes(self, k: int) -> Iterator[int]:
        block = 0
        while True:
            yield from hmac.new(self.server_seed, self.text(k, block).encode(), hashlib.sha256).digest()
            block += 1
