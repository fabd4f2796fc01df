"""Admin lists that cost the same however long their table grows; games, watch and players build theirs on them too.

No list counts, sorts or filters a whole table: counting ends at MOST_COUNTED, sorting is by what has an index, and
filters that no index serves look at the newest `window` rows before a moment of the reader's choice. The page says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from django.apps import apps
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

from ledger import owners
from ledger.admin.filters import Choices, ListFilter, UntilFilter, choice_filter

if TYPE_CHECKING or not apps.is_installed("unfold"):
    from django.contrib.admin import ModelAdmin
    from django.contrib.admin import TabularInline as TabularInline
    from django.contrib.admin.views.main import ChangeList
else:
    from unfold.admin import ModelAdmin
    from unfold.admin import TabularInline as TabularInline
    from unfold.views import ChangeList

Shown = TypeVar("Shown")

MOST_COUNTED = 5_000
MOST_FOUND = 1_000  # by a search


def once(method: Callable[[Any, Any], Shown]) -> Callable[[Any, Any], Shown]:
    """A column's text that is made once per row: the page of a row asks for each of its fields several times."""

    @wraps(method)
    def shown(self: Any, row: Any) -> Shown:
        texts: dict[str, Any] = row.__dict__.setdefault("_shown", {})
        if method.__name__ not in texts:
            texts[method.__name__] = method(self, row)
        return texts[method.__name__]  # type: ignore[no-any-return]

    return shown


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts no further than MOST_COUNTED: on a ledger of millions an exact count costs more than the page itself."""

    template_name = "admin/lists/pagination.html"

    @cached_property
    def _found(self) -> int:
        rows: QuerySet[Model] = self.object_list  # type: ignore[assignment]
        return rows.order_by()[: MOST_COUNTED + 1].count()

    @property
    def count(self) -> int:
        return min(self._found, MOST_COUNTED)

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows than the pages show."""
        return self._found > MOST_COUNTED


class BoundedList(ChangeList):
    """A list that looks at the newest rows only, where it would have to look at all."""

    looked_at: int | None = None  # so many of the newest rows, for the page to say; None: all of them
    found: int | None = None  # so many of the newest matches of a search; None: all of them

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
        self.found = MOST_FOUND if getattr(request, "search_was_cut", False) else None
        used = [spec for spec in self.filter_specs if isinstance(spec, ListFilter) and spec.value() is not None]
        if self.query or not used or any(spec.is_narrow for spec in used):
            return rows
        until = next((spec for spec in self.filter_specs if isinstance(spec, UntilFilter)), None)
        newest = (until.newest(self.root_queryset) if until else None) or _newest(self.root_queryset)
        if newest is None or newest <= self.model_admin.window:  # type: ignore[attr-defined]
            return rows
        self.looked_at = self.model_admin.window  # type: ignore[attr-defined]
        return rows.filter(pk__gt=newest - self.looked_at)

    def get_results(self, request: HttpRequest) -> None:
        """The page's title would call the number of counted rows that of all; only the paginator knows better."""
        super().get_results(request)
        self.full_result_count = self.result_count

    def get_ordering_field(self, field_name: Any) -> Any:
        """Also a hand-written address sorts by nothing but what has an index."""
        if self.sortable_by is not None and field_name not in self.sortable_by:
            return None
        return super().get_ordering_field(field_name)


def _newest(rows: QuerySet[Any]) -> int | None:
    return rows.order_by("-pk").values_list("pk", flat=True).first()


class ReadOnly(ModelAdmin):  # type: ignore[type-arg]
    """Nothing is added, changed or removed. One searches by exact reference, key or id, or by owner.

    `time_field`: a list of rows whose ids follow this time can be read back from any moment. `list_filter` names
    fields; what can be chosen is told by the field, or by `filter_choices`. `narrow_filters`: the values of a filter
    that an index finds, all of them for `...`.
    """

    show_full_result_count = False
    list_per_page = 50
    paginator = BoundedPaginator
    list_before_template = "admin/lists/bounds.html"
    list_disable_select_all = True
    ordering: ClassVar[Any] = ("-pk",)
    sortable_by: ClassVar[Any] = ("id",)
    window = 10_000
    time_field = ""
    fields: ClassVar[Any] = None
    list_filter: ClassVar[Any] = ()
    filter_choices: ClassVar[dict[str, Choices]] = {}
    narrow_filters: ClassVar[Mapping[str, Any]] = {}
    search_fields: ClassVar[Any] = ("pk__exact",)  # shows the box; the search itself is get_search_results
    search_exact: tuple[str, ...] = ()
    search_owner: str | tuple[str, ...] = ()

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return BoundedList

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Fields become filters whose choices are known without looking through the table."""
        made = [
            choice_filter(
                self.model, named, self.filter_choices.get(named), narrow=self.narrow_filters.get(named, frozenset())
            )
            if isinstance(named, str)
            else named
            for named in super().get_list_filter(request)
        ]
        return [UntilFilter, *made] if self.time_field else made

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Only what the filters offer: Django lets a hand-written address ask for any column in any way; that looks
        through whole tables, and tells a password's digest letter by letter."""
        return request is not None and lookup in {one.parameter_name for one in self.get_list_filter(request)}

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The ids first, each kind of search by its own index, and then the rows: as one condition with OR, PostgreSQL
        would look through the table."""
        term = search_term.strip()
        if not term:
            return queryset, False
        parts = [
            part.order_by("-pk").values_list("pk", flat=True)[: MOST_FOUND + 1] for part in self.matches(queryset, term)
        ]
        found = parts[0].union(*parts[1:]) if parts[1:] else (parts or [queryset.none()])[0]
        newest = sorted(found, reverse=True)  # the newest of all are among the newest of each
        request.search_was_cut = len(newest) > MOST_FOUND  # type: ignore[attr-defined]
        return queryset.filter(pk__in=newest[:MOST_FOUND]), False

    def matches(self, rows: QuerySet[Any], term: str) -> list[QuerySet[Any]]:
        """The rows that each way to search finds."""
        found = [rows.filter(**{field: term}) for field in self.search_exact]
        if term.isascii() and term.isdigit() and len(term) < 19:
            found.append(rows.filter(pk=int(term)))
        paths = (self.search_owner,) if isinstance(self.search_owner, str) else self.search_owner
        owner = owners.find(term) if paths else None
        if owner is not None:
            found += [self.of_owner(rows, path, owner) for path in paths]
        return found

    def of_owner(self, rows: QuerySet[Any], path: str, owner: int) -> QuerySet[Any]:
        """The rows of this owner by one of the ways in `search_owner`."""
        return rows.filter(**{path: owner})
