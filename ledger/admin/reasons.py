"""A page that asks an operator for a reason and then acts: freezing, reversing, deciding."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.apps import apps
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.errors import LedgerError


class ReasonForm(forms.Form):
    """`key` is drawn when the empty form is shown: what is made under it is made once."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=500)
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if apps.is_installed("unfold"):
            from unfold.widgets import UnfoldAdminTextInputWidget

            self.fields["reason"].widget = UnfoldAdminTextInputWidget()


def reason_view(
    request: HttpRequest,
    site: AdminSite,
    title: str,
    text: str,
    acts: Sequence[tuple[str, Any]],
    do: Callable[[str, str, str], str],
    back: str,
) -> HttpResponse:
    """`acts` are the buttons (value, name); `do(act, reason, key)` acts in a transaction and answers where to go."""
    form = ReasonForm(request.POST) if request.method == "POST" else ReasonForm(initial={"key": uuid.uuid4()})
    context = {**site.each_context(request), "title": title, "text": text, "acts": acts, "back": back, "form": form}
    act = request.POST.get("act", "")
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid() and act in dict(acts):
            try:
                with transaction.atomic():
                    page = do(act, form.cleaned_data["reason"], str(form.cleaned_data["key"]))
            except LedgerError as error:
                form.add_error(None, str(error))
                status = 409
            else:
                messages.success(request, _("Done."))
                return HttpResponseRedirect(page)
    return TemplateResponse(request, "admin/ledger/reason.html", context, status=status)
