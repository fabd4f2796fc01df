"""All variants by key. A new one is a new file here and a line in `ALL` (docs/new-variant.md)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..errors import UnknownVariant
from ..variant import Variant
from .short import SHORT

ALL: tuple[Variant, ...] = (SHORT,)

VARIANTS: Mapping[str, Variant] = MappingProxyType({variant.key: variant for variant in ALL})


def variant(key: str) -> Variant:
    """The variant with this key; raises UnknownVariant."""
    if not isinstance(key, str) or key not in VARIANTS:
        raise UnknownVariant(key)
    return VARIANTS[key]
