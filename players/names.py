"""What the ledger's pages and reports call the owners of accounts, which it knows by id only."""

from __future__ import annotations

from collections.abc import Iterable

from players.models import Player


def labels(ids: Iterable[int]) -> dict[int, str]:
    """The names to show for these people; those that do not exist are left out."""
    return {player.pk: str(player) for player in Player.objects.filter(pk__in=list(ids))}


def find(text: str) -> int | None:
    """The one person with this user name, or else this display name; None for nobody, or for several."""
    by_name = Player.objects.filter(username=text).values_list("pk", flat=True)[:1]
    found = list(by_name) or list(Player.objects.filter(display_name=text).values_list("pk", flat=True)[:2])
    return found[0] if len(found) == 1 else None
