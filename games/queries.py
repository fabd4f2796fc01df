"""Reads: the lobby, a table, a game. Pages and API show the same values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from moneyed import Money

from games import dice, rules, series, settle
from games.errors import NotFound, NotYourGame
from games.models import Game, GameEvent, Table
from games.start import next_starter
from games.tables import ABSENT
from games.timer import PRESETS
from ledger import book, money


def open_tables() -> QuerySet[Table]:
    """Tables that somebody can join: open, with a free seat, and their creator present. Newest first."""
    present = timezone.now() - ABSENT
    tables = Table.objects.filter(status=Table.Status.OPEN, black__isnull=True, white_seen_at__gte=present)
    return tables.select_related("white", "black", "seeds").order_by("-pk")


def my_tables(player: Any) -> QuerySet[Table]:
    """Tables that are not closed and at which this person sits."""
    mine = Table.objects.filter(Q(white=player) | Q(black=player)).exclude(status=Table.Status.CLOSED)
    return mine.select_related("white", "black", "seeds").order_by("-pk")


def table_for(player: Any, table_id: int) -> Table:
    """A table as this person may see it: free ones are everybody's, others are for those who sit there. Or NotFound."""
    table = Table.objects.select_related("white", "black", "seeds").filter(pk=table_id).first()
    if table is None or not (
        table.side_of(player.pk) or (table.status == Table.Status.OPEN and table.black_id is None)
    ):
        raise NotFound
    return table


def game_for(player: Any, game_id: int) -> Game:
    """A game in which this person has a seat, or NotYourGame."""
    game = Game.objects.select_related("white", "black", "seeds", "table").filter(pk=game_id).first()
    if game is None or not game.side_of(player.pk):
        raise NotYourGame
    return game


def games_of(player: Any) -> QuerySet[Game]:
    """All games of a person, newest first."""
    return Game.objects.filter(Q(white=player) | Q(black=player)).select_related("white", "black").order_by("-pk")


def current_game(table: Table) -> Game | None:
    """The game that is being played at a table, or else its last one."""
    return table.games.select_related("white", "black", "seeds").order_by("-number").first()


def money_json(value: Money | None) -> dict[str, str] | None:
    """Exact, the same in every language; pages format their own."""
    if value is None:
        return None
    code = value.currency.code
    return {"amount": money.number(value.amount, code), "currency": code}


def player_json(player: Any) -> dict[str, Any] | None:
    return None if player is None else {"id": player.pk, "name": str(player)}


def terms_json(terms: Table | Game) -> dict[str, Any]:
    """What is played for and under."""
    return {
        "variant": terms.variant,
        "options": terms.options,
        "rules_version": terms.rules_version,
        "stake": money_json(terms.stake_money),
        "hold": money_json(terms.hold),
        "rake": {"percent": str(terms.rake_percent), "cap": money_json(terms.rake_cap_money)},
        "clock": {
            "preset": terms.clock,
            "reserve_s": PRESETS[terms.clock].reserve_s,
            "delay_s": PRESETS[terms.clock].delay_s,
        },
    }


def table_json(table: Table, viewer: Any) -> dict[str, Any]:
    """A table for its page and the API. `game` is the running game, or the last one."""
    (found,) = tables_json([table], viewer)
    return found


def tables_json(tables: Iterable[Table], viewer: Any) -> list[dict[str, Any]]:
    """`table_json` of several tables, their games in one query."""
    tables = list(tables)
    begun = [table.pk for table in tables if table.status != Table.Status.OPEN]
    games = Game.objects.filter(table__in=begun).order_by("table_id", "-number").distinct("table_id")
    last = dict(games.values_list("table_id", "pk"))
    return [_table_json(table, viewer, last.get(table.pk)) for table in tables]


def _table_json(table: Table, viewer: Any, game: int | None) -> dict[str, Any]:
    return {
        "id": table.pk,
        "version": table.version,
        "status": table.status,
        "close_reason": table.close_reason,
        "you": table.side_of(viewer.pk),
        "players": {"white": player_json(table.white), "black": player_json(table.black)},
        "ready": {"white": table.white_ready, "black": table.black_ready},
        "terms": terms_json(table),
        "first_move": table.first_move,
        "series_length": table.series_length,
        "dice": _next_dice_json(table),
        "game": game,
        "created_at": table.created_at.isoformat(),
    }  # fmt: skip


def _next_dice_json(table: Table) -> dict[str, Any] | None:
    """The commitment and the players' seeds for the next game; None while one is played and after the last."""
    if table.seeds is None:
        return None
    seeds = {"white": table.seeds.white_seed, "black": table.seeds.black_seed}
    return {"commitment": table.seeds.commitment, "seeds": seeds}


