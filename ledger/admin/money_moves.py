"""What an operator does with a player's money or the house's: a form, a page to confirm, and done once, however often
clicked.

A deposit, a repayment, capital paid in and the filling of the promotion fund are entered at once; a withdrawal, an
adjustment and capital taken out wait for a second person.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.apps import apps
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from moneyed import Money

from ledger import book, money, owners
from ledger.admin.base import label
from ledger.errors import LedgerError

REAL = [(code, code) for code in money.REAL_CURRENCIES]
ALL = [(code, code) for code in money.CURRENCIES]
GIVE, TAKE = "give", "take"


class HouseForm(forms.Form):
    """`key` makes the move idempotent: it is drawn when the empty form is shown and travels to the end.

    `directions`: what the field `direction` offers, where a form has one.
    """

    directions: ClassVar[tuple[tuple[str, Any], ...]] = ()
    currency = forms.ChoiceField(label=gettext_lazy("Currency"), choices=REAL)
    amount = forms.CharField(label=gettext_lazy("Amount"), max_length=30)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        help_text=gettext_lazy("Goes into the journal for good: the payment's number, the request, …"),
    )
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if apps.is_installed("unfold"):
            from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

            for name in self.fields.keys() & {"owner", "amount", "reason"}:
                self.fields[name].widget = UnfoldAdminTextInputWidget()
            for field in self.fields.values():
                if isinstance(field, forms.ChoiceField):
                    field.widget = UnfoldAdminSelectWidget(choices=field.choices)
        self.fields["amount"].widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if "amount" in data and "currency" in data:
            try:
                data["money"] = money.parse_number(data["amount"], data["currency"])
            except LedgerError as error:
                self.add_error("amount", str(error))
        return data


class FundForm(HouseForm):
    directions = (
        (GIVE, gettext_lazy("into the promotion fund")),
        (TAKE, gettext_lazy("back from the promotion fund")),
    )
    direction = forms.ChoiceField(label=gettext_lazy("Direction"), choices=directions)
    currency = forms.ChoiceField(label=gettext_lazy("Currency"), choices=ALL)


class MoveForm(HouseForm):
    owner = forms.CharField(label=gettext_lazy("Player (name or id)"), max_length=150)
    field_order = ("owner", "currency", "amount", "reason")

    def clean_owner(self) -> int:
        found = owners.find(self.cleaned_data["owner"])
        if found is None or not owners.exists(found):  # a mistyped id must not open a wallet of nobody
            raise forms.ValidationError(_("There is no such player."))
        return found


class RepayForm(MoveForm):
    """Play chips can be owed too; they are paid back from the wallet."""

    currency = forms.ChoiceField(label=gettext_lazy("Currency"), choices=ALL)
    source = forms.ChoiceField(
        label=gettext_lazy("Paid with"),
        choices=[
            ("cash", gettext_lazy("money that came in")),
            ("wallet", gettext_lazy("what is available in the wallet")),
        ],
    )


class AdjustForm(MoveForm):
    directions = ((GIVE, gettext_lazy("to the player")), (TAKE, gettext_lazy("from the player")))
    direction = forms.ChoiceField(label=gettext_lazy("Direction"), choices=directions)


@dataclass(frozen=True)
class Stand:
    """What a move changes: whose or what it is, and how much of it can be used now."""

    label: str
    amount: Money


def _wallet(data: dict[str, Any]) -> Stand:
    return Stand(label(data["owner"]), book.wallet(data["owner"], data["currency"]).available)


def _own(data: dict[str, Any]) -> Stand:
    return Stand(_("The house's own money: its cash less what it owes"), book.cover(data["currency"]).own)


def _fund(data: dict[str, Any]) -> Stand:
    return Stand(_("Promotion fund: what of it is not promised to a tournament"), book.promotion_fund(data["currency"]))


@dataclass(frozen=True)
class Move:
    """`do(data, key, actor)` acts and answers the page to go to; what `stand(data)` says changes by `moved(data)`."""

    right: str
    title: Any
    button: Any
    done: Any
    form: type[HouseForm]
    do: Callable[[dict[str, Any], str, int], str]
    moved: Callable[[dict[str, Any]], Money]
    stand: Callable[[dict[str, Any]], Stand] = _wallet


def _deposit(data: dict[str, Any], key: str, actor: int) -> str:
    return _entry_page(book.deposit(key, data["owner"], data["money"], actor, data["reason"]))


def _withdraw(data: dict[str, Any], key: str, actor: int) -> str:
    return proposal_page(book.request_withdrawal(key, data["owner"], data["money"], actor, data["reason"]))


def _repay(data: dict[str, Any], key: str, actor: int) -> str:
    from_wallet = data["source"] == "wallet"
    return _entry_page(book.repay(key, data["owner"], data["money"], actor, data["reason"], from_wallet))


def _adjust(data: dict[str, Any], key: str, actor: int) -> str:
    return proposal_page(book.propose_adjustment(key, data["owner"], _given(data), actor, data["reason"]))


def _capital_in(data: dict[str, Any], key: str, actor: int) -> str:
    return _entry_page(book.pay_in_capital(key, data["money"], actor, data["reason"]))


def _capital_out(data: dict[str, Any], key: str, actor: int) -> str:
    return proposal_page(book.propose_capital_out(key, data["money"], actor, data["reason"]))


def _promote(data: dict[str, Any], key: str, actor: int) -> str:
    return _entry_page(book.fund_promotion(key, _given(data), actor, data["reason"]))


def _given(data: dict[str, Any]) -> Money:
    amount: Money = data["money"]
    return amount if data["direction"] == GIVE else -amount


MOVES = {
    "deposit": Move(
        "deposit", gettext_lazy("Deposit"), gettext_lazy("Record the deposit"), gettext_lazy("recorded"), MoveForm,
        _deposit, lambda data: data["money"],
    ),
    "withdraw": Move(
        "withdraw", gettext_lazy("Withdrawal"), gettext_lazy("Block the money and ask for approval"),
        gettext_lazy("asked for: another operator approves it"), MoveForm, _withdraw, lambda data: -data["money"],
    ),
    "adjust": Move(
        "adjust", gettext_lazy("Adjustment"), gettext_lazy("Ask for approval"),
        gettext_lazy("asked for: another operator approves it"), AdjustForm, _adjust, _given,
    ),
    "repay": Move(
        "deposit", gettext_lazy("Debt paid back"), gettext_lazy("Record the payment"), gettext_lazy("recorded"),
        RepayForm, _repay, lambda data: -data["money"] if data["source"] == "wallet" else data["money"] * 0,
    ),
    "capital_in": Move(
        "capital", gettext_lazy("Capital paid in"), gettext_lazy("Record the payment"), gettext_lazy("recorded"),
        HouseForm, _capital_in, lambda data: data["money"], _own,
    ),
    "capital_out": Move(
        "capital", gettext_lazy("Capital taken out"), gettext_lazy("Ask for approval"),
        gettext_lazy("asked for: another operator approves it"), HouseForm, _capital_out,
        lambda data: -data["money"], _own,
    ),
    "promote": Move(
        "promote", gettext_lazy("Promotion fund transfer"), gettext_lazy("Move the money"), gettext_lazy("recorded"),
        FundForm, _promote, _given, _fund,
    ),
}  # fmt: skip


def may(request: HttpRequest, right: str) -> bool:
    """Whether this operator has a right on entries: "deposit", "withdraw", "adjust", "capital", "promote"."""
    return bool(request.user.has_perm(f"ledger.{right}"))


def _entry_page(entry: book.EntryView) -> str:
    return reverse("admin:ledger_entry_change", args=[entry.id])


def proposal_page(proposal: book.ProposalView) -> str:
    return reverse("admin:ledger_proposal_change", args=[proposal.id])


def move_view(request: HttpRequest, site: AdminSite, name: str) -> HttpResponse:
    """GET shows the form, POST the page to confirm, POST with `confirmed` does it."""
    move = MOVES[name]
    if not may(request, move.right) or request.user.pk is None:
        raise PermissionDenied
    context = {**site.each_context(request), "title": move.title, "move": move}
    if request.method != "POST":
        given = {key: request.GET[key] for key in ("owner", "currency") if key in request.GET}
        context["form"] = move.form(initial={"key": uuid.uuid4(), **given})
        return TemplateResponse(request, "admin/ledger/account/move.html", context)
    form = move.form(request.POST)
    context["form"] = form
    if not form.is_valid():
        return TemplateResponse(request, "admin/ledger/account/move.html", context, status=400)
    data = form.cleaned_data
    if "confirmed" not in request.POST:
        return TemplateResponse(request, "admin/ledger/account/move_confirm.html", context | _effect(data, move))
    try:
        with transaction.atomic():
            page = move.do(data, f"{name}:{data['key']}", request.user.pk)
    except LedgerError as error:
        form.add_error(None, str(error))
        return TemplateResponse(request, "admin/ledger/account/move.html", context, status=409)
    said = {"title": move.title, "amount": money.text(data["money"]), "done": move.done}
    messages.success(request, _("%(title)s of %(amount)s %(done)s.") % said)
    return HttpResponseRedirect(page)


def _effect(data: dict[str, Any], move: Move) -> dict[str, Any]:
    """What the page to confirm says: whose money, and what of it can be used before and after."""
    stand = move.stand(data)
    after = stand.amount + move.moved(data)
    return {
        "owner_label": stand.label,
        "amount": money.text(data["money"]),
        "direction": dict(move.form.directions).get(data.get("direction", ""), ""),
        "before": money.text(stand.amount),
        "after": money.text(after),
        "too_little": after.amount < 0 and move.moved(data).amount < 0,
    }
