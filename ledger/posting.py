"""The one primitive that writes entries: a batch of drafts in a handful of statements, whatever the size of the batch.

A draft is checked against the locked state in Python, so that refusals are precise; the database's triggers check
all of it again. Statements of one batch: savepoint, lock keys, existing entries, lock balances, lock holds, insert
entries, resolve holds, insert lines, release savepoint. Holds are resolved before lines are written, so that no
CHECK fails midway.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db import DataError, IntegrityError, InternalError, connection, transaction
from moneyed import Money

from ledger import chart
from ledger.arrays import numbers, texts
from ledger.errors import (
    AccountFrozen,
    AccountOwes,
    AlreadyCaptured,
    AlreadyReleased,
    CaptureTooMuch,
    InsufficientFunds,
    KeyConflict,
    LedgerError,
    OwesLess,
    RefusedByDatabase,
)
from ledger.locking import Locked, lock_balances, lock_keys, require_transaction
from ledger.money import quantize
from ledger.values import Outcome

LARGEST_BATCH = 1000


@dataclass(frozen=True)
class Part:
    """A line to be: > 0 is a credit."""

    account_id: int
    currency: str
    amount: Decimal


@dataclass(frozen=True)
class Take:
    """A hold to be resolved: `captured` of it goes into the entry, the rest is set free (0: all of it is)."""

    hold_id: int
    account_id: int
    captured: Decimal = Decimal(0)


@dataclass(frozen=True)
class Draft:
    """An entry to be, with the holds it resolves. Without parts it is a mere release, and no entry is written."""

    key: str
    kind: str
    reference: str = ""
    parts: tuple[Part, ...] = ()
    takes: tuple[Take, ...] = ()
    actor_id: int | None = None
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    reverses_id: int | None = None


@dataclass
class HoldState:
    """A locked hold; a draft that passed has resolved it for those that follow in the batch."""

    id: int
    key: str
    amount: Decimal
    currency: str
    resolution: str | None
    resolved_key: str | None
    resolved_reason: str | None
    entry_id: int | None


@dataclass(frozen=True)
class Existing:
    """An entry that has a draft's key already."""

    id: int
    kind: str
    reference: str
    actor_id: int | None
    reason: str
    details: Mapping[str, Any]
    reverses_id: int | None
    parts: frozenset[tuple[int, Decimal]]


@dataclass
class Plan:
    """What a batch will write: the drafts that passed, with the account versions and balances of their lines."""

    drafts: list[Draft] = field(default_factory=list)
    lines: list[tuple[str, Part, int | None, Decimal | None]] = field(default_factory=list)

    def add(self, draft: Draft, after: list[tuple[Part, int | None, Decimal | None]]) -> None:
        self.drafts.append(draft)
        self.lines += [(draft.key, part, version, balance) for part, version, balance in after]


def post(drafts: Sequence[Draft]) -> list[Outcome]:
    """Post a batch; answers in the order of the drafts. What is refused comes back with its error, the rest is done.

    On a database error the batch is replayed one by one, so that what fails alone stops nobody else.
    """
    require_transaction()
    if len(drafts) > LARGEST_BATCH:
        raise ValueError(f"{len(drafts)} drafts in one batch; {LARGEST_BATCH} is the most")
    first: dict[str, Draft] = {}
    for draft in drafts:
        first.setdefault(draft.key, draft)
    answers = _post_or_replay(list(first.values())) if first else {}
    return [answers[draft.key] if draft == first[draft.key] else _repeated(draft) for draft in drafts]


def _repeated(draft: Draft) -> Outcome:
    return Outcome(draft.key, error=KeyConflict(key=draft.key, field="content within one batch"))


def _post_or_replay(drafts: list[Draft]) -> dict[str, Outcome]:
    try:
        with transaction.atomic():
            return _post(drafts)
    except (IntegrityError, DataError, InternalError) as error:
        if len(drafts) == 1:
            return {drafts[0].key: Outcome(drafts[0].key, error=refusal(error))}
    return {draft.key: _post_or_replay([draft])[draft.key] for draft in drafts}


def refusal(error: Exception) -> RefusedByDatabase:
    """The database's own refusal as one of ours, with the constraint's name and the first line of its message."""
    diagnosis = getattr(error.__cause__, "diag", None)
    constraint = getattr(diagnosis, "constraint_name", None) or type(error).__name__
    return RefusedByDatabase(constraint=constraint, detail=(str(error).strip().splitlines() or [""])[0])


