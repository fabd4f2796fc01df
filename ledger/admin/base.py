"""What the ledger's admin pages share: read-only bounded lists, links, amounts, owners by label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, ClassVar

from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ledger import money, owners, references
from ledger.admin.filters import Choices
from ledger.admin.lists import ReadOnly

NOTHING = "–"


class ReadOnlyAdmin(ReadOnly):
    """A bounded list whose rows show people by name.

    `people`: where a row has ids of people or owners, ("account.owner_id", "actor_id"); `named` then needs no look-up
    per row.
    """

    people: ClassVar[tuple[str, ...]] = ()
    filter_choices: ClassVar[dict[str, Choices]] = {"currency": lambda: [(code, code) for code in money.CURRENCIES]}

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        if self.people:
            with_labels(changelist.result_list, *self.people)
        return changelist

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        found = super().get_object(request, object_id, from_field)
        if found is not None:
            with_labels([found], *self.people)
        return found


def amount_text(amount: Decimal | None, currency: str) -> str:
    """An amount with its currency's decimals and code."""
    return NOTHING if amount is None else f"{money.number(amount, currency)} {currency}"


def model_link(model: type[Model], pk: Any, text: object) -> SafeString:
    """A link to a row's admin page."""
    meta = model._meta
    return format_html(
        '<a href="{}">{}</a>', reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[pk]), text
    )


def reference_link(reference: str) -> SafeString | str:
    """The reference, linked to the page of what it names if upper layers told us."""
    url = references.link(reference)
    return format_html('<a href="{}">{}</a>', url, reference) if url else reference or NOTHING


def with_labels(rows: Iterable[Any], *people: str) -> None:
    """Give all rows the labels of the people and owners in them, by one look-up for the whole page, for `named`."""
    listed = list(rows)
    ids = {_follow(row, path) for row in listed for path in people} - {None}
    labels = owners.labels(owner for owner in ids if owner is not None)
    for row in listed:
        row.labels = labels


def named(row: Any, owner: int | None) -> str:
    """The label of a person or owner in this row."""
    labels: Mapping[int, str] = getattr(row, "labels", {})
    return _named(owner, labels[owner]) if owner is not None and owner in labels else label(owner)


def _follow(row: Any, path: str) -> int | None:
    for name in path.split("."):
        row = getattr(row, name)
    return row  # type: ignore[no-any-return]


def label(owner: int | None) -> str:
    """The label of one person or owner."""
    if owner is None:
        return NOTHING
    return _named(owner, owners.labels([owner])[owner])


def _named(owner: int, name: str) -> str:
    return name if name == str(owner) else f"{name} ({owner})"