def series_score(table: Table) -> dict[str, Any]:
    """The standings of a table's series: games and points per side, net money after rake, void games apart.

    `next_starter`: "white", "black", or None where the lot decides. A points series also has its `target` and score.
    """
    score: dict[str, Any] = {"games": 0, "void": 0, "draws": 0, "next_starter": next_starter(table)}
    if table.target is not None:
        points = series.score(table)
        score |= {"target": table.target, "count_by": table.count_by, "crawford": points.crawford}
        score["score"] = {"white": points.white, "black": points.black}
    nothing = {"wins": 0, "points": 0, "net": Money(0, table.currency)}
    sides: dict[str, dict[str, Any]] = {side: dict(nothing) for side in ("white", "black")}
    for game in table.games.exclude(status=Game.Status.PLAYING):
        score["games"] += 1
        if game.status == Game.Status.VOID:
            score["void"] += 1
        elif not game.winner:
            score["draws"] += 1
        else:
            loser = "black" if game.winner == "white" else "white"
            sides[game.winner]["wins"] += 1
            sides[game.winner]["points"] += game.points
            sides[game.winner]["net"] += game.loss - settle.rake_for(game)
            sides[loser]["net"] -= game.loss
    return {**score, **{side: {**values, "net": money_json(values["net"])} for side, values in sides.items()}}


def game_json(game: Game, viewer: Any, since: int | None = None) -> dict[str, Any]:
    """Everything a page needs to show a game to one of its players, and nothing that they may not know.

    Point numbers are each side's own; money is exact text; times are milliseconds of the server's clock.
    `since`: only the events after that version (None: all of them).
    """
    state = rules.state_from_json(game.state)
    you: rules.Side | None = game.side_of(viewer.pk)  # type: ignore[assignment]
    return {
        "id": game.pk,
        "version": game.version,
        "table": game.table_id,
        "number": game.number,
        "status": game.status,
        "you": you,
        "players": {"white": player_json(game.white), "black": player_json(game.black)},
        "terms": terms_json(game),
        "starter": game.starter,
        "phase": state.phase,
        "turn": state.turn,
        "to_act": state.to_act,
        "dice": state.dice and list(state.dice),
        "cube": state.cube._asdict(),
        "last_roll": state.last_roll,
        "points": {"white": list(state.white), "black": list(state.black)},
        "pinned": {"white": sorted(state.white_pinned), "black": sorted(state.black_pinned)},
        "pips": {"white": state.pips("white"), "black": state.pips("black")},
        "may": _may(state, you if not game.is_over else None),
        "turns": state.turn_graph() if you and state.may_play(you) else [],
        "last_turn": game.state["last_turn"],
        "clock": clock_json(game),
        "worth": _worth(game, state, you),
        "result": result_json(game),
        "settlement": {"status": game.settlement, "entry": game.entry_id},
        "fairness": fairness_json(game),
        "events": [event_json(event) for event in events_of(game, since)],
    }


def _may(state: rules.GameState, side: rules.Side | None) -> dict[str, bool]:
    acts = ("roll", "double", "take", "drop", "beaver", "play", "resign")
    return {act: side is not None and getattr(state, f"may_{act}")(side) for act in acts}


def clock_json(game: Game) -> dict[str, Any]:
    """Both reserves as of now, and how much free time is left to the running side; `running` null: nobody's runs."""
    now = timezone.now()
    clock = game.clock_value.charged(now)
    return {
        "white_ms": clock.white_ms,
        "black_ms": clock.black_ms,
        "delay_left_ms": clock.delay_left_ms,
        "running": clock.running,
        "now": now.isoformat(),
    }


def _worth(game: Game, state: rules.GameState, you: rules.Side | None) -> dict[str, Any] | None:
    """What the game is worth now, and what leaving it would cost the viewer; None once it is over."""
    if game.is_over or you is None:
        return None
    offered = state.cube.offered
    resign = state.if_resigned(you) if state.may_resign(you) else None
    return {
        "oin": money_json(game.cost(state.cube.value)),
        "mars": money_json(game.cost(2 * state.cube.value)),
        "koks": money_json(game.cost(3 * state.cube.value)),
        "taken": money_json(game.cost(offered)) if offered else None,
        "dropped": money_json(game.cost(state.if_dropped().points)) if offered else None,
        "resigned": resign
        and {"kind": resign.kind, "points": resign.points, "money": money_json(game.cost(resign.points))},
    }


