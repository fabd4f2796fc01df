"""The pure core of tournaments: no Django, no clock, no chance except a recorded seed (docs/tournaments.md).

One module, one question: `berger`, `swiss` and `knockout` say who meets whom, `standings` who is where and why,
`withdrawals` which results of a round robin count, `prizes` who is paid what, `seeding` in which order all begin.
"""

#: Stored with every pairing, standing and lot: an answer can be computed again by the rules that gave it.
CORE_VERSION = "1"
