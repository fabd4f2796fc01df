"""One of several workers that settle at the same time: opens its games, waits for a line on stdin, settles them."""

from __future__ import annotations

import json
import sys
import time

from bench import _settlement_ours as ours

GAMES = 2_000
BATCH = 100  # as games.settle claims them


def main(name: str) -> None:
    games = ours.draw(name, GAMES)
    for batch in ours.batches(games, ours.BATCH):
        ours.open_games(batch)
    print("ready", flush=True)
    sys.stdin.readline()
    started = time.time()
    for batch in ours.batches(games, BATCH):
        ours.settle(batch)
    print(json.dumps({"games": GAMES, "started": started, "ended": time.time()}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
