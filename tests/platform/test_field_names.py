"""The administration names models and fields in the operator's language."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.db.models import Field
from django.test import Client
from django.urls import reverse
from django.utils import translation

from nardy_platform import field_names

#: The same in every language.
AS_THEY_ARE = {"ID", "xid"}


def test_no_name_that_operators_see_is_left_in_english() -> None:
    for model in admin.site._registry:
        if model._meta.app_label in field_names.APPS:
            fields = [field for field in model._meta.get_fields() if isinstance(field, Field)]
            names = [model._meta.verbose_name, *(field.verbose_name for field in fields)]
            assert {name for name in names if type(name) is str} <= AS_THEY_ARE, model
            assert type(model._meta.verbose_name_plural) is not str
    assert not [label for label in field_names.APPS if type(apps.get_app_config(label).verbose_name) is str]


def test_names_and_plurals_are_translated() -> None:
    game = apps.get_model("games", "Game")._meta
    with translation.override("uk"):
        assert (str(game.verbose_name), str(game.verbose_name_plural)) == ("партія", "партії")
        assert str(game.get_field("stake_currency").verbose_name) == "валюта ставки"  # type: ignore[union-attr]


@pytest.mark.django_db
def test_a_list_in_ukrainian(operator: Any) -> None:
    client = Client()
    client.force_login(operator)
    client.cookies["django_language"] = "uk"
    page = client.get(reverse("admin:ledger_account_changelist")).content.decode()
    assert "Валюта" in page
    assert "Currency" not in page
