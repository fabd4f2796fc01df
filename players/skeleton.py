"""What a name looks like: two names with one skeleton cannot be told apart by a person, so only one of them may exist.

The idea is that of Unicode's TR39; why the table is our own: docs/decisions/0006-names.md.
"""

from __future__ import annotations

import unicodedata

SEPARATOR = "-"
_SEPARATORS = frozenset(" -_.+@·•‐‑–—")
_APOSTROPHES = frozenset("'’ʼ`´")

#: A letter and those that look like it, upper case or lower; applied after folding of case and removal of accents.
_ALIKE = {
    "a": "аα", "b": "вьβ", "c": "сϲ", "d": "ԁđð", "e": "еєεə", "f": "ғ", "g": "ցɡ", "h": "нһħհη", "j": "јյϳ",
    "k": "кκ", "l": "1iıł|!іӏιվ", "m": "мμ", "n": "пոπ", "o": "0оοօøθѳ", "p": "рρ", "q": "ԛզգ", "r": "гґ",
    "s": "5ѕ$", "t": "тτŧ", "u": "սυ", "v": "ѵν", "w": "ԝωшщ", "x": "хχ", "y": "уγүұ", "z": "ζ", "з": "3", "б": "6",
    "ч": "4",
}  # fmt: skip
_CANONICAL = str.maketrans({other: letter for letter, others in _ALIKE.items() for other in others})

#: Letters of names, by script: whole alphabets of the languages round the game, without phonetic or archaic letters.
_SCRIPTS = {
    "latin": [(0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x17F), (0x218, 0x21B), (0x18F, 0x18F),
              (0x259, 0x259), (0x1E00, 0x1EFF)],
    "cyrillic": [(0x400, 0x4FF)],
    "greek": [(0x386, 0x3CE)],
    "georgian": [(0x10D0, 0x10FF), (0x1C90, 0x1CBF)],
    "armenian": [(0x531, 0x587)],
}  # fmt: skip


def skeleton(name: str) -> str:
    """The canonical look of a name; "" for one that shows nothing. Separators at the ends show nothing either."""
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).casefold())
    shown = "".join(SEPARATOR if _separates(sign) else sign for sign in folded if _visible(sign))
    return SEPARATOR.join(part for part in shown.translate(_CANONICAL).split(SEPARATOR) if part)


def scripts(name: str) -> set[str]:
    """The scripts of the letters of a name; "other" stands for all that names cannot be written in."""
    return {_script(sign) for sign in name if unicodedata.category(sign)[0] in "LM" and sign not in _APOSTROPHES}


def strange(name: str) -> str:
    """The first character of a name that is neither letter, digit, single space nor one of @ . + - _ '; or ""."""
    for sign in name:
        plain = sign in _APOSTROPHES or sign in " @.+-_" or (sign.isascii() and sign.isdigit())
        if not plain and (unicodedata.category(sign)[0] != "L" or _script(sign) == "other"):
            return sign
    return ""


def _script(sign: str) -> str:
    for script, ranges in _SCRIPTS.items():
        if any(first <= ord(sign) <= last for first, last in ranges):
            return script
    return "other"


def _separates(sign: str) -> bool:
    return sign in _SEPARATORS or unicodedata.category(sign)[0] == "Z"


def _visible(sign: str) -> bool:
    """Not a mark, a control, format or unassigned character, nor one of Hangul's fillers, which are blank letters."""
    if sign in _APOSTROPHES or "FILLER" in unicodedata.name(sign, "") or sign == "\u2800":
        return False
    return unicodedata.category(sign)[0] not in "CM"
