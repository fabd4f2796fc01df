"""The guards themselves: a trigger that is switched off protects nothing, nor does a role that may do more than it
must."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection

from ledger import grants
from ledger.verify.registry import found_by, register

TRIGGERS = (
    "ledger_account_changed",
    "ledger_account_event",
    "ledger_account_opened",
    "ledger_account_stays",
    "ledger_accountevent_immutable",
    "ledger_balance_made",
    "ledger_balance_moved",
    "ledger_balance_stays",
    "ledger_debt_moved",
    "ledger_entry_decided",
    "ledger_entry_has_lines",
    "ledger_entry_immutable",
    "ledger_entry_written",
    "ledger_hold_placed",
    "ledger_hold_resolved",
    "ledger_hold_stays",
    "ledger_line_immutable",
    "ledger_line_written",
    "ledger_period_closed",
    "ledger_period_immutable",
    "ledger_proposal_decided",
    "ledger_proposal_made",
    "ledger_proposal_stays",
    "ledger_rakerule_immutable",
    "ledger_seal_immutable",
    "ledger_seal_written",
)


@register("guards_in_place")
def guards_in_place() -> Iterator[tuple[str, str]]:
    """Every trigger of the ledger exists and is enabled."""
    return found_by(
        """SELECT 'trigger ' || name, CASE WHEN t.tgname IS NULL THEN 'is missing' ELSE 'is switched off' END
             FROM unnest(%s::text[]) AS name LEFT JOIN pg_trigger t ON t.tgname = name AND NOT t.tgisinternal
            WHERE t.tgenabled IS DISTINCT FROM 'O' ORDER BY name""",
        list(TRIGGERS),
    )


#: What the role is, and through what it could come to more rights than it was given. Every row is a violation.
ROLE_SQL = """
    WITH me AS (SELECT * FROM pg_roles WHERE rolname = current_user)
    SELECT said FROM (
        SELECT unnest(ARRAY[
            CASE WHEN rolsuper THEN 'is a superuser' END,
            CASE WHEN rolbypassrls THEN 'bypasses row security' END,
            CASE WHEN rolcreaterole THEN 'may create roles' END,
            CASE WHEN rolcreatedb THEN 'may create databases' END,
            CASE WHEN rolreplication THEN 'may replicate the database' END]) AS said FROM me
        UNION ALL
        SELECT 'is a member of role ' || roleid::regrole FROM pg_auth_members, me WHERE member = me.oid
        UNION ALL
        SELECT 'owns the database' FROM pg_database d, me WHERE datname = current_database() AND datdba = me.oid
        UNION ALL
        SELECT 'owns the schema ' || nspname FROM pg_namespace, me WHERE nspname = 'public' AND nspowner = me.oid
        UNION ALL
        SELECT 'may create in the schema public' FROM me WHERE has_schema_privilege('public', 'CREATE')
        UNION ALL
        SELECT 'owns ' || c.oid::regclass FROM pg_class c, me
         WHERE relname ^@ 'ledger_' AND relkind IN ('r', 'p', 'v', 'm', 'S') AND relowner = me.oid
        UNION ALL
        SELECT 'owns ' || p.oid::regprocedure FROM pg_proc p, me WHERE proname ^@ 'ledger_' AND proowner = me.oid
    ) found WHERE said IS NOT NULL ORDER BY said
"""
#: (right, object) of all that the role may do with the ledger, however it came by it: granted to it, to everybody, to
#: a role that it inherits from; a right on a whole table stands for its columns. A right that can be handed on is one
#: of its own.
RIGHTS_SQL = """
    WITH relation AS (
        SELECT oid, relname, relkind FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relname ^@ 'ledger_'
    ), on_table AS (
        SELECT name || handed_on AS name
          FROM unnest(%s::text[]) AS name, unnest(ARRAY['', ' WITH GRANT OPTION']) AS handed_on
    ), on_column AS (
        SELECT name FROM on_table WHERE name ~ '^(SELECT|INSERT|UPDATE|REFERENCES)'
    )
    SELECT name, relname FROM relation, on_table
     WHERE relkind IN ('r', 'p', 'v', 'm') AND has_table_privilege(oid, name)
    UNION ALL
    SELECT name, relname || '.' || attname
      FROM relation JOIN pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped, on_column
     WHERE relkind IN ('r', 'p', 'v', 'm') AND has_column_privilege(oid, attnum, name)
       AND NOT has_table_privilege(oid, name)
    UNION ALL
    SELECT 'UPDATE', relname FROM relation WHERE CASE relkind WHEN 'S' THEN has_sequence_privilege(oid, 'UPDATE') END
    UNION ALL
    SELECT name, oid::regprocedure::text
      FROM pg_proc, unnest(ARRAY['EXECUTE', 'EXECUTE WITH GRANT OPTION']) AS name
     WHERE pronamespace = 'public'::regnamespace AND proname ^@ 'ledger_' AND has_function_privilege(oid, name)
"""
TABLE_RIGHTS = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"]


@register("application_role")
def application_role() -> Iterator[tuple[str, str]]:
    """The role we are logged in as may do exactly what `ledger.grants` says, and is nothing that could get round it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, current_setting('server_version_num')::int")
        name, server = cursor.fetchone()
        cursor.execute(ROLE_SQL)
        wrong = [said for (said,) in cursor.fetchall()]
        cursor.execute(RIGHTS_SQL, [TABLE_RIGHTS + (["MAINTAIN"] if server >= 170000 else [])])
        has = set(cursor.fetchall())
    if "is a superuser" not in wrong:  # who may do everything anyway
        wrong += [f"may {right} {what}, which it was not granted" for right, what in sorted(has - grants.rights())]
        wrong += [f"may not {right} {what}, which it needs" for right, what in sorted(grants.rights() - has)]
    for said in wrong:
        yield f"role {name}", said
