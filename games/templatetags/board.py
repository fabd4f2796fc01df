"""Tags that show games: the board, its small sign, names and results."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games import rules, words
from games.board_svg import BoardPicture, column, draw
from games.models import Game, Table
from games.settle import rake_for
from ledger import money
from ledger.display import money_text

register = template.Library()


@register.simple_tag
def draw_board(picture: BoardPicture) -> SafeString:
    """The whole board as an <svg>."""
    return draw(picture)


@register.simple_tag
def start_board() -> SafeString:
    """Short nardy before the first move, with dice on the board: an ornament of the first page."""
    start = rules.variant("short").start or ()
    return draw(BoardPicture(mine=start, theirs=start, side="black", dice=(6, 5), cube=1))


@register.inclusion_tag("games/points.html")
def point_buttons(picture: BoardPicture) -> dict[str, Any]:
    """The buttons over the drawing: 24 points, bar and off, in the order of the viewer's numbers."""
    points = [
        {"number": point, "half": "up" if point > 12 else "low", "column": column(point)} for point in range(24, 0, -1)
    ]
    return {"points": points, "mirrored": picture.mirrored, "has_bar": picture.has_bar}


@register.inclusion_tag("games/mini.html")
def mini_board(variant: str) -> dict[str, str]:
    """A small sign of the family that a variant belongs to."""
    return {"family": rules.variant(variant).family}


@register.simple_tag
def variant_name(key: str) -> str:
    return words.variant_name(key)


@register.simple_tag
def short_terms(table: Table | Game) -> str:
    return words.short_terms(table)


@register.simple_tag
def opponent(seats: Table | Game, user: Any) -> Any:
    """Whoever sits on the other side, or None."""
    return {"white": seats.black, "black": seats.white}.get(seats.side_of(user.pk) or "")


@register.simple_tag
def result_words(game: Game) -> str:
    """The kind and reason of a game's end."""
    return words.result_words(game)


@register.simple_tag
def game_money(game: Game, user: Any) -> SafeString:
    """What a finished game brought this player, with its sign; a draw or void game says so in a word."""
    if not game.is_staked and game.winner:
        won = game.winner == game.side_of(user.pk)
        return format_html(
            '<span class="{}">{}</span>', "plus" if won else "minus", gettext("won") if won else gettext("lost")
        )
    if not game.winner:
        return format_html('<span class="muted">{}</span>', words.KINDS.get(game.kind, gettext("draw")))
    if game.winner == game.side_of(user.pk):
        return format_html('<span class="money plus">{}</span>', money_text(game.loss - rake_for(game), sign=True))
    return format_html('<span class="money minus">{}</span>', money_text(-money.quantize(game.loss), sign=True))


@register.filter
def last_id(games: list[Game]) -> int:
    return games[-1].pk
