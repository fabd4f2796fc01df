"""Compiled translations: `python -m nardy_platform.mo` writes the .mo of every .po, `--check` only tells stale ones.

Babel does it, so that nobody needs gettext installed.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from nardy_platform.environment import BASE_DIR


def main(check: bool) -> int:
    """0, or 1 if `check` finds a .mo that is missing or says anything else than its .po."""
    stale = []
    for source in sorted(BASE_DIR.glob("locale/*/LC_MESSAGES/*.po")):
        target, content = source.with_suffix(".mo"), compiled(source)
        if target.exists() and texts(target.read_bytes()) == texts(content):
            continue
        stale.append(target.relative_to(BASE_DIR))
        if not check:
            target.write_bytes(content)
    for path in stale:
        print(f"{path} is not compiled from its .po: run `make messages`" if check else f"{path} written")
    return 1 if check and stale else 0


def compiled(source: Path) -> bytes:
    """The .mo of this .po."""
    with source.open("rb") as file:
        catalog = read_po(file, locale=source.parent.parent.name)
    target = io.BytesIO()
    write_mo(target, catalog)
    return target.getvalue()


def texts(content: bytes) -> list[str]:
    """All that a .mo translates. Not its header, which tells of tools and times: who compiled it does not matter."""
    return sorted(
        repr((message.context, message.id, message.string)) for message in read_mo(io.BytesIO(content)) if message.id
    )


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
