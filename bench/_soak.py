"""Settlement with 10⁷ lines in the ledger against the empty ledger, in one run; `make soak` ends with it.

It needs 12 GB of disk.
"""

from __future__ import annotations

import sys

from bench import settlement

LINES = 10_000_000
ALLOWED = 0.85


def main() -> int:
    with settlement.running() as services:
        figures = settlement.by_lines(services, (0, LINES))
    empty, full = (figures[str(lines)]["settled_per_s"] for lines in (0, LINES))
    print(f"with {LINES:,} lines settlement runs at {full / empty:.2f} of its speed in an empty ledger")
    return 0 if full / empty >= ALLOWED else 1


if __name__ == "__main__":
    sys.exit(main())