def _post(drafts: list[Draft]) -> dict[str, Outcome]:
    lock_keys(draft.key for draft in drafts)
    existing = _existing_entries(drafts)
    new = [draft for draft in drafts if draft.key not in existing]
    touched = {part.account_id for draft in new for part in draft.parts}
    balances = lock_balances(touched | {take.account_id for draft in drafts for take in draft.takes})
    holds = _lock_holds({take.hold_id for draft in drafts for take in draft.takes})
    answers: dict[str, Outcome] = {}
    plan = Plan()
    for draft in drafts:
        try:
            if draft.key in existing:
                answers[draft.key] = _same_again(draft, existing[draft.key], holds)
            elif not draft.parts and _released_before(draft, holds):
                answers[draft.key] = Outcome(draft.key)
            else:
                _plan_one(draft, balances, holds, plan)
        except LedgerError as error:
            answers[draft.key] = Outcome(draft.key, error=error)
    written = _insert_entries([draft for draft in plan.drafts if draft.parts])
    _resolve_holds(plan.drafts, written)
    _insert_lines(plan, written)
    return answers | {
        draft.key: Outcome(draft.key, written[draft.key][0] if draft.parts else None) for draft in plan.drafts
    }


# --- What was done before ---------------------------------------------------------------------------------------------


def _existing_entries(drafts: list[Draft]) -> dict[str, Existing]:
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT e.key, e.id, e.kind, e.reference, e.actor_id, e.reason, e.details, e.reverses_id,
                      (SELECT jsonb_agg(jsonb_build_array(l.account_id, l.amount::text)) FROM ledger_line l
                        WHERE l.entry_id = e.id)
                 FROM ledger_entry e WHERE e.key = ANY (%s)""",
            [[draft.key for draft in drafts]],
        )
        return {
            key: Existing(
                entry_id,
                kind,
                reference,
                actor_id,
                reason,
                json.loads(details),
                reverses_id,
                frozenset((account, Decimal(amount)) for account, amount in json.loads(lines or "[]")),
            )
            for key, entry_id, kind, reference, actor_id, reason, details, reverses_id, lines in cursor.fetchall()
        }


def _same_again(draft: Draft, entry: Existing, holds: Mapping[int, HoldState]) -> Outcome:
    """The first answer, if the draft says the same; raises KeyConflict naming the first field that differs."""
    parts = {(part.account_id, part.amount) for part in draft.parts}
    differences = {
        "kind": draft.kind != entry.kind,
        "reference": draft.reference != entry.reference,
        "account": {account for account, _ in parts} != {account for account, _ in entry.parts},
        "amount": parts != entry.parts,
        "hold": any(holds[take.hold_id].entry_id != entry.id for take in draft.takes),
        "actor": draft.actor_id != entry.actor_id,
        "reason": draft.reason != entry.reason,
        "details": _plain(draft.details) != entry.details,
        "reverses": draft.reverses_id != entry.reverses_id,
    }
    for name, differs in differences.items():
        if differs:
            raise KeyConflict(key=draft.key, field=name)
    return Outcome(draft.key, entry.id)


def _released_before(draft: Draft, holds: Mapping[int, HoldState]) -> bool:
    """Whether this very release was done already; raises KeyConflict when its key released something else."""
    states = [holds[take.hold_id] for take in draft.takes]
    by_us = [hold for hold in states if hold.resolved_key == draft.key and hold.resolution == "released"]
    if by_us and len(by_us) < len(states):
        raise KeyConflict(key=draft.key, field="holds")
    if by_us and any(hold.resolved_reason != draft.reason for hold in by_us):
        raise KeyConflict(key=draft.key, field="reason")
    return bool(by_us)


def _plain(details: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(details))


# --- What is to be done -----------------------------------------------------------------------------------------------


def _lock_holds(ids: set[int]) -> dict[int, HoldState]:
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT id, key, amount, currency, resolution, resolved_key, resolved_reason, entry_id
                 FROM ledger_hold WHERE id = ANY (%s) ORDER BY id FOR NO KEY UPDATE""",
            [sorted(ids)],
        )
        return {row[0]: HoldState(*row) for row in cursor.fetchall()}


def _plan_one(draft: Draft, balances: dict[int, Locked], holds: dict[int, HoldState], plan: Plan) -> None:
    """Check a draft against the state its forerunners in the batch leave, and move that state on; raises or plans."""
    touched = {part.account_id for part in draft.parts} | {take.account_id for take in draft.takes}
    after = {account: balances[account].copy() for account in touched if account in balances}
    captured: dict[int, Decimal] = {}
    for take in draft.takes:
        hold = holds[take.hold_id]
        _check_take(hold, take)
        after[take.account_id].held -= hold.amount
        captured[take.account_id] = captured.get(take.account_id, Decimal(0)) + take.captured
    lines: list[tuple[Part, int | None, Decimal | None]] = []
    for part in draft.parts:
        state = after.get(part.account_id)
        if state is None:
            lines.append((part, None, None))
            continue
        _check_part(draft.kind, part, state, captured.get(part.account_id, Decimal(0)))
        state.posted += part.amount
        state.version += 1
        lines.append((part, state.version, state.posted))
    plan.add(draft, lines)
    balances.update(after)
    for take in draft.takes:
        hold = holds[take.hold_id]
        hold.resolution, hold.resolved_key = "captured" if take.captured else "released", draft.key


