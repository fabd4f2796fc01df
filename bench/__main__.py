"""`make bench` (or `make bench ONLY=settlement`): runs the parts, which print their tables, and keeps their figures.

A part is a module of this folder with `run()`: it prints a table for people and returns figures for build/bench.json.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "build" / "bench.json"


def parts() -> list[str]:
    """The names of all parts, in order."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def main(only: list[str]) -> int:
    """Run these parts, or all; figures of parts that did not run stay as they were."""
    if unknown := set(only) - set(parts()):
        print(f"No such part: {', '.join(sorted(unknown))}. There are: {', '.join(parts())}.", file=sys.stderr)
        return 2
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    for part in only or parts():
        print(f"\n=== {part} ===", flush=True)
        figures[part] = import_module(f"bench.{part}").run()
        FIGURES.parent.mkdir(exist_ok=True)
        FIGURES.write_text(json.dumps(figures, indent=2, sort_keys=True) + "\n")
    print(f"\nFigures: {FIGURES}")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
    sys.exit(main(sys.argv[1:]))
