#!/usr/bin/env python3
"""Check every roll of a finished game by yourself. Needs nothing but Python 3.

    python3 verify_dice.py game.json

`game.json` is what /api/v1/games/<number>/fairness/ gives to the players of a finished game. The script checks that
  1. the SHA-256 of the revealed server seed is the commitment that was shown before the game, and
  2. every roll follows from the server seed, both players' seeds, the game's number and the roll's own number.

Compare the commitment with the one that you noted before the game: that is what makes the check worth anything.
"""

import hashlib
import hmac
import json
import pathlib
import sys


def numbers(data, k):
    """A function draw(n): uniform numbers in range(n) from roll k's bytes; bytes that would favour some are dropped."""

    def source():
        block = 0
        while True:
            text = "\n".join(
                [
                    "nardy-dice/1",
                    f"game {data['game']}",
                    f"rules {data['rules_version']}",
                    f"white {data['white_seed']}",
                    f"black {data['black_seed']}",
                    f"roll {k}",
                    f"block {block}",
                ]
            )
            yield from hmac.new(bytes.fromhex(data["server_seed"]), text.encode(), hashlib.sha256).digest()
            block += 1

    stream = source()

    def draw(n):
        limit = 256 - 256 % n
        return next(byte for byte in stream if byte < limit) % n

    return draw


def expected(data, k, event):
    """What roll k must have been, in the form in which the game stored it."""
    draw = numbers(data, k)
    if event["type"] == "setup":
        return {"type": "setup", "points": start(data["variant"], draw)}
    first, second = draw(6) + 1, draw(6) + 1
    if event["type"] == "lot":
        return {"type": "lot", "white": first, "black": second}
    return {"type": "roll", "dice": [first, second]}


def start(variant, draw):
    """A random start: checkers dropped one by one (randgammon2: in pairs) on points whose mirror image is free."""
    while True:
        lumps = [1] * 15 if variant == "randgammon1" else [2] * 7 + [1]
        points = [0] * 26
        for number, lump in enumerate(lumps):
            joins = variant == "randgammon2" and number == len(lumps) - 1
            free = [p for p in range(1, 25) if (points[p] if joins else not points[25 - p])]
            points[free[draw(len(free))]] += lump
        if any(points[13:25]) and (variant == "randgammon2" or 1 in points):
            return points


def check(data):
    """The differences found, in words; empty when everything agrees."""
    if not data["server_seed"]:
        return ["the game is not over yet: its server seed is still secret"]
    problems = []
    if hashlib.sha256(bytes.fromhex(data["server_seed"])).hexdigest() != data["commitment"]:
        problems.append("the server seed is not the one that the commitment promised")
    for roll in data["rolls"]:
        must = expected(data, roll["roll"], roll["event"])
        if must != roll["event"]:
            problems.append(f"roll {roll['roll']} was {roll['event']}, but must be {must}")
    if [roll["roll"] for roll in data["rolls"]] != list(range(len(data["rolls"]))):
        problems.append("rolls are missing or out of order")
    return problems


def cannot(reason):
    """Nothing was checked: exit status 2, so that nobody takes it for a verdict."""
    print(f"Cannot check: {reason}", file=sys.stderr)
    return 2


def main(path):
    try:
        data = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        problems = check(data)
    except OSError as error:
        return cannot(f"{path}: {error.strerror}.")
    except (ValueError, RecursionError) as error:
        return cannot(f"{path} is not the file that the site gives, which is JSON: {error}")
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        return cannot(f"{path} is not the file that the site gives: {type(error).__name__} at {error}")
    for problem in problems:
        print(problem)
    verdict = "WRONG" if problems else "all agree"
    print(f"game {data['game']}, commitment {data['commitment']}: {len(data['rolls'])} rolls, {verdict}")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(cannot("name one file.\n" + __doc__))
    sys.exit(main(sys.argv[1]))
