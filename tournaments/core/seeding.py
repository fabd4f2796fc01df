"""The order in which entrants begin: by rating, or by a lot that anybody can check (docs/tournaments.md, "Seeding")."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.core.errors import BadInput
from tournaments.core.results import Entrant

LOT_VERSION = "1"
SEED_BYTES = 32
_CHUNK = 8  # bytes of the HMAC that make one number; a digest holds four


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody registered: the rating at the close of registration (None: unrated), and their number in line."""

    id: int
    rating: int | None
    registered: int


@dataclass(frozen=True, slots=True)
class Lot:
    """All that a lot depends on, and so its record.

    `server_seed` (32 bytes) is secret until registration has closed; its `commitment` is published when registration
    opens. Each entrant brings a client seed of their own (any text, also none), fixed at the close.
    """

    tournament: str
    client_seeds: tuple[tuple[int, str], ...]
    server_seed: bytes

    def __post_init__(self) -> None:
        if len(self.server_seed) != SEED_BYTES:
            raise BadInput("bad_server_seed", f"A server seed has {SEED_BYTES} bytes, not {len(self.server_seed)}.")
        _refuse_twice([entrant for entrant, _ in self.client_seeds])


def by_rating(candidates: Iterable[Candidate]) -> tuple[Entrant, ...]:
    """Highest rating first, the unrated last; equal ratings in the order of registration."""
    line = sorted(candidates, key=lambda c: (c.rating is None, -(c.rating or 0), c.registered, c.id))
    _refuse_twice([candidate.id for candidate in line])
    return _seeded([candidate.id for candidate in line])


def commitment(server_seed: bytes) -> str:
    """SHA-256 of the server seed, in hexadecimal: published first, so that the seed cannot be changed later."""
    return hashlib.sha256(server_seed).hexdigest()


def by_lot(lot: Lot) -> tuple[Entrant, ...]:
    """The order drawn: Fisher and Yates's shuffle of the entrants in order of ids, with numbers from `_number`.

    The order in which the lot lists its entrants does not matter.
    """
    line = sorted(entrant for entrant, _ in lot.client_seeds)
    for last in range(len(line) - 1, 0, -1):
        other = _number(lot, last)
        line[last], line[other] = line[other], line[last]
    return _seeded(line)


def message(lot: Lot, step: int, attempt: int) -> bytes:
    """The text whose HMAC decides a step: JSON without spaces, so that no two lots can have the same text."""
    return json.dumps(
        ["nardy tournament lot", LOT_VERSION, lot.tournament, sorted(lot.client_seeds), step, attempt],
        ensure_ascii=True,
        separators=(",", ":"),
    ).encode("ascii")


def _number(lot: Lot, step: int) -> int:
    """A number from 0 to `step`, all equally likely: what would favour the low ones is thrown away."""
    size = step + 1
    limit = 256**_CHUNK // size * size
    attempt = 0
    while True:
        digest = hmac.digest(lot.server_seed, message(lot, step, attempt), "sha256")
        for start in range(0, len(digest), _CHUNK):
            number = int.from_bytes(digest[start : start + _CHUNK], "big")
            if number < limit:
                return number % size
        attempt += 1


def _seeded(line: Sequence[int]) -> tuple[Entrant, ...]:
    return tuple(Entrant(entrant, seed) for seed, entrant in enumerate(line, start=1))


def _refuse_twice(ids: list[int]) -> None:
    if len(set(ids)) != len(ids):
        raise BadInput("entrant_twice", "An entrant is listed twice.")