def _check_take(hold: HoldState, take: Take) -> None:
    if hold.resolution == "captured":
        raise AlreadyCaptured(hold=hold.key, by=hold.resolved_key)
    if hold.resolution == "released":
        raise AlreadyReleased(hold=hold.key, by=hold.resolved_key)
    if take.captured > hold.amount:
        raise CaptureTooMuch(
            hold=hold.key,
            asked=Money(take.captured, hold.currency),
            amount=Money(hold.amount, hold.currency),
        )


def _check_part(kind: str, part: Part, state: Locked, captured: Decimal) -> None:
    """What leaves an account is either captured from its holds, or available on an account that is not blocked."""
    if state.debit:
        if state.posted + part.amount > 0:
            raise OwesLess(owner_id=state.owner_id, owed=quantize(Money(-state.posted, state.currency)))
        return
    free = -part.amount - captured
    if free <= 0:
        return
    if not chart.ENTRY_KINDS[kind].despite_block:
        _check_not_blocked(state)
    if state.available + part.amount < 0:
        available = quantize(Money(state.available, state.currency))
        raise InsufficientFunds(
            owner_id=state.owner_id, needed=Money(-part.amount, state.currency), available=available
        )


def _check_not_blocked(state: Locked) -> None:
    if state.status == "frozen":
        raise AccountFrozen(owner_id=state.owner_id, currency=state.currency)
    if state.owes:
        raise AccountOwes(owner_id=state.owner_id, currency=state.currency)


# --- Writing ----------------------------------------------------------------------------------------------------------


def _insert_entries(drafts: list[Draft]) -> dict[str, tuple[int, str]]:
    """key -> id and time (as the database writes it) of the entries written, in the order of the drafts."""
    if not drafts:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_entry (kind, key, reference, actor_id, reason, details, reverses_id)
               SELECT kind, key, reference, actor_id, reason, details::jsonb, reverses_id
                 FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[], %s::text[], %s::text[], %s::bigint[])
                      WITH ORDINALITY AS d (kind, key, reference, actor_id, reason, details, reverses_id, n)
                ORDER BY n RETURNING key, id, at::text""",
            [
                texts(d.kind for d in drafts), texts(d.key for d in drafts), texts(d.reference for d in drafts),
                numbers(d.actor_id for d in drafts), texts(d.reason for d in drafts),
                texts(json.dumps(d.details) for d in drafts), numbers(d.reverses_id for d in drafts),
            ],
        )  # fmt: skip
        return {key: (entry_id, at) for key, entry_id, at in cursor.fetchall()}


def _resolve_holds(drafts: list[Draft], written: Mapping[str, tuple[int, str]]) -> None:
    """As JSON, of which the planner expects 100 rows: of arrays it knows the length, and would scan a small table of
    holds whole for each batch."""
    rows = [
        {"id": take.hold_id, "captured": str(take.captured), "key": draft.key, "reason": draft.reason,
         "entry_id": written[draft.key][0] if draft.parts else None}
        for draft in drafts for take in draft.takes
    ]  # fmt: skip
    if not rows:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            """UPDATE ledger_hold h
                  SET resolution = CASE WHEN t.captured > 0 THEN 'captured' ELSE 'released' END, captured = t.captured,
                      resolved_key = t.key, resolved_reason = t.reason, resolved_at = clock_timestamp(),
                      entry_id = t.entry_id
                 FROM jsonb_to_recordset(%s) AS t (id bigint, captured numeric, key text, reason text, entry_id bigint)
                WHERE h.id = t.id""",
            [json.dumps(rows)],
        )


def _insert_lines(plan: Plan, written: Mapping[str, tuple[int, str]]) -> None:
    if not plan.lines:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_line (entry_id, at, account_id, currency, amount, account_version, balance_after)
               SELECT * FROM unnest(%s::bigint[], %s::timestamptz[], %s::bigint[], %s::text[], %s::numeric[],
                                    %s::bigint[], %s::numeric[])""",
            [
                numbers(written[key][0] for key, _, _, _ in plan.lines),
                texts(written[key][1] for key, _, _, _ in plan.lines),
                numbers(part.account_id for _, part, _, _ in plan.lines),
                texts(part.currency for _, part, _, _ in plan.lines),
                numbers(part.amount for _, part, _, _ in plan.lines),
                numbers(version for _, _, version, _ in plan.lines),
                numbers(balance for _, _, _, balance in plan.lines),
            ],
        )
