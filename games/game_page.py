"""What the page of a game shows to one of its players: the drawing, the parts in words, and what is said aloud.

The server writes every sentence and every amount; the page's script draws the board and puts the parts in their places.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext, ngettext
from moneyed import Money

from games import queries, rules, settle, words
from games.board_svg import BoardPicture
from games.models import Game, Table
from games.pages import user_id
from games.words import KINDS, variant_name
from ledger import book, money
from ledger.display import money_text

MOVES_SHOWN = 200


class Seat(NamedTuple):
    """One player's strip beside the board."""

    side: rules.Side
    name: str
    mine: bool
    on_turn: bool
    off: int
    pips: str
    cube: int | None
    clock: str


class Move(NamedTuple):
    """One line of the list of moves: what each side did in it."""

    number: int
    white: str
    black: str


class GamePage:
    """One game as the person who asks, and who sits in it, sees it now."""

    def __init__(self, game: Game, request: HttpRequest) -> None:
        self.game, self.request, self.viewer = game, request, request.user
        self.state = rules.state_from_json(game.state)
        self.side: rules.Side = game.side_of(request.user.pk)  # type: ignore[assignment]
        self.other = rules.other(self.side)
        self.opponent = str(game.player(self.other))

    # --- for the script -----------------------------------------------------------------------------------------------

    def json(self) -> dict[str, Any]:
        """The state that the script draws, the parts of the page in words, and what is to be said."""
        parts = {
            name: render_to_string(f"games/part_{name}.html", self.context, self.request)
            for name in ("say", "money", "panel", "moves")
        }
        data = queries.game_json(self.game, self.viewer, since=self.game.version)
        seats = {
            seat.side: {"on_turn": seat.on_turn, "off": seat.off, "pips": seat.pips, "cube": seat.cube}
            for seat in self.seats
        }
        purse = (
            money_text(book.wallet(user_id(self.request), self.game.currency).available) if self.game.is_over else None
        )
        asks = {"resign": self.resignation_words(), "double": self.double_words()}
        return {
            "game": data,
            "parts": parts,
            "seats": seats,
            "aloud": self.aloud(),
            "turns": self.state.turns_played,
            "purse": purse,
            **asks,
        }

    @cached_property
    def context(self) -> dict[str, Any]:
        return {"page": self, "game": self.game, "state": self.state}

    # --- the board ----------------------------------------------------------------------------------------------------

    def picture(self, mirrored: bool | None = None, swapped: bool = False) -> BoardPicture:
        """The drawing of the present position, from this player's side."""
        variant = rules.variant(self.game.variant)
        state = self.state
        return BoardPicture(
            mine=state.points(self.side),
            theirs=state.points(self.other),
            side=self.side,
            long=variant.family == "long",
            has_bar=variant.has_bar,
            mirrored=self.mirrored if mirrored is None else mirrored,
            colours_swapped=swapped,
            my_pinned=sorted(state.pinned(self.side)),
            their_pinned=sorted(state.pinned(self.other)),
            dice=state.dice or (),
            dice_are_mine=state.turn == self.side,
            cube=state.cube.value if state.options.cube_in_play else None,
            cube_owner=state.cube.owner,
            cube_offered=state.cube.offered,
        )

    @property
    def mirrored(self) -> bool:
        """White goes clockwise in the games where the sides meet; in long nardy both go counter-clockwise."""
        return self.side == "white" and rules.variant(self.game.variant).family != "long"

    # --- strips -------------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return self._seat(self.other), self._seat(self.side)

    def _seat(self, side: rules.Side) -> Seat:
        state, clock = self.state, queries.clock_json(self.game)
        return Seat(
            side=side,
            name=str(self.game.player(side)),
            mine=side == self.side,
            on_turn=not self.game.is_over and state.to_act == side,
            off=state.points(side)[0],
            pips=pips_text(state.pips(side)),
            cube=state.cube.value if state.cube.owner == side else None,
            clock=clock_face(clock[f"{side}_ms"]),
        )

    # --- sentences ----------------------------------------------------------------------------------------------------

    def headline(self) -> str:
        """What is going on, for the line above the buttons."""
        if self.game.is_over:
            return self.result_title()
        state, mine = self.state, self.state.to_act == self.side
        if state.phase == "double":
            return gettext("A double is offered") if mine else gettext("%(name)s decides about the double") % self._name
        if state.phase == "beaver":
            return gettext("A beaver: play on?") if mine else gettext("%(name)s decides about the beaver") % self._name
        if state.phase == "roll":
            return gettext("Your turn: roll the dice") if mine else gettext("%(name)s is to roll") % self._name
        if state.phase == "play" and state.dice:
            dice = {"dice": rules.notation.write_dice(state.dice), **self._name}
            return gettext("Your move: %(dice)s") % dice if mine else gettext("%(name)s plays %(dice)s") % dice
        return ""

    @property
    def _name(self) -> dict[str, str]:
        return {"name": self.opponent}

    def aloud(self) -> dict[str, str]:
        """For screen readers: `polite` after each change, `urgent` for doubles and the result."""
        if self.game.is_over:
            return {"polite": "", "urgent": f"{self.result_title()}. {self.result_words()}."}
        if self.state.phase in ("double", "beaver") and self.state.to_act == self.side:
            return {"polite": "", "urgent": f"{self.offer_words()} {self.headline()}."}
        return {"polite": " ".join(filter(None, [self._last_turn_words(), f"{self.headline()}."])), "urgent": ""}

    def _last_turn_words(self) -> str:
        last = self.state.last_turn
        if last is None:
            return ""
        moves = "; ".join(_step_words(step.start, step.end, bool(step.hits)) for step in last.steps) or gettext(
            "no legal move"
        )
        values = {"name": self.opponent, "dice": rules.notation.write_dice(last.dice), "moves": moves}
        if last.side == self.side:
            return gettext("You rolled %(dice)s: %(moves)s.") % values
        return gettext("%(name)s rolled %(dice)s: %(moves)s.") % values

    # --- money --------------------------------------------------------------------------------------------------------

    def cost(self, points: int) -> str:
        """What a result of so many points costs here, in words: money, or points where none is played for."""
        if self.game.is_staked:
            return money_text(self.game.cost(points))
        return ngettext("%(count)s point", "%(count)s points", points) % {"count": points}

    def worth_lines(self) -> list[tuple[str, str]]:
        """What the game costs its loser now, by the end it may have; only ends that count at this table."""
        factors = [("oin", 1), ("mars", 2), ("koks", 3)]
        highest = dict(factors)[self.state.options.endgame]
        return [
            (str(KINDS[kind]), self.cost(self.state.cube.value * factor))
            for kind, factor in factors
            if factor <= highest
        ]

    @property
    def offer(self) -> dict[str, str]:
        """Of a double or beaver that is owed an answer: what taking makes the game worth, what passing costs."""
        offered = self.state.cube.offered or 1
        after = {"take": self.cost(offered), "drop": self.cost(self.state.if_dropped().points)}
        if self.state.phase == "double" and self.state.may_beaver(self.side):
            after["beaver"] = self.cost(offered * 2)
        return after

    @property
    def owes_answer(self) -> bool:
        return not self.game.is_over and self.state.may_take(self.side)

    def offer_words(self) -> str:
        texts = self.offer | self._name
        if self.state.phase == "beaver":
            return (
                gettext("%(name)s beavers. Play on: the game is worth %(take)s. Pass: you lose %(drop)s now.") % texts
            )
        return (
            gettext("%(name)s offers to double. Take: the game is worth %(take)s. Pass: you lose %(drop)s now.") % texts
        )

    def resignation_words(self) -> str:
        """What resigning now would be and cost; the level comes from the position. Empty while it is not possible."""
        if self.game.is_over or not self.state.may_resign(self.side):
            return ""
        result = self.state.if_resigned(self.side)
        values = {"kind": KINDS[result.kind], "cost": self.cost(result.points)}
        return gettext("In this position it counts as %(kind)s: you lose %(cost)s.") % values

    def double_words(self) -> str:
        """What offering a double now means. Empty while it is not possible."""
        if self.game.is_over or not self.state.may_double(self.side):
            return ""
        value = self.state.cube.value
        values = {**self._name, "take": self.cost(value * 2), "drop": self.cost(value)}
        return (
            gettext("If %(name)s takes, the game is worth %(take)s. If %(name)s passes, you win %(drop)s now.") % values
        )

    # --- the end ------------------------------------------------------------------------------------------------------

    @cached_property
    def series(self) -> dict[str, Any]:
        """The standing at this table: games won, or what a points series counts; `more` from the second game on."""
        score = queries.series_score(self.game.table)
        if "score" in score:
            return {"mine": score["score"][self.side], "theirs": score["score"][self.other], "more": True}
        return {"mine": score[self.side]["wins"], "theirs": score[self.other]["wins"], "more": score["games"] > 1}

    @cached_property
    def can_go_on(self) -> bool:
        """Whether this was the table's last game so far and another can follow."""
        table = self.game.table
        return table.status == Table.Status.BETWEEN and self.game.number == table.games.count()

    @property
    def has_mat(self) -> bool:
        """`.mat` holds decided games of the short family with a fixed start; auto-doubles it cannot say."""
        variant, options = rules.variant(self.game.variant), self.state.options
        return bool(self.game.winner and variant.family == "short" and variant.start and not options.auto_double)

    @property
    def won(self) -> bool:
        return self.game.winner == self.side

    def result_title(self) -> str:
        if self.game.status == Game.Status.VOID:
            return gettext("The game is void")
        if not self.game.winner:
            return gettext("A draw")
        return gettext("You have won") if self.won else gettext("%(name)s has won") % self._name

    def result_words(self) -> str:
        """Kind and reason: "mars: all checkers borne off"."""
        return words.result_words(self.game)

    @cached_property
    def arithmetic(self) -> list[tuple[str, str, bool]]:
        """The sum as (what, amount, is a total): stake × cube × factor, the cap, the fee, what is received or paid."""
        game = self.game
        if not game.is_staked:
            return [(gettext("Result"), self.cost(game.points or 0), True)]
        if not game.winner:
            return [(gettext("Nobody pays"), money_text(money.money(0, game.currency)), True)]
        lines = [(gettext("Stake"), money_text(game.stake_money), False)]
        if game.cube != 1:
            lines.append((gettext("Cube"), f"× {game.cube}", False))
        if game.factor != 1:
            lines.append((str(KINDS[game.kind]).capitalize(), f"× {game.factor}", False))
        if game.points and game.points > game.factor_cap:
            lines.append((gettext("At most what was blocked"), money_text(game.hold), False))
        if not self.won:
            return [*lines, (gettext("You pay"), money_text(-game.loss), True)]
        rake = settle.rake_for(game)
        if rake.amount:
            percent = {"percent": f"{game.rake_percent.normalize():f}"}
            lines.append((gettext("Fee, %(percent)s %% of the win") % percent, money_text(-rake), False))
        return [*lines, (gettext("You receive"), money_text(game.loss - rake, sign=True), True)]

    @cached_property
    def my_line(self) -> Any:
        """The viewer's own line of the entry that settled the game, or None."""
        if self.game.entry_id is None:
            return None
        entry = book.entry(self.game.entry_id)
        return next((line for line in entry.lines if line.owner_id == self.viewer.pk), None) if entry else None

    @property
    def balance_before(self) -> Money | None:
        return self.my_line.balance_after - self.my_line.amount if self.my_line else None

    # --- moves --------------------------------------------------------------------------------------------------------

    @cached_property
    def moves(self) -> list[Move]:
        """The last turns in notation, two to a line; the whole record can be downloaded."""
        events = list(self.game.events.order_by("-seq").values_list("event", "side")[:MOVES_SHOWN])[::-1]
        return list(_paired(_turns_in_words(self.state, events)))

    @property
    def title(self) -> str:
        return variant_name(self.game.variant)


