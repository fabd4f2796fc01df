"""The words of the game for readers: names and explanations of variants, options and results; terms in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games import rules
from games.models import Game, Table
from games.timer import PRESETS

VARIANTS: Mapping[str, tuple[Promise, Promise]] = {
    "short": (_("Short nardy"), _("Classic backgammon: hit blots, bring everybody home, bear off.")),
    "caucasian": (_("Caucasian nardy"), _("Short nardy in which a checker that hits at home may not hide.")),
    "long": (_("Long nardy"), _("No hitting: one checker closes a point, and both sides go the same way round.")),
    "nackgammon": (_("Nackgammon"), _("Two more checkers start at the back: longer, trickier games.")),
    "hypergammon": (_("Hypergammon"), _("Three checkers a side: a few quick minutes.")),
    "longgammon": (_("Longgammon"), _("All fifteen start at the very back, and blots are hit.")),
    "randgammon1": (_("Randgammon I"), _("A random start, the same for both, with blots.")),
    "randgammon2": (_("Randgammon II"), _("A random start, the same for both, without blots.")),
    "shootout": (_("Shootout"), _("Checkers on every second point: hits from the first roll.")),
    "first_hit": (_("First hit"), _("Whoever hits first wins.")),
    "tapa": (_("Tapa"), _("Blots are not hit but pinned; pin the mother and win double.")),
}

ENDGAMES: Mapping[str, tuple[Promise, Promise]] = {
    "oin": (_("Oin"), _("A lost game always costs one stake.")),
    "mars": (_("Mars"), _("It costs double if the loser has borne off nothing.")),
    "koks": (_("Koks"), _("It costs triple if, besides, a checker is left on the bar or in the winner's home.")),
}

OPTIONS: Mapping[str, tuple[Promise, Promise]] = {
    "bear_off_after_hit": (
        _("Bearing off after a hit at home"),
        _("May a checker that hit in its home be borne off in the same turn?"),
    ),
    "head_exception": (
        _("Second checker from the head"),
        _("On the first roll, with 3-3, 4-4 or 6-6, two checkers may leave the head."),
    ),
    "opening_uses_lot": (_("The lot's dice are played"), _("Otherwise the starter rolls a fresh pair.")),
    "mother_draw": (_("Draw by mothers"), _("If both mothers get pinned, nobody pays.")),
    "last_roll_draw": (
        _("Draw with the last roll"),
        _("Whoever started second gets one more roll; bearing off everything with it makes a draw."),
    ),
    "jacoby": (_("Jacoby"), _("Mars and koks count only after a taken double.")),
    "beaver": (_("Beaver"), _("Instead of taking, double once more at once and keep the cube.")),
    "auto_double": (_("Auto-double"), _("An equal opening lot doubles the cube in the middle.")),
}

CHOICES: Mapping[str, Promise] = {
    "allowed": _("Allowed"),
    "only_if_forced": _("Only if forced"),
    "forbidden": _("Forbidden"),
    "second_player": _("Only for the player who moves second"),
    "both_players": _("For both players"),
    "none": _("For nobody"),
}

CLOCKS: Mapping[str, Promise] = {"fast": _("Fast"), "normal": _("Normal"), "slow": _("Slow"), "day": _("A day")}

FIRST_MOVES: Mapping[str, Promise] = {
    "loser": _("The loser of the last game"),
    "alternate": _("The players in turn"),
    "lot": _("By lot each time"),
}

KINDS: Mapping[str, Promise] = {
    "oin": _("oin"), "mars": _("mars"), "koks": _("koks"), "draw": _("draw"), "void": _("void"),
}  # fmt: skip

REASONS: Mapping[str, Promise] = {
    "bear_off": _("all checkers borne off"),
    "first_hit": _("the first hit"),
    "mother": _("the mother is pinned"),
    "drop": _("the double was passed"),
    "resign": _("the game was resigned"),
    "time_out": _("time ran out"),
    "draw": _("a draw with the last roll"),
    "never_moved": _("one side never moved, so the game is void"),
    "operator": _("the operators declared the game void"),
}

SIDES: Mapping[str, Promise] = {"white": _("white"), "black": _("black")}

STATUSES: Mapping[str, Promise] = {
    "open": _("waits for an opponent"),
    "playing": _("being played"),
    "between": _("between games"),
    "closed": _("closed"),
    "finished": _("finished"),
    "void": _("void"),
}

SETTLEMENTS: Mapping[str, Promise] = {
    "none": _("not due"),
    "pending": _("waits for settlement"),
    "settled": _("settled"),
    "parked": _("parked"),
}

CLOSE_REASONS: Mapping[str, Promise] = {
    "left": _("One of the players has left."),
    "absent": _("Nobody was there any more."),
    "series_over": _("The agreed number of games has been played."),
    "forfeit": _("The series was decided by forfeit."),
    "corrected": _("An earlier result was corrected, so others play this series."),
    "tournament_ended": _("The tournament has ended."),
    "not_covered": _("The next game could not be covered by both players."),
}


class Term(NamedTuple):
    """One line of a table's terms: its name, its value, and what it means."""

    name: str
    value: str
    meaning: str = ""


