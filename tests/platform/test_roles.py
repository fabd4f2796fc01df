"""What the application's role may do in the database."""

from __future__ import annotations

import psycopg
import pytest
from django.db import ProgrammingError, connection, transaction

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE loot (id int)",
        "DROP TABLE players_player",
        "ALTER TABLE players_player ADD COLUMN loot int",
        "TRUNCATE players_player CASCADE",
        "ALTER TABLE ledger_line DISABLE TRIGGER ALL",
        "SET session_replication_role = replica",
        "SET ROLE nardy_owner",
        "UPDATE ledger_entry SET kind = 'x'",
        "DELETE FROM ledger_line",
        "DELETE FROM django_migrations",
    ],
)
def test_it_may_not(statement):
    with pytest.raises(ProgrammingError, match=r"permission denied|must be owner"), transaction.atomic():
        connection.cursor().execute(statement)


@pytest.mark.django_db(transaction=True)
def test_every_table_can_be_read_by_the_application(owner_connection, database):
    tables = owner_connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert len(tables) > 20
    with psycopg.connect(database.app_url) as application:
        for (table,) in tables:
            application.execute(f'SELECT FROM "{table}" LIMIT 0')


def test_it_cannot_fire_a_guard_by_a_table_of_its_own():
    """The guards run with the owner's rights; fired by a temporary table, this one would unfreeze a wallet."""
    fire = "CREATE TRIGGER fire AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION ledger_account_event()"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE mine (account_id bigint, event text) ON COMMIT DROP")
        with pytest.raises(ProgrammingError, match="permission denied for function"), transaction.atomic():
            cursor.execute(fire)
