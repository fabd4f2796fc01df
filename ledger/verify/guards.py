"""The guards themselves: a trigger that is missing or switched off protects nothing."""

from __future__ import annotations

from collections.abc import Iterator

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


@register("application_role")
def application_role() -> Iterator[tuple[str, str]]:
    """The role we are logged in as cannot change what is written: it is no owner, and has no such privilege."""
    return found_by(
        """SELECT 'role ' || current_user, 'may ' || right_ || ' ' || table_
             FROM unnest(ARRAY['ledger_entry', 'ledger_line', 'ledger_balance', 'ledger_seal']) AS table_,
                  unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS right_
            WHERE has_table_privilege(table_, right_) ORDER BY 2"""
    )
