"""A game that is over as a file: our own record for every variant, `.mat` where that format can hold it; its replay."""

from __future__ import annotations

from games import rules
from games.errors import NotFound
from games.models import Game
from games.rules import mat_writer, record


def record_of(game: Game) -> record.Record:
    """The game's options, starter and events, from which everything else can be derived again."""
    events = tuple(rules.event_from_json(event.event) for event in game.events.order_by("seq"))
    by_lot = any(isinstance(event, rules.Lot) for event in events)
    starter: rules.Side | None = None if by_lot else game.starter  # type: ignore[assignment]
    return record.Record(
        options=rules.options_from_json(game.options),
        starter=starter,
        events=events,
        white=str(game.white),
        black=str(game.black),
        rules_version=game.rules_version,
    )


def replayed(game: Game) -> rules.GameState:
    """The state that folding the stored events gives. Raises rules.RuleError where an event breaks the rules."""
    played = record_of(game)
    state = rules.new_game(played.options, played.starter)
    for event in played.events:
        state = rules.apply(state, event)
    return state


def as_mat(game: Game) -> str:
    """The game as a `.mat` transcript; raises mat_writer.CannotWrite where the format cannot hold it: a transcript
    names a winner, which a void game has not even where the time of one side has run out."""
    if not game.winner:
        raise mat_writer.CannotWrite("a .mat transcript cannot hold a game that nobody won; use the record format")
    return mat_writer.write([record_of(game)], headers=[("Game", str(game.pk))])


def as_record(game: Game) -> str:
    """The game in our own text form (docs/record-format.md)."""
    return record.write(record_of(game))


FORMS = {"mat": (as_mat, "mat"), "record": (as_record, "txt")}


def as_file(game: Game, form: str) -> tuple[str, str]:
    """A file's name and text, for the page and the API; `form` is one of FORMS.

    Raises NotFound for another form and while the game runs, mat_writer.CannotWrite where `.mat` cannot hold it.
    """
    if form not in FORMS or not game.is_over:
        raise NotFound
    write, ending = FORMS[form]
    return f"nardy-{game.pk}.{ending}", write(game)
