"""Pages of the lobby, of tables and of games. Every change is one call of games.tables or games.play."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games import export, live, play, proof, queries, rules, tables, words
from games.errors import GameError, NotFound, StaleVersion
from games.forms import TableForm, offered
from games.game_page import GamePage
from games.models import KEY_MAX, Game, Table
from games.pages import REFUSALS, body, hides, json_only, refused, user_id
from games.refusals import refusal
from games.rules.mat_writer import CannotWrite
from games.script_texts import script_texts
from ledger import book, money
from ledger.display import currency_choices

LOBBY_TABLES = 100
RECENT = 8

# --- Lobby ------------------------------------------------------------------------------------------------------------


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Open tables for everybody; one's own tables and games for those who are logged in."""
    return render(request, "games/lobby.html", _lobby(request))


@require_safe
def lobby_list(request: HttpRequest) -> HttpResponse:
    """The part of the lobby that changes while one looks at it."""
    return render(request, "games/lobby_list.html", _lobby(request))


def _lobby(request: HttpRequest) -> dict[str, Any]:
    variant, currency = request.GET.get("variant", ""), request.GET.get("currency", "")
    offers = queries.open_tables()
    if variant in rules.VARIANTS:
        offers = offers.filter(variant=variant)
    if currency in money.CURRENCIES:
        offers = offers.filter(stake_currency=currency)
    context: dict[str, Any] = {
        "offers": list(offers[:LOBBY_TABLES]),
        "variant": variant,
        "currency": currency,
        "variants": [(key, str(words.VARIANTS[key][0])) for key in rules.VARIANTS],
        "currencies": currency_choices(),
        "filtered": bool(variant or currency),
    }
    if request.user.is_authenticated:
        context |= {
            "mine": [(table, queries.current_game(table)) for table in queries.my_tables(request.user)],
            "recent": list(queries.games_of(request.user).exclude(status=Game.Status.PLAYING)[:RECENT]),
            "token": live.make_token(user_id(request), ["lobby"]),
        }
    return context


@login_required
@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """Everything that this person has played, newest first, a page at a time."""
    before = request.GET.get("before", "")
    games = queries.games_of(request.user).exclude(status=Game.Status.PLAYING)
    if before.isascii() and before.isdigit() and len(before) < 19:
        games = games.filter(pk__lt=int(before))
    rows = list(games[: LOBBY_TABLES + 1])
    return render(request, "games/my_games.html", {"games": rows[:LOBBY_TABLES], "more": len(rows) > LOBBY_TABLES})


# --- Tables -----------------------------------------------------------------------------------------------------------


@login_required
def new_table(request: HttpRequest) -> HttpResponse:
    """The form of a new table; on success the creator waits at it."""
    initial = {name: request.GET[name] for name in ("variant", "currency", "stake") if name in request.GET}
    form = TableForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("table", tables.create_table(request.user, form.terms).pk)
        except REFUSALS as error:
            form.add_error(None, refusal(error))
    meanings = {key: str(text) for key, (_name, text) in words.VARIANTS.items()}
    return render(request, "games/new_table.html", {"form": form, "offered": offered(), "meanings": meanings})


@require_safe
@json_only
def hold_preview(request: HttpRequest) -> HttpResponse:
    """What the terms in the form would block, computed by the server: {"text"} or {"message"}."""
    form = TableForm(request.GET)
    if not form.is_valid():
        first = next(iter(form.errors.values()))[0]
        return JsonResponse({"message": first}, status=422)
    terms, currency = form.terms, form.cleaned_data["currency"]
    available = book.wallet(user_id(request), currency).available
    context = {
        "terms": terms,
        "hold": terms.hold,
        "available": available,
        "rake": book.current_rake(currency),
        "enough": available >= terms.hold,
    }
    return JsonResponse({"html": render_to_string("games/part_hold.html", context)})


@login_required
@hides
@require_safe
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    """A table: its terms in words, what it blocks, who is there, Ready and leave."""
    found = queries.table_for(request.user, table_id)
    game = queries.current_game(found)
    if game is not None and not game.is_over:
        return redirect("game", game.pk)
    context = _table(request, found) | {"token": live.make_token(user_id(request), [f"table:{table_id}"])}
    return render(request, "games/table.html", context)