def clock_face(milliseconds: int) -> str:
    """1:05, or 1:02:05 from an hour on."""
    seconds = milliseconds // 1000
    minutes, hours = seconds // 60, seconds // 3600
    return f"{hours}:{minutes % 60:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


def _step_words(start: int, end: int, hits: bool) -> str:
    places = {"from": gettext("bar") if start == 25 else str(start), "to": end}
    words = gettext("%(from)s off") % places if end == 0 else gettext("%(from)s to %(to)s") % places
    return f"{words}, {gettext('hits')}" if hits else words


def _turns_in_words(state: rules.GameState, events: list[tuple[dict[str, Any], str]]) -> Iterator[tuple[str, str]]:
    """Each act as (side, text); a roll and its play are one. A roll without a play after it could not be played."""
    waiting: tuple[str, str] | None = None
    for event, side in events:
        kind = event["type"]
        if kind == "play":
            yield side, f"{waiting[1]} {event['text']}" if waiting else event["text"]
            waiting = None
            continue
        if waiting:
            yield waiting[0], f"{waiting[1]} Ø"
            waiting = None
        if kind == "roll":
            waiting = side, f"{rules.notation.write_dice(tuple(event['dice']))}:"
        elif kind == "lot" and event["white"] != event["black"] and state.options.opening_uses_lot:
            pair = sorted((event["white"], event["black"]), reverse=True)
            waiting = ("white" if event["white"] > event["black"] else "black"), f"{pair[0]}-{pair[1]}:"
        elif kind in ACT_WORDS:
            yield side or event.get("side", ""), str(ACT_WORDS[kind]())
    if waiting:
        yield waiting[0], waiting[1] if state.phase == "play" else f"{waiting[1]} Ø"


ACT_WORDS = {
    "double": lambda: gettext("doubles"),
    "take": lambda: gettext("takes"),
    "drop": lambda: gettext("passes"),
    "beaver": lambda: gettext("beavers"),
    "resign": lambda: gettext("resigns"),
    "time_out": lambda: gettext("time is out"),
}


def _paired(turns: Iterator[tuple[str, str]]) -> Iterator[Move]:
    """Two columns: a line is full when the same side is on again."""
    number, line = 1, {"white": "", "black": ""}
    for side, text in turns:
        if side not in line:
            continue
        if line[side] or (side == "white" and line["black"]):
            yield Move(number, **line)
            number, line = number + 1, {"white": "", "black": ""}
        line[side] = text
    if any(line.values()):
        yield Move(number, **line)


def pips_text(count: int) -> str:
    return ngettext("%(count)s pip", "%(count)s pips", count) % {"count": count}
