"""The tests' own database: the application's role, an owner beside it, and a clean state after each test."""

import pytest
from django.db import connection

from players.models import Player


@pytest.mark.django_db
def test_django_logs_in_as_the_application_role():
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == ("nardy_app",)


@pytest.mark.django_db
def test_the_application_role_owns_nothing():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relowner = 'nardy_app'::regrole")
        assert cursor.fetchone() == (0,)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("round_", [1, 2])
def test_transactional_tests_start_empty(round_, alice, owner_connection):
    assert [p.username for p in Player.objects.all()] == ["alice"]
    assert owner_connection.execute("SELECT username FROM players_player").fetchall() == [("alice",)]
    assert owner_connection.execute("SELECT count(*) FROM django_content_type").fetchone() > (0,)
