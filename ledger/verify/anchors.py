"""The chain against the heads that were kept outside the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from django.db import connection

from ledger import anchor
from ledger.verify.registry import register

CHUNK = 1000


@register("chain_end", outside=True)
def chain_end() -> Iterator[tuple[str, str]]:
    """Every head that was anchored outside the database is still in the chain: nothing was cut off its end."""
    return compare(anchor.read())


def compare(anchors: Iterable[anchor.Anchor]) -> Iterator[tuple[str, str]]:
    """What is wrong with these anchors, or with the chain that they saw.

    Never within a snapshot that is older than they are: seals that they saw would be missing in it.
    """
    rest = iter(anchors)
    while some := list(islice(rest, CHUNK)):
        with connection.cursor() as cursor:
            numbers = [one.number for one in some if one.sound]
            cursor.execute("SELECT number, digest FROM ledger_seal WHERE number = ANY (%s)", [numbers])
            chain = dict(cursor.fetchall())
        for one in some:
            if not one.sound:
                yield f"anchor in line {one.line}", "is not a record that the sealer signed"
            elif one.number not in chain:
                yield f"seal {one.number}", f"was the chain's head on {one.at} and is gone: the chain was cut"
            elif chain[one.number] != one.digest:
                yield f"seal {one.number}", f"has another digest than on {one.at}: the chain was written anew"
