"""What the ledger's admin pages share: read-only, bounded counts, links, amounts, owners by label."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from django.apps import apps
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ledger import money, owners, references

if TYPE_CHECKING or not apps.is_installed("unfold"):
    from django.contrib.admin import ModelAdmin
    from django.contrib.admin import TabularInline as TabularInline
else:
    from unfold.admin import ModelAdmin
    from unfold.admin import TabularInline as TabularInline

NOTHING = "–"
MOST_COUNTED = 10_000


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts no further than MOST_COUNTED: on a ledger of millions an exact count costs more than the page itself."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Model] = self.object_list  # type: ignore[assignment]
        return rows.order_by()[:MOST_COUNTED].count()


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[type-arg]
    """Nothing is added, changed or removed. One searches by exact reference, key or id, or by owner."""

    show_full_result_count = False
    list_per_page = 50
    paginator = BoundedPaginator
    ordering = ("-id",)
    search_fields: ClassVar[tuple[str, ...]] = ("pk__exact",)  # shows the box; the search itself is get_search_results
    search_exact: tuple[str, ...] = ()
    search_owner = ""
    owner_path = ""  # where a row's owner is, "account.owner_id": each row of a list then gets `owner_label`

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        changelist = super().get_changelist_instance(request)
        if self.owner_path:
            with_labels(changelist.result_list, self.owner_path)
        return changelist

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        found = [queryset.filter(**{field: term}).values("pk") for field in self.search_exact]
        if term.isascii() and term.isdigit() and len(term) < 19:
            found.append(queryset.filter(pk=int(term)).values("pk"))
        owner = owners.find(term)
        if owner is not None and self.search_owner:
            found.append(queryset.filter(**{self.search_owner: owner}).values("pk"))
        if not found:
            return queryset.none(), False
        first, *others = (matches.order_by() for matches in found)
        return queryset.filter(pk__in=first.union(*others) if others else first), False


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
