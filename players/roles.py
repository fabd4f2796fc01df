"""Roles of staff: what operators and accountants may do (docs/operations.md). Nobody needs to be a superuser for it.

A role is a group whose permissions are set here after each `migrate`; changes by hand do not last.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q

from players.models import Player

OPERATORS, ACCOUNTANTS = "operators", "accountants"
#: Everything about money, games, tournaments and people may be read by both.
_READ = Q(content_type__app_label__in=["ledger", "games", "tournaments", "watch"], codename__startswith="view_") | Q(
    content_type__app_label="players", codename="view_player"
)
#: What operators do besides: app -> permissions. None opens e-mail addresses, second factors, groups or log-in records.
_OPERATE = {
    "ledger": ["deposit", "withdraw", "adjust", "freeze", "decide", "add_rakerule", "capital", "promote"],
    "games": ["operate_settlement"],
    "watch": ["resolve_finding"],
    "tournaments": ["direct", "add_tournament", "change_tournament", "change_entrant"],
}
ROLES = (OPERATORS, ACCOUNTANTS)


@transaction.atomic
def give(person: Player, role: str) -> None:
    """Make a person staff with this role, and no superuser."""
    person.is_staff, person.is_superuser = True, False
    person.save(update_fields=["is_staff", "is_superuser"])
    person.groups.add(_group(role))


@transaction.atomic
def take_all(person: Player) -> None:
    """Make a person a player like others: no role, not staff, no rights of their own."""
    person.is_staff = person.is_superuser = False
    person.save(update_fields=["is_staff", "is_superuser"])
    person.groups.clear()
    person.user_permissions.clear()


def set_after_migrate(sender: Any, using: str = "default", **_: Any) -> None:
    """post_migrate of the last app: all permissions are there."""
    for role in ROLES:
        _group(role, using)


def _group(role: str, using: str = "default") -> Group:
    group, _ = Group.objects.using(using).get_or_create(name=role)
    permissions = Permission.objects.using(using).filter(_allowed(role))
    if set(permissions) != set(group.permissions.all()):
        group.permissions.set(permissions)
    return group


def _allowed(role: str) -> Q:
    if role == ACCOUNTANTS:
        return _READ
    allowed = _READ
    for app, codenames in _OPERATE.items():
        allowed |= Q(content_type__app_label=app, codename__in=codenames)
    return allowed
