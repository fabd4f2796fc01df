"""A game's events are never changed or removed: the database itself refuses it, whoever asks."""

from django.db import migrations

CREATE = """
CREATE FUNCTION games_event_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events of a game are append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER games_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON games_gameevent
    FOR EACH STATEMENT EXECUTE FUNCTION games_event_append_only();
"""
DROP = """
DROP TRIGGER games_event_append_only ON games_gameevent;
DROP FUNCTION games_event_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunSQL(CREATE, DROP)]
