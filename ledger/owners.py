"""What upper layers tell about owners: a label to show beside an id, and finding a person by what an operator typed.

The ledger knows ids only. Without a hook, a label is the id itself and only ids are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

Labels = Callable[[Iterable[int]], Mapping[int, str]]
Find = Callable[[str], int | None]

_labels: list[Labels] = []
_finders: list[Find] = []


def register(labels: Labels, find: Find) -> None:
    """`labels(ids)` gives names to show for owner ids (those it knows); `find(text)` the id of the owner so named."""
    _labels[:] = [labels]
    _finders[:] = [find]


def labels(ids: Iterable[int]) -> dict[int, str]:
    """A label for every id, in one call of the hook. Owners below zero are tournaments, with their pools."""
    wanted = sorted(set(ids))
    people = [owner for owner in wanted if owner > 0]
    known = dict(_labels[0](people)) if _labels and people else {}
    return {owner: known.get(owner, str(owner)) if owner > 0 else f"tournament {-owner}" for owner in wanted}


def exists(owner: int) -> bool:
    """Whether upper layers know this owner; without a hook, nobody can say no."""
    return not _labels or owner in _labels[0]([owner])


def find(text: str) -> int | None:
    """The owner meant by an id or a name; None when there is no such person."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    return _finders[0](text) if _finders and text else None
