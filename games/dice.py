"""Seeds of the fair dice: made, kept encrypted, frozen and revealed. The arithmetic is games.fair.

Nobody reads a server seed before its game is over, except the roll itself: it is encrypted at rest with SEED_KEY,
is in no admin page and no log. Whoever holds both the database and SEED_KEY could know future rolls.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet
from django.conf import settings

from games import fair, rules
from games.errors import BadSeed
from games.models import DiceSeeds, Game


@lru_cache(maxsize=1)
def _cipher(seed_key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(seed_key.encode()).digest()))


def seal(seed: bytes) -> bytes:
    """A secret as it is stored: encrypted with SEED_KEY."""
    return _cipher(settings.SEED_KEY).encrypt(seed)


def unseal(stored: bytes) -> bytes:
    """The reverse of `seal`."""
    return _cipher(settings.SEED_KEY).decrypt(stored)


def new_seeds() -> DiceSeeds:
    """Draw a server seed and store it with its commitment; the players' seeds are still empty."""
    seed = secrets.token_bytes(fair.SEED_BYTES)
    return DiceSeeds.objects.create(server_seed=seal(seed), commitment=fair.commitment(seed))


def set_client_seed(seeds: DiceSeeds, side: str, text: str) -> None:
    """Set one player's own seed. The caller holds the table's lock and has checked that no game uses these seeds yet.

    Raises:
        BadSeed: not 1 to 64 printable characters.
    """
    try:
        setattr(seeds, f"{side}_seed", fair.clean_client_seed(text))
    except ValueError:
        raise BadSeed from None
    seeds.save(update_fields=[f"{side}_seed"])


def freeze(seeds: DiceSeeds) -> None:
    """Called when the game starts: a player who set no seed gets a random one."""
    seeds.white_seed = seeds.white_seed or secrets.token_hex(8)
    seeds.black_seed = seeds.black_seed or secrets.token_hex(8)
    seeds.save(update_fields=["white_seed", "black_seed"])


def stream(game: Game) -> fair.DiceStream:
    """The dice of a running game. For the server's own rolls only."""
    assert game.seeds is not None
    return _stream(game, game.seeds)


def revealed_stream(game: Game) -> fair.DiceStream | None:
    """The dice stream with its server seed, for everybody to check; None while the game runs or if it has no seeds."""
    if not game.is_over or game.seeds is None:
        return None
    return _stream(game, game.seeds)


def _stream(game: Game, seeds: DiceSeeds) -> fair.DiceStream:
    return fair.DiceStream(
        server_seed=unseal(bytes(seeds.server_seed)),
        game_id=game.pk,
        rules_version=game.rules_version,
        white_seed=seeds.white_seed,
        black_seed=seeds.black_seed,
    )


def draw_again(stream: fair.DiceStream, k: int, event: dict[str, Any], variant: str) -> dict[str, Any]:
    """What the stream gives for roll `k`, in the form of the stored event of this type: a roll, a lot or a start."""
    if event["type"] == "setup":
        return {"type": "setup", "points": list(rules.draw_start(variant, stream.draws(k)))}
    first, second = stream.roll(k)
    if event["type"] == "lot":
        return {"type": "lot", "white": first, "black": second}
    return {"type": "roll", "dice": [first, second]}
