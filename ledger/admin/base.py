"""What the ledger's admin pages share: read-only bounded lists, links, amounts, owners by label."""

from __future__ import annotations

from collections.abc import Iterable
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
    """A bounded list whose rows show their owners by name.

    `owner_path`: where a row's owner is, "account.owner_id"; each row of a list then gets `owner_label`.
    """

    owner_path = ""
    filter_choices: ClassVar[dict[str, Choices]] = {"currency": lambda: [(code, code) for code in money.CURRENCIES]}

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        if self.owner_path:
            with_labels(changelist.result_list, self.owner_path)
        return changelist


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


def with_labels(rows: Iterable[Any], owner_of: str) -> None:
    """Give each row `owner_label`, in one look-up for the whole page. `owner_of`: "owner_id" or "account.owner_id"."""
    listed = list(rows)
    ids = {id(row): _follow(row, owner_of) for row in listed}
    labels = owners.labels(owner for owner in ids.values() if owner is not None)
    for row in listed:
        owner = ids[id(row)]
        row.owner_label = NOTHING if owner is None else _named(owner, labels[owner])


def _follow(row: Any, path: str) -> int | None:
    for name in path.split("."):
        row = getattr(row, name)
    return row  # type: ignore[no-any-return]


def label(owner: int | None) -> str:
    """The label of one owner, for a row's own page."""
    if owner is None:
        return NOTHING
    return _named(owner, owners.labels([owner])[owner])


def _named(owner: int, name: str) -> str:
    return name if name == str(owner) else f"{name} ({owner})"
