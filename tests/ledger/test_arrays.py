"""Texts that PostgreSQL reads as arrays say what was put in, whatever it was."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from ledger.arrays import numbers, texts

pytestmark = pytest.mark.django_db

TEXT = st.text(st.characters(blacklist_characters="\0", blacklist_categories=("Cs",)), max_size=12)


def read(kind: str, written: str) -> list[object]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT %s::{kind}[]", [written])
        return cursor.fetchone()[0]  # type: ignore[no-any-return]


@given(
    st.lists(st.one_of(TEXT, st.sampled_from(["", "NULL", "null", '"', "\\", '\\"', "{a,b}", "a,b", " ", "\n", "'"])))
)
def test_texts(values: list[str]) -> None:
    assert read("text", texts(values)) == values


@given(
    st.lists(
        st.one_of(st.none(), st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15))
    )
)
def test_numbers(values: list[Decimal | None]) -> None:
    assert read("numeric", numbers(values)) == values