def result_words(game: Game) -> str:
    """Kind and reason of a game's end: "mars: all checkers borne off"; of a draw or a void game, the reason alone."""
    kind, reason = KINDS.get(game.kind, ""), REASONS.get(game.reason, "")
    return f"{kind}: {reason}" if kind and reason and game.winner else str(reason or kind)


def named(words: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """What can be chosen of VARIANTS, KINDS … in a list of choice, as (value, name)."""
    return [(value, name if isinstance(name, Promise) else name[0]) for value, name in words.items()]


def variant_name(key: str) -> str:
    return str(VARIANTS[key][0])


def clock_text(preset: str) -> str:
    """ "3 minutes per game, 15 seconds free per turn"."""
    clock = PRESETS[preset]
    minutes, hours = clock.reserve_s // 60, clock.reserve_s // 3600
    reserve = (
        ngettext("%(count)s hour per game", "%(count)s hours per game", hours) % {"count": hours}
        if hours
        else ngettext("%(count)s minute per game", "%(count)s minutes per game", minutes) % {"count": minutes}
    )
    free = ngettext("%(count)s second free per turn", "%(count)s seconds free per turn", clock.delay_s)
    return f"{reserve}, {free % {'count': clock.delay_s}}"


def clock_sign(preset: str) -> str:
    """ "3 min + 15 s": the same for a list."""
    clock = PRESETS[preset]
    minutes, hours = clock.reserve_s // 60, clock.reserve_s // 3600
    reserve = gettext("%(count)s h") % {"count": hours} if hours else gettext("%(count)s min") % {"count": minutes}
    free = gettext("%(count)s s") % {"count": clock.delay_s}
    return f"{reserve} + {free}"


def terms_in_words(table: Table | Game) -> list[Term]:
    """Every option that a game is played under, those that are off included where a reader could wonder."""
    options = rules.options_from_json(table.options)
    variant = rules.variant(table.variant)
    name, meaning = VARIANTS[table.variant]
    ends, ends_meaning = ENDGAMES[options.endgame]
    lines = [
        Term(gettext("Game"), str(name), str(meaning)),
        Term(gettext("Counts up to"), str(ends), str(ends_meaning)),
        _cube_line(options),
    ]
    for field, (title, explained) in OPTIONS.items():
        value = getattr(options, field)
        if field in variant.own_options or (field in ("jacoby", "beaver", "auto_double") and options.cube_limit > 1):
            lines.append(Term(str(title), option_value(value), str(explained)))
    lines.append(Term(gettext("Clock"), str(CLOCKS[table.clock]), clock_text(table.clock)))
    if isinstance(table, Table):
        lines.append(Term(gettext("Who starts the next game"), str(FIRST_MOVES[table.first_move])))
        lines.append(Term(gettext("Series"), series_length(table.series_length)))
    return lines


def _cube_line(options: rules.GameOptions) -> Term:
    if options.cube_limit == 1:
        return Term(gettext("Cube"), gettext("off"), gettext("The stake is never doubled."))
    return Term(
        gettext("Cube"),
        gettext("up to %(limit)s") % {"limit": options.cube_limit},
        gettext(
            "Before a roll either side may offer to double; the other takes, or passes and loses the present value."
        ),
    )


def option_value(value: object) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(CHOICES[value])  # type: ignore[index]


def series_length(games: int | None) -> str:
    if games is None:
        return gettext("until somebody leaves")
    return ngettext("%(count)s game", "%(count)s games", games) % {"count": games}


def short_terms(table: Table | Game) -> str:
    """The terms on one line of a list: "koks · cube up to 8 · 3 min + 15 s"."""
    options = rules.options_from_json(table.options)
    cube = (
        gettext("cube up to %(limit)s") % {"limit": options.cube_limit}
        if options.cube_limit > 1
        else gettext("no cube")
    )
    return " · ".join([str(KINDS[options.endgame]), cube, clock_sign(table.clock)])