@require_safe
@json_only
def table_part(request: HttpRequest, table_id: int) -> HttpResponse:
    """The part of a table's page that changes, or the address of the game that has begun."""
    found = queries.table_for(request.user, table_id)
    game = queries.current_game(found)
    if game is not None and not game.is_over:
        return JsonResponse({"go": redirect("game", game.pk).url})
    return JsonResponse(
        {"version": found.version, "html": render_to_string("games/part_table.html", _table(request, found), request)}
    )


def _series(table: Table) -> dict[str, Any]:
    """The standings of a table's series once a game of it is over: games, points, net money, who starts next."""
    score = queries.series_score(table)
    if not score["games"] or table.black is None:
        return {}
    people = {"white": table.white, "black": table.black}
    rows = [
        score[side] | {"player": people[side], "net": money.money(score[side]["net"]["amount"], table.currency)}
        for side in people
    ]
    starter = people.get(score["next_starter"] or "")
    return {**score, "rows": rows, "starter": starter}


def _table(request: HttpRequest, found: Table) -> dict[str, Any]:
    side = found.side_of(request.user.pk)
    available = book.wallet(user_id(request), found.currency).available
    gone = timezone.now() - tables.ABSENT
    seats = [
        {
            "side": key,
            "player": player,
            "ready": ready,
            "mine": key == side,
            "away": key != side and seen is not None and seen < gone,
        }
        for key, player, ready, seen in (
            ("white", found.white, found.white_ready, found.white_seen_at),
            ("black", found.black, found.black_ready, found.black_seen_at),
        )
    ]
    return {
        "table": found,
        "side": side,
        "seats": seats,
        "ready": side and getattr(found, f"{side}_ready"),
        "my_seed": side and found.seeds and getattr(found.seeds, f"{side}_seed"),
        "terms": words.terms_in_words(found),
        "name": words.variant_name(found.variant),
        "available": available,
        "enough": available >= found.hold,
        "policy_capped": found.factor_cap != rules.options_from_json(found.options).max_points,
        "last": queries.current_game(found),
        "closed_because": words.CLOSE_REASONS.get(found.close_reason, ""),
        "purse_currency": found.currency,
        "series": _series(found) if found.status != Table.Status.OPEN else {},
    }


TABLE_ACTIONS = {"join": tables.join_table, "ready": tables.say_ready, "leave": tables.leave_table}


@login_required
@hides
@require_POST
def table_action(request: HttpRequest, table_id: int, action: str) -> HttpResponse:
    """Join, say Ready, or leave; then back to the table, to its game, or to the lobby."""
    try:
        found = TABLE_ACTIONS[action](request.user, table_id)
    except NotFound:
        raise
    except GameError as error:
        messages.error(request, refusal(error))
        return redirect("lobby" if action == "leave" else "table", *([] if action == "leave" else [table_id]))
    if action == "leave":
        messages.info(request, _("You have left the table."))
        return redirect("lobby")
    return redirect("table", found.pk)


@login_required
@hides
@require_POST
def table_seed(request: HttpRequest, table_id: int) -> HttpResponse:
    """Set one's own seed of the next game's dice."""
    try:
        tables.set_seed(request.user, table_id, request.POST.get("seed", ""))
        messages.success(request, _("Your dice seed is set."))
    except NotFound:
        raise
    except GameError as error:
        messages.error(request, refusal(error))
    return redirect("table", table_id)


@require_POST
@json_only
def table_ping(request: HttpRequest, table_id: int) -> HttpResponse:
    """The player's page is still open; the answer says whether the other one's is."""
    tables.touch_presence(request.user, table_id)
    found = queries.table_for(request.user, table_id)
    seen = found.black_seen_at if found.side_of(request.user.pk) == "white" else found.white_seen_at
    return JsonResponse({"away": seen is not None and seen < timezone.now() - tables.ABSENT})


MODULES = ("game", "board", "turn", "input", "net", "sound")

# --- Games ------------------------------------------------------------------------------------------------------------


