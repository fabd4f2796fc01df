"""Runs `python -m games.rules`."""

import sys

from .cli import serve

if __name__ == "__main__":
    try:
        serve(sys.stdin.buffer, sys.stdout)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()  # nobody listens any more
        sys.exit(1)
