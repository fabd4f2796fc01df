"""Filters of the bounded lists: choices that are known beforehand, and a moment from which to read back."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from datetime import datetime, timedelta
from types import EllipsisType
from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db import connection
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from ledger import moments

Choices = Callable[[], Iterable[tuple[Any, Any]]]
Narrow = Container[str] | EllipsisType

#: An id is taken a moment before or after its row's time is, so ids follow times only so closely.
APART = timedelta(minutes=1)

# The first id whose time is not before the moment, by halving: twenty-odd looks into the primary key.
FIRST_FROM = """
    WITH RECURSIVE search AS (
        SELECT min({pk}) AS low, max({pk}) + 1 AS high FROM {table}
        UNION ALL
        SELECT CASE WHEN r.at < %(moment)s THEN r.pk + 1 ELSE s.low END,
               CASE WHEN r.at < %(moment)s THEN s.high ELSE (s.low + s.high) / 2 END
          FROM search s
          LEFT JOIN LATERAL (SELECT t.{pk} AS pk, t.{at} AS at FROM {table} t
                              WHERE t.{pk} >= (s.low + s.high) / 2 AND t.{pk} < s.high ORDER BY t.{pk} LIMIT 1) r
               ON true
         WHERE s.low < s.high
    )
    SELECT low FROM search WHERE low >= high
"""


class ListFilter(SimpleListFilter):
    """A filter of a bounded list. `is_narrow`: an index finds what is chosen, so all rows may be looked at."""

    is_narrow = False


class UntilFilter(ListFilter):
    """Only rows before a moment (UTC): a list, newest first, is then read back from there."""

    title = _("time")
    parameter_name = "until"
    template = "admin/lists/until.html"

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: type[Model], model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        self.field: str = model_admin.time_field
        self._newest: int | None = None

    def has_output(self) -> bool:
        return True

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return []

    def value(self) -> str | None:
        """Not a filter that narrows or widens: only a place to read from."""
        return None

    @property
    def moment(self) -> datetime | None:
        return moments.utc(self.used_parameters.get(self.parameter_name) or "")

    def queryset(self, request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        if self.moment is None:
            return rows
        self._newest = first_id_from(rows.model, self.field, self.moment + APART) - 1
        return rows.filter(**{f"{self.field}__lt": self.moment, "pk__lte": self._newest})

    def newest(self, rows: QuerySet[Any]) -> int | None:
        """An id that no row before the moment is above; None without a moment."""
        return self._newest

    def choices(self, changelist: Any) -> Iterator[Any]:
        kept = {name: value for name, value in changelist.params.items() if name != self.parameter_name}
        yield {
            "kept": kept.items(),
            "moment": self.moment,
            "all": changelist.get_query_string(remove=[self.parameter_name]),
        }


def first_id_from(model: type[Model], field: str, moment: datetime) -> int:
    """The lowest id of a row whose `field` is not before the moment, one above all where there is none."""
    quote, meta = connection.ops.quote_name, model._meta
    names = {
        "table": quote(meta.db_table),
        "pk": quote(str(meta.pk.column)),
        "at": quote(str(meta.get_field(field).column)),  # type: ignore[union-attr]
    }
    with connection.cursor() as cursor:
        cursor.execute(FIRST_FROM.format(**names), {"moment": moment})
        found = cursor.fetchone()
    return int(found[0]) if found else 0


def choice_filter(
    model: type[Model], field: str, choices: Choices | None = None, narrow: Narrow = frozenset()
) -> type[ListFilter]:
    """A filter by a field's value. Django's own would look through the whole table for the values that there are."""
    known = model._meta.get_field(field)

    class ChoiceFilter(ListFilter):
        title = getattr(known, "verbose_name", field)
        parameter_name = field

        @property
        def is_narrow(self) -> bool:  # type: ignore[override]
            return narrow is ... or self.value() in narrow

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, Any]]:
            if choices is not None:
                return list(choices())
            if known.get_internal_type() == "BooleanField":
                return [("1", _("Yes")), ("0", _("No"))]
            return [(value, capfirst(str(name))) for value, name in known.choices or ()]  # type: ignore[union-attr]

        def queryset(self, request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
            chosen = self.value()
            if chosen is None:
                return rows
            if chosen not in {str(value) for value, _name in self.lookup_choices}:
                return rows.none()
            return rows.filter(**{field: chosen})

    return ChoiceFilter
