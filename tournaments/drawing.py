"""The bracket of a knockout as an SVG drawing for wide screens; phones and screen readers have the list of series."""

from __future__ import annotations

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from tournaments.core.knockout import THIRD, Match
from tournaments.models import Pairing
from tournaments.state import State

BOX_W, BOX_H, GAP_X, GAP_Y, HEAD = 176, 44, 36, 12, 32
NAME_MAX = 20


def draw(state: State) -> SafeString:
    """One box per series, from the first round on the left to the final on the right."""
    bracket = state.bracket
    slots = 2 ** (bracket.rounds - 1)
    height = HEAD + slots * (BOX_H + GAP_Y) + (BOX_H + GAP_Y if state.tournament.third_place else 0)
    width = bracket.rounds * (BOX_W + GAP_X)
    scores = {pairing.bracket_key: pairing for pairing in state.pairings}
    parts = [_heads(bracket.rounds)]
    for match in state.progress.matches:
        parts.append(_lines(match, bracket.rounds, slots))
        parts.append(_box(state, match, scores.get(match.series.key), *_place(match, bracket.rounds, slots)))
    return mark_safe(
        f'<svg class="bracket" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )


def _place(match: Match, rounds: int, slots: int) -> tuple[float, float]:
    """Left and top of a series' box: each stands in the middle of the two it comes from."""
    x = (match.series.round - 1) * (BOX_W + GAP_X)
    if match.series.key == THIRD:
        return x, HEAD + slots * (BOX_H + GAP_Y)
    span = 2 ** (match.series.round - 1) * (BOX_H + GAP_Y)
    return x, HEAD + match.series.slot * span + (span - BOX_H - GAP_Y) / 2


def _heads(rounds: int) -> str:
    names = {rounds: gettext("Final"), rounds - 1: gettext("Semi-finals"), rounds - 2: gettext("Quarter-finals")}
    heads = []
    for number in range(1, rounds + 1):
        name = names.get(number, gettext("Round %(number)s") % {"number": number})
        heads.append(f'<text class="head" x="{(number - 1) * (BOX_W + GAP_X)}" y="16">{escape(name)}</text>')
    return "".join(heads)


def _lines(match: Match, rounds: int, slots: int) -> str:
    """From this box to the one that its winner plays in."""
    if match.series.key == THIRD or match.series.round == rounds:
        return ""
    x, y = _place(match, rounds, slots)
    span = 2**match.series.round * (BOX_H + GAP_Y)
    target = HEAD + (match.series.slot // 2) * span + (span - BOX_H - GAP_Y) / 2 + BOX_H / 2
    from_x, middle = x + BOX_W, x + BOX_W + GAP_X / 2
    return f'<path class="way" d="M{from_x:g} {y + BOX_H / 2:g}H{middle:g}V{target:g}H{from_x + GAP_X:g}"/>'


def _box(state: State, match: Match, pairing: Pairing | None, x: float, y: float) -> str:
    half = BOX_H / 2
    sides = ""
    for pk, top in ((match.first, y), (match.second, y + half)):
        won = " won" if pk is not None and pk == match.winner else ""
        name = "" if pk is None else _short(str(state.entrants[pk]))
        seed = "" if pk is None else str(state.entrants[pk].seed or "")
        score = _score(pairing, pk)
        sides += (
            f'<text class="seed" x="{x + 22:g}" y="{top + 15:g}">{seed}</text>'
            f'<text class="name{won}" x="{x + 30:g}" y="{top + 15:g}">{escape(name)}</text>'
            f'<text class="score{won}" x="{x + BOX_W - 8:g}" y="{top + 15:g}">{score}</text>'
        )
    css = "box open" if pairing is not None and pairing.is_open else "box"
    return (
        f'<rect class="{css}" x="{x:g}" y="{y:g}" width="{BOX_W}" height="{BOX_H}" rx="6"/>'
        f'<path class="rule" d="M{x:g} {y + half:g}h{BOX_W}"/>{sides}'
    )


def _score(pairing: Pairing | None, pk: int | None) -> str:
    if pairing is None or pairing.is_open or pk is None:
        return ""
    if pairing.outcome == Pairing.Outcome.PLAYED:
        first_here = pairing.first_id == pk
        return str(pairing.first_score if first_here else pairing.second_score)
    return "+" if pairing.winner_id == pk else "\N{MINUS SIGN}"


def _short(name: str) -> str:
    return name if len(name) <= NAME_MAX else f"{name[: NAME_MAX - 1]}…"
