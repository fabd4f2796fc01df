"""All variants by key. A new one is a new file here and a line in `ALL` (docs/new-variant.md)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..errors import UnknownVariant
from ..variant import Variant
from .caucasian import CAUCASIAN
from .first_hit import FIRST_HIT
from .hypergammon import HYPERGAMMON
from .long import LONG
from .longgammon import LONGGAMMON
from .nackgammon import NACKGAMMON
from .randgammon1 import RANDGAMMON1
from .randgammon2 import RANDGAMMON2
from .shootout import SHOOTOUT
from .short import SHORT
from .tapa import TAPA

ALL: tuple[Variant, ...] = (
    SHORT,
    CAUCASIAN,
    LONG,
    NACKGAMMON,
    HYPERGAMMON,
    LONGGAMMON,
    RANDGAMMON1,
    RANDGAMMON2,
    SHOOTOUT,
    FIRST_HIT,
    TAPA,
)

VARIANTS: Mapping[str, Variant] = MappingProxyType({variant.key: variant for variant in ALL})


def variant(key: str) -> Variant:
    """The variant with this key; raises UnknownVariant."""
    if not isinstance(key, str) or key not in VARIANTS:
        raise UnknownVariant(key)
    return VARIANTS[key]
