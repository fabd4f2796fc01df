"""Names of people: what may be a name, whose it is, and whom an operator means by one.

Log-in names and display names are one space: whoever reads a name must be able to rely on it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from players.models import Name, Player
from players.skeleton import SEPARATOR, scripts, skeleton, strange

#: Nobody but the site may speak under these names, alone, as one word of several, or with a number.
_WORDS = """
admin administrator operator moderator support help system root staff official nardy bank cashier accountant
director bot адмін адміністратор модератор оператор підтримка допомога система нарди банк касир каса бухгалтер директор
бот админ администратор поддержка помощь нарды кассир касса
"""
RESERVED = frozenset(map(skeleton, _WORDS.split()))


def labels(ids: Iterable[int]) -> dict[int, str]:
    """The names to show for these people, "Олена · olena"; those that do not exist are left out."""
    return {player.pk: label(player) for player in Player.objects.filter(pk__in=list(ids))}


def label(player: Player) -> str:
    """Display name and log-in name, so that an operator sees both before money moves."""
    return f"{player.display_name} · {player.username}" if player.display_name else player.username


def find(text: str) -> int | None:
    """The only person whom this log-in or display name can mean; None for nobody and where it could mean several."""
    if not text:
        return None
    people = Player.objects.values_list("pk", flat=True)
    alike = Name.objects.filter(skeleton=skeleton(text)).values_list("player_id", flat=True)
    # Each by its own index: with OR, PostgreSQL would look through all players.
    found = list(people.filter(username=text).union(people.filter(display_name=text), alike)[:2])
    return found[0] if len(found) == 1 else None


def checked(text: str, owner_id: int | None = None) -> str:
    """The name in its one written form, for the person `owner_id` (None: a newcomer).

    Raises:
        ValidationError: with what is wrong with it; or somebody has a name that looks the same.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    sign = strange(name)
    if sign:
        shown = sign if sign.isprintable() else f"U+{ord(sign):04X}"
        raise ValidationError(
            _("A name cannot contain “%(sign)s”: use letters, digits, spaces and @ . + - _ '.") % {"sign": shown},
            "name_sign",
        )
    if len(scripts(name)) > 1:
        raise ValidationError(
            _("Write the name in one alphabet: letters of several look alike, and people could be taken in."),
            "name_scripts",
        )
    if not scripts(name):
        raise ValidationError(_("A name needs at least one letter."), "name_letters")
    if _reserved(name):
        raise ValidationError(_("This name is kept for the people who run the site."), "name_reserved")
    same = Name.objects.filter(skeleton=skeleton(name))
    if (same if owner_id is None else same.exclude(player_id=owner_id)).exists():
        raise ValidationError(_("Another player already uses this name, or one that looks like it."), "name_taken")
    return name


def _reserved(name: str) -> bool:
    words = {skeleton(word) for written in name.split() for word in (written, written.strip("0123456789"))}
    whole = skeleton(name.strip("0123456789 "))
    parts = {part for word in words | {whole} for part in word.split(SEPARATOR)}
    return bool(RESERVED & (parts | {whole.replace(SEPARATOR, "")}))