@login_required
@hides
@require_safe
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    """The page of a game, for its two players alone; the board is drawn before any script runs."""
    found = queries.game_for(request.user, game_id)
    page = GamePage(found, request)
    look = board_look(request, page)
    context = page.context | {
        "picture": page.picture(look["mirrored"], look["swapped"]),
        "data": page.json(),
        "look": look,
        "my_colour": "white" if (page.side == "white") != look["swapped"] else "black",
        "opponent_colour": "black" if (page.side == "white") != look["swapped"] else "white",
        "modules": [static(f"js/{name}.js") for name in MODULES],
        "texts": script_texts(),
        "token": live.make_token(user_id(request), [f"game:{found.pk}", f"table:{found.table_id}"]),
        "purse_currency": found.currency,
    }
    return render(request, "games/game.html", context)


def board_look(request: HttpRequest, page: GamePage) -> dict[str, Any]:
    """How this person wants to see the board: turned, colours swapped. In a cookie, so that the server draws it so."""
    wish = request.COOKIES.get("board", "")
    variant = rules.variant(page.game.variant)
    return {
        "side": page.side,
        "long": variant.family == "long",
        "hasBar": variant.has_bar,
        "checkers": variant.checkers,
        "mirrored": page.mirrored != ("m" in wish),
        "swapped": "s" in wish,
    }


@require_safe
@json_only
def game_state(request: HttpRequest, game_id: int) -> HttpResponse:
    """The present state for the script of the page."""
    return JsonResponse(GamePage(queries.game_for(request.user, game_id), request).json())


@require_POST
@json_only
def game_act(request: HttpRequest, game_id: int) -> HttpResponse:
    """One act of a player: {"version", "action", "key"} and for a play "play". 409 carries the present state."""
    data = body(request)
    action, version, key = data.get("action"), data.get("version"), data.get("key")
    if not isinstance(version, int) or not (key is None or (isinstance(key, str) and len(key) <= KEY_MAX)):
        return JsonResponse(
            {"code": "bad_request", "message": _("The request was damaged on the way; nothing was done.")}, status=400
        )
    wanted = rules.Play(str(data.get("play", ""))) if action == "play" else str(action)
    try:
        view = play.act(request.user, game_id, version, wanted, key)
    except StaleVersion as error:
        return refused(error, 409, **GamePage(error.view.game, request).json())
    except NotFound:
        raise
    except (GameError, rules.RuleError) as error:
        return refused(error)
    return JsonResponse(GamePage(view.game, request).json())


@login_required
@hides
@require_safe
def game_dice(request: HttpRequest, game_id: int) -> HttpResponse:
    """The proof of a game's dice: what was promised before it, what was revealed after it, and every roll."""
    found = queries.game_for(request.user, game_id)
    return render(
        request, "games/dice.html", {"game": found, "name": words.variant_name(found.variant), **proof.proof(found)}
    )


@login_required
@hides
@require_safe
def game_record(request: HttpRequest, game_id: int, form: str) -> HttpResponse:
    """A game that is over as a file: `mat` for the short family, our own text for every variant."""
    try:
        name, text = export.as_file(queries.game_for(request.user, game_id), "mat" if form == "mat" else "record")
    except CannotWrite as error:  # a variant that .mat cannot hold
        raise Http404 from error
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


# --- Rules in words ---------------------------------------------------------------------------------------------------

RULES_PAGES = ("short", "long", "tapa", "money", "clock", "dice")


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """All variants in a sentence each, and the way to the rules in words."""
    variants = [
        {"key": key, "name": name, "text": text, "page": rules.variant(key).family}
        for key, (name, text) in words.VARIANTS.items()
    ]
    return render(request, "rules/index.html", {"variants": variants})


@require_safe
def rules_page(request: HttpRequest, page: str) -> HttpResponse:
    """One page of rules in words."""
    if page not in RULES_PAGES:
        raise Http404
    context: dict[str, Any] = {"page": page}
    if page == "money":
        context["rakes"] = book.rake_history()
        context["chips_limit"] = money.money(settings.PLAY_CHIPS_TOP_UP, money.PLAY_CHIPS)
    return render(request, f"rules/{page}.html", context)
