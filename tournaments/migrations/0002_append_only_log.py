"""The log of a tournament is never changed or removed: the database itself refuses it, whoever asks."""

from django.db import migrations

CREATE = """
CREATE FUNCTION tournaments_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of a tournament is append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER tournaments_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tournaments_logentry
    FOR EACH STATEMENT EXECUTE FUNCTION tournaments_log_append_only();
"""
DROP = """
DROP TRIGGER tournaments_log_append_only ON tournaments_logentry;
DROP FUNCTION tournaments_log_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]
    operations = [migrations.RunSQL(CREATE, DROP)]
