"""What stops a tournament is said to the director, changes nothing, and goes away with its cause."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import series
from tests.tournaments.playing import (
    opened,
    pass_deadlines,
    people,
    play_out,
    play_round,
    seed,
    started,
    state,
    violations,
)
from tournaments import advance, direct, life, registration
from tournaments.errors import CannotCorrect, TooFew
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_a_swiss_past_half_of_its_field_asks_the_director(client: Client, operator: Any) -> None:
    tournament = started(4, rounds=3)
    play_round(tournament)
    play_round(tournament)
    now = state(tournament)
    assert (now.tournament.note_code, len(now.rounds)) == ("pairing_stopped", 2)
    client.force_login(operator)
    page = client.get(reverse("admin:tournaments_tournament_run", args=[tournament.pk])).content.decode()
    assert "It cannot go on:" in page and "no longer certain" in page
    version = now.tournament.version
    advance.advance(tournament.pk)  # trying again says nothing new
    assert state(tournament).tournament.version == version
    direct.allow_past_half(tournament.pk, "all agree", operator)
    advance.advance(tournament.pk)
    now = state(tournament)
    assert (now.tournament.note, len(now.rounds)) == ("", 3)
    assert play_out(tournament).tournament.status == "finished"


def test_a_swiss_that_cannot_be_paired_can_end_by_its_standings(operator: Any) -> None:
    tournament = started(2, rounds=3, past_half=True)
    play_round(tournament)
    assert "no complete pairing" in state(tournament).tournament.note
    life.finish(tournament.pk, operator, "they have met")
    life.pay(tournament.pk)
    assert not violations()


def test_a_table_closed_without_a_result_blocks_with_a_word(operator: Any) -> None:
    tournament = started(4)
    pairing = state(tournament).open_pairings[0]
    series.abandon(pairing.table_id or 0, "operator")
    advance.advance(tournament.pk)
    assert "decide its series" in state(tournament).tournament.note
    direct.forfeit(tournament.pk, pairing.pk, "second", "as agreed", operator)
    play_round(tournament)
    assert (len(state(tournament).rounds), state(tournament).tournament.note) == (2, "")


def test_a_table_closed_without_a_result_leaves_the_others_their_deadline() -> None:
    tournament = started(4)
    stuck, absent = state(tournament).open_pairings
    series.abandon(stuck.table_id or 0, "operator")
    pass_deadlines(tournament)
    advance.advance(tournament.pk)
    now = state(tournament)
    assert [pairing.pk for pairing in now.open_pairings] == [stuck.pk] and "decide its series" in now.tournament.note
    absent.refresh_from_db()
    assert absent.outcome == absent.Outcome.DOUBLE_FORFEIT


def test_a_field_that_shrank_after_the_close_does_not_start(operator: Any) -> None:
    tournament = opened(min_field=3)
    for player in people(3):
        registration.register(player, tournament.pk)
    life.close_registration(tournament.pk)
    direct.withdraw(tournament.pk, tournament.entrants.order_by("pk")[0].pk, "ill", operator)
    with pytest.raises(TooFew):
        life.start(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == "closed" and not violations()


def test_an_unforeseen_failure_in_one_tournament_stops_no_other(monkeypatch: Any) -> None:
    broken, sound = (opened(automatic=True, title=title) for title in ("broken", "sound"))

    def step(tournament_id: int, now: Any, do: Any = advance._step) -> bool:
        if tournament_id == broken.pk:
            raise RuntimeError("unforeseen")
        return do(tournament_id, now)  # type: ignore[no-any-return]

    monkeypatch.setattr(advance, "_step", step)
    advance.sweep()
    assert state(broken).tournament.status == "registration"
    assert state(sound).tournament.status == "cancelled"  # nobody came


def test_a_score_too_long_for_its_column_is_refused(operator: Any) -> None:
    tournament = started(4)
    pairing = state(tournament).open_pairings[0]
    direct.forfeit(tournament.pk, pairing.pk, "second", "as agreed", operator)
    with pytest.raises(CannotCorrect, match="999"):
        direct.correct(tournament.pk, pairing.pk, "first", (100_000, 0), "typed badly", operator)


def test_nobody_left_to_pair_is_said(operator: Any) -> None:
    tournament = started(3)
    for entrant in sorted(state(tournament).entrants.values(), key=seed)[:2]:
        direct.withdraw(tournament.pk, entrant.pk, "gone", operator)
    advance.advance(tournament.pk)
    assert "needs two" in state(tournament).tournament.note
    life.cancel(tournament.pk, operator, "nobody left")
    assert state(tournament).tournament.status == "cancelled" and not violations()


def test_a_withdrawal_does_not_block_the_round() -> None:
    tournament = started(9)
    registration.leave(state(tournament).seeded[4].player, tournament.pk)
    play_round(tournament)
    assert len(state(tournament).rounds) == 2
    assert play_out(tournament).tournament.status == "finished"


def test_a_lot_is_drawn_again_from_what_was_published() -> None:
    from tournaments.core import seeding

    tournament = opened(seeding="lot")
    assert len(tournament.lot_commitment) == 64
    players = people(5)
    for player in players:
        registration.register(player, tournament.pk)
    registration.set_seed(players[0], tournament.pk, "my text")
    life.close_registration(tournament.pk)
    now = state(tournament)
    secret = life.lot_seed(now.tournament)
    texts = tuple((entrant.pk, entrant.client_seed) for entrant in now.entrants.values())
    drawn = seeding.by_lot(seeding.Lot(str(tournament.pk), texts, secret))
    assert [one.id for one in drawn] == [entrant.pk for entrant in now.seeded]
    assert seeding.commitment(secret) == now.tournament.lot_commitment and ("my text" in dict(texts).values())


def test_the_secret_of_a_lot_is_not_shown_before_registration_closes(client: Client) -> None:
    tournament = opened(seeding="lot")
    for player in people(2):
        registration.register(player, tournament.pk)
    secret = life.lot_seed(Tournament.objects.get(pk=tournament.pk)).hex()
    url = reverse("tournament", args=[tournament.pk])
    assert secret not in client.get(url).content.decode()
    life.close_registration(tournament.pk)
    assert secret in client.get(url).content.decode()
