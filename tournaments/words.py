"""Tournaments in the reader's words: terms, ranking keys, what a series stands at, what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games import rules
from games import words as game_words
from games.words import Term
from ledger import book
from ledger.display import money_text
from tournaments import purse
from tournaments.core.tiebreaks import Key
from tournaments.models import Tournament
from tournaments.state import State


class KeyWords(NamedTuple):
    """A ranking key: its name, a short one for the head of a column, and what it is."""

    name: Promise
    short: Promise
    meaning: Promise


KEYS: Mapping[Key, KeyWords] = {
    Key.POINTS: KeyWords(_("Points"), _("Pts"), _("A series won, a bye and a win by forfeit bring 1 each.")),
    Key.BEATEN: KeyWords(
        _("Players beaten"), _("Beaten"), _("How many different players were beaten; forfeits do not count.")
    ),
    Key.SERIES_WON: KeyWords(_("Series won"), _("Won"), _("Series won, also by forfeit.")),
    Key.DIRECT: KeyWords(
        _("Direct encounter"), _("Direct"), _("Points from the series between those who are tied, and nobody else.")
    ),
    Key.DIRECT_IF_ALL_MET: KeyWords(
        _("Direct encounter"), _("Direct"), _("The same, and only if all who are tied have played each other.")
    ),
    Key.BUCHHOLZ_CUT_1: KeyWords(
        _("Buchholz cut 1"), _("BH−1"), _("The points of all opponents without the lowest of them.")
    ),
    Key.BUCHHOLZ: KeyWords(_("Buchholz"), _("BH"), _("The points of all opponents.")),
    Key.SONNEBORN_BERGER: KeyWords(_("Sonneborn-Berger"), _("SB"), _("The points of the opponents who were beaten.")),
    Key.DIFFERENCE: KeyWords(
        _("Difference"), _("Diff"), _("Own score minus the opponents', each series limited by the cap.")
    ),
    Key.WINS: KeyWords(_("Wins"), _("Wins"), _("Series won by playing.")),
}

FORMATS: Mapping[str, Promise] = {
    "round_robin": _("Everybody meets everybody once."),
    "double_round_robin": _("Everybody meets everybody twice."),
    "swiss": _("In each round people with equal points meet, and never the same two again."),
    "knockout": _("Who loses a series is out."),
}

STATUS_TAGS: Mapping[str, str] = {
    "registration": "good", "running": "good", "closed": "warn", "announced": "", "finished": "", "paid": "",
    "cancelled": "bad", "draft": "warn",
}  # fmt: skip

REASONS: Mapping[str, Promise] = {
    "no_show": _("was not there in time"),
    "absent_twice": _("absent twice, so withdrawn"),
    "withdrawn": _("withdrew"),
}

ACTIONS: Mapping[str, Promise] = {
    "announce": _("announced"),
    "open_registration": _("registration opened"),
    "register": _("registered"),
    "late_entry": _("entered late"),
    "leave": _("left before the start"),
    "withdraw": _("withdrawn"),
    "close_registration": _("registration closed, places in the seeding given"),
    "start": _("started: entries and fees taken"),
    "pair": _("next round paired"),
    "forfeit": _("series decided by forfeit"),
    "extend": _("deadline extended"),
    "correct": _("result corrected"),
    "pause": _("paused"),
    "resume": _("resumed"),
    "allow_past_half": _("rounds beyond half the field allowed"),
    "finish": _("finished"),
    "abort": _("aborted"),
    "cancel": _("cancelled"),
    "pay": _("paid out"),
    "edit": _("terms changed"),
}

#: The step that a director takes next, as a button.
STEPS: Mapping[str, Promise] = {
    "announce": _("Announce"),
    "open_registration": _("Open registration"),
    "close_registration": _("Close registration"),
    "start": _("Start: take entries and fees, pair the first round"),
    "pay": _("Pay the prizes"),
}


def series_length(tournament: Tournament) -> str:
    """ "best of 5 games", "first to 7 points", "a single game"."""
    if tournament.count_by == "games":
        games = 2 * tournament.target - 1
        if games == 1:
            return gettext("a single game")
        return ngettext("best of %(count)s game", "best of %(count)s games", games) % {"count": games}
    return ngettext("first to %(count)s point", "first to %(count)s points", tournament.target) % {
        "count": tournament.target
    }


def span(minutes: int) -> str:
    """ "10 minutes", "2 hours", "7 days"; odd lengths stay in minutes."""
    if minutes % 1440 == 0:
        return ngettext("%(count)s day", "%(count)s days", minutes // 1440) % {"count": minutes // 1440}
    if minutes % 60 == 0:
        return ngettext("%(count)s hour", "%(count)s hours", minutes // 60) % {"count": minutes // 60}
    return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}


def terms(state: State) -> list[Term]:
    """What is announced, line by line."""
    tournament = state.tournament
    rounds = state.rounds_planned
    name, meaning = game_words.VARIANTS[tournament.variant]
    lines = [
        Term(gettext("Format"), tournament.get_format_display(), str(FORMATS[tournament.format])),
        Term(gettext("Rounds"), str(rounds), "" if tournament.rounds else gettext("for the present field")),
        Term(gettext("Game"), str(name), str(meaning)),
        Term(gettext("Series"), series_length(tournament), _crawford(tournament)),
        *_options(tournament),
        Term(gettext("Clock"), str(game_words.CLOCKS[tournament.clock]), game_words.clock_text(tournament.clock)),
        Term(
            gettext("Absence"),
            span(tournament.no_show_minutes),
            gettext("Who has not said Ready by then loses the series; twice, and they are withdrawn."),
        ),
        Term(gettext("Seeding"), tournament.get_seeding_display()),
    ]
    if tournament.is_swiss:
        late = gettext("until half of the rounds") if tournament.late_entry else gettext("no")
        lines.append(Term(gettext("Late entry"), late, gettext("Rounds missed bring no points.")))
    if not tournament.is_knockout:
        ranking = ", ".join(str(KEYS[key].name) for key in state.ranking.keys)
        lines.append(Term(gettext("Ranking"), ranking, gettext("Who is still tied shares place and prize.")))
    elif tournament.third_place:
        lines.append(Term(gettext("Third place"), gettext("is played for")))
    lines.append(Term(gettext("If it is aborted"), tournament.get_abort_rule_display()))
    return lines


def _crawford(tournament: Tournament) -> str:
    if tournament.count_by == "games":
        return gettext("Who wins more games wins the series; the cube is not used.")
    if not tournament.crawford:
        return gettext("The cube counts, without the Crawford rule.")
    return gettext("The cube counts; the first game after somebody needs one more point is played without it.")


def _options(tournament: Tournament) -> list[Term]:
    own = {name: value for name, value in tournament.options.items() if name not in ("variant", "crawford_game")}
    options = rules.make_options(tournament.variant, **own)
    ends = game_words.ENDGAMES[options.endgame][0]
    lines = []
    if tournament.count_by == "points":
        cube = gettext("up to %(limit)s") % {"limit": options.cube_limit} if options.cube_limit > 1 else gettext("off")
        lines = [Term(gettext("Counts up to"), str(ends), _points_meaning(options.endgame))]
        lines.append(Term(gettext("Cube"), cube))
    for field, (title, explained) in game_words.OPTIONS.items():
        if field in rules.variant(tournament.variant).own_options:
            lines.append(Term(str(title), game_words.option_value(getattr(options, field)), str(explained)))
    return lines


def _points_meaning(endgame: str) -> str:
    meanings = {
        "oin": gettext("A game won brings one point times the cube."),
        "mars": gettext("Two points if the loser has borne off nothing, times the cube."),
        "koks": gettext("Three points if, besides, a checker is left on the bar or in the winner's home."),
    }
    return meanings[endgame]


def reason(text: str) -> str:
    """Why a series was decided without play: a word of ours, or what the director wrote."""
    return str(REASONS.get(text, text))


def lacking(tournament: Tournament) -> str:
    """What the site would promise and the promotion fund has not, in a sentence; empty if it has enough."""
    promised, fund = purse.promised(tournament), book.promotion_fund(tournament.currency)
    if promised <= fund:
        return ""
    text = gettext(
        "The site promises up to %(promised)s; they are put into the pool when the tournament is announced. "
        "The promotion fund has %(fund)s."
    )
    return text % {"promised": money_text(promised), "fund": money_text(fund)}