def result_json(game: Game) -> dict[str, Any] | None:
    """Who won, how, and the arithmetic of the money; None while the game runs. `kind` "void": nobody pays."""
    if not game.is_over:
        return None
    rake = settle.rake_for(game)
    return {
        "winner": game.winner or None,
        "kind": game.kind,
        "reason": game.reason,
        "factor": game.factor,
        "cube": game.cube,
        "points": game.points,
        "loss": money_json(game.loss),
        "rake": money_json(rake),
        "win": money_json(game.loss - rake),
    }


def event_json(event: GameEvent) -> dict[str, Any]:
    return {
        "version": event.version,
        "side": event.side or None,
        "roll": event.roll_index,
        "at": event.at.isoformat(),
        **event.event,
    }


def events_of(game: Game, since: int | None = None) -> Iterable[GameEvent]:
    """The events of a game after a version, in order."""
    return game.events.filter(version__gt=since or 0).order_by("seq")


def fairness_json(game: Game) -> dict[str, Any] | None:
    """Commitment and client seeds, and the server seed once the game is over; None for a game without our dice."""
    if game.seeds is None:
        return None
    stream = dice.revealed_stream(game)
    return {
        "game": game.pk,
        "rules_version": game.rules_version,
        "commitment": game.seeds.commitment,
        "white_seed": game.seeds.white_seed,
        "black_seed": game.seeds.black_seed,
        "server_seed": stream.server_seed.hex() if stream else None,
    }


def verification(game: Game) -> dict[str, Any]:
    """For the verification page and scripts/verify_dice.py: the seeds, and every roll with its index in the stream.

    Each roll has the event as it was stored; once the game is over it also has `computed`, the same drawn again here.
    """
    fairness = fairness_json(game)
    if fairness is None:
        raise NotFound
    stream = dice.revealed_stream(game)
    rolls = []
    for event in game.events.filter(roll_index__isnull=False).order_by("seq"):
        assert event.roll_index is not None
        roll: dict[str, Any] = {"roll": event.roll_index, "event": event.event}
        if stream:
            roll["computed"] = dice.draw_again(stream, event.roll_index, event.event, game.variant)
        rolls.append(roll)
    return {**fairness, "variant": game.variant, "rolls": rolls}


def game_summary_json(game: Game, viewer: Any) -> dict[str, Any]:
    """A line in a list of games."""
    return {
        "id": game.pk,
        "table": game.table_id,
        "number": game.number,
        "version": game.version,
        "status": game.status,
        "you": game.side_of(viewer.pk),
        "players": {"white": player_json(game.white), "black": player_json(game.black)},
        "variant": game.variant,
        "stake": money_json(game.stake_money),
        "result": result_json(game),
        "settlement": {"status": game.settlement, "entry": game.entry_id},
        "created_at": game.created_at.isoformat(),
        "finished_at": game.finished_at and game.finished_at.isoformat(),
    }


#: kind of topic -> who may listen: called with the person and the id, it raises NotFound
READERS: dict[str, Any] = {"game": game_for, "table": table_for}


def check_topics(player: Any, topics: Iterable[str]) -> None:
    """Raise NotFound unless this person may listen to every topic ("game:12", "table:5", "lobby")."""
    for topic in topics:
        kind, _, number = topic.partition(":")
        if topic == "lobby":
            continue
        if kind not in READERS or not (number.isascii() and number.isdigit() and len(number) <= 18):
            raise NotFound
        READERS[kind](player, int(number))


def wallet_json(wallet: book.Wallet) -> dict[str, Any]:
    amounts = {name: money_json(getattr(wallet, name)) for name in ("posted", "held", "available")}
    return {"currency": wallet.currency, **amounts, "status": wallet.status, "owed": money_json(wallet.owed)}


def statement_json(statement: book.Statement) -> dict[str, Any]:
    rows = [
        {
            "at": row.at.isoformat(),
            "kind": row.kind,
            "reference": row.reference,
            "amount": money_json(row.amount),
            "balance": money_json(row.balance),
            "entry": row.entry_id,
        }
        for row in statement.rows
    ]
    ends = {"opening": money_json(statement.opening), "closing": money_json(statement.closing)}
    return {**ends, "rows": rows, "next": statement.next}


def hold_json(hold: book.HoldView) -> dict[str, Any]:
    return {
        "key": hold.key,
        "reference": hold.reference,
        "amount": money_json(hold.amount),
        "captured": money_json(hold.captured),
        "state": hold.state,
        "placed_at": hold.placed_at.isoformat(),
        "resolved_at": hold.resolved_at and hold.resolved_at.isoformat(),
        "entry": hold.entry_id,
    }
