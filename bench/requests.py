"""Pages and API answers while games are played: requests per second, p50 and p99 by kind.

One web process, a worker and beat as `manage.py serve` starts them; bots play whole games over HTTP, and readers open
lobby, game pages, wallets and the API's game meanwhile. Bots, readers, database and site share this machine, so the
figures are of all of them together.
"""

from __future__ import annotations

from typing import Any

from bench import settlement
from bench.reads import place

GAMES_AT_ONCE = (0, 4, 8)


def run() -> dict[str, Any]:
    """Prints the table and returns requests per second and milliseconds of each kind, by games played at once."""
    figures = {}
    print(f"{'games':>6} {'':>12} {'requests':>9} {'per s':>7} {'p50 ms':>7} {'p99 ms':>7}")
    for games in GAMES_AT_ONCE:
        with place("requests") as environment:
            figures[str(games)] = seen = settlement.figures_of("bench._requests_ours", environment, str(games))
        for kind, one in seen.items():
            print(
                f"{games:>6} {kind:>12} {one['requests']:>9,.0f} {one['per_s']:>7.1f} {one['p50_ms']:>7.1f} "
                f"{one['p99_ms']:>7.1f}"
            )
    return figures
