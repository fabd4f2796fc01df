"""Names of models and fields in the administration, in the operator's language.

Django makes them of the Python names. Written into each model they would stand in migrations, which say what the
database is; here they are only what people read.
"""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db.models import Field
from django.db.models.options import Options
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.utils.translation import gettext_noop as _

APPS = ("players", "ledger", "games", "tournaments", "watch")

TEXTS = frozenset((
    _("Ledger"), _("Players"), _("Tournaments"), _("account"), _("actor id"), _("amount"), _("at"),
    _("belongs to"), _("belongs url"), _("black"), _("black moved"), _("black ms"), _("black ready"),
    _("black seen at"), _("by"), _("cap"), _("captured"), _("changed at"), _("clock"), _("close reason"),
    _("closed at"), _("count by"), _("crawford"), _("created at"), _("created by"), _("cube"), _("currency"),
    _("deadline"), _("decided at"), _("decided by"), _("decision reason"), _("delay left ms"), _("details"),
    _("digest"), _("display name"), _("ended at"), _("ends at"), _("entries"), _("entry"), _("entry currency"),
    _("entry id"), _("factor"), _("factor cap"), _("finished at"), _("first move"),
    _("import details"), _("import digest"), _("key"), _("kind"), _("language"), _("lot commitment"), _("lot seed"),
    _("made at"), _("month"), _("namespace"), _("next at"), _("next roll"), _("note"), _("note code"), _("number"),
    _("opened at"), _("options"), _("owes"), _("owner id"), _("paused"), _("percent"), _("placed at"), _("points"),
    _("proposed at"), _("proposed by"), _("rake cap"), _("rake percent"), _("reason"), _("reference"),
    _("resolution"), _("resolved at"), _("resolved key"), _("resolved reason"), _("reverses"), _("rules version"),
    _("running"), _("running since"), _("seeds"), _("series length"), _("settled at"), _("settlement"),
    _("settlement note"), _("settlement pause"), _("settlement pauses"), _("source"), _("stake"),
    _("stake currency"), _("started at"), _("starter"), _("starts at"), _("state"), _("status"), _("table"),
    _("tables"), _("target"), _("theme"), _("totals"), _("variant"), _("version"), _("white"), _("white moved"),
    _("white ms"), _("white ready"), _("white seen at"), _("winner"),
))  # fmt: skip


#: A game that two people play, not one of the kinds of nardy.
PLAYED = {
    "game": pgettext_lazy("played", "game"),
    "games": pgettext_lazy("played", "games"),
    "Games": pgettext_lazy("played", "Games"),
}


def translate() -> None:
    """Give all that still has its automatic name that name in the reader's language."""
    for label in APPS:
        config = apps.get_app_config(label)
        config.verbose_name = _translated(config.verbose_name)
        for model in config.get_models():
            _rename(model._meta)
            for field in model._meta.get_fields():
                if isinstance(field, Field):
                    field.verbose_name = _translated(field.verbose_name)


def _rename(meta: Options[Any]) -> None:
    if type(meta.verbose_name) is str:  # then the plural is made of it, by an "s"
        meta.verbose_name_plural = _translated(str(meta.verbose_name_plural))
    meta.verbose_name = _translated(meta.verbose_name)


def _translated(text: Any) -> Any:
    if type(text) is not str:
        return text
    return PLAYED.get(text) or (gettext_lazy(text) if text in TEXTS else text)
