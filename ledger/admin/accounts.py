"""Accounts with their balances, and what an operator does with them: money moves, freezing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ledger import book, chart, money
from ledger.admin.base import NOTHING, ReadOnlyAdmin, amount_text, label, named, with_labels
from ledger.admin.filters import Choices
from ledger.admin.lists import once
from ledger.admin.moments import balance_context
from ledger.admin.money_moves import MOVES, may, move_view
from ledger.admin.reasons import reason_view
from ledger.models import Account, AccountEvent

#: What is done with a player's money.
MAY_MOVE = ("deposit", "withdraw", "adjust", "repay")


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    list_display = ("id", "owner", "kind_name", "currency", "posted", "held", "available", "status")
    list_filter = ("kind", "currency", "status")
    filter_choices: ClassVar[dict[str, Choices]] = ReadOnlyAdmin.filter_choices | {
        "kind": lambda: [(kind.key, f"{kind.code} {kind.name}") for kind in chart.ACCOUNT_KINDS.values()]
    }
    narrow_filters: ClassVar[Mapping[str, Any]] = {"kind": ..., "currency": ..., "status": ...}
    search_owner = "owner_id"
    people = ("owner_id",)
    change_form_outer_before_template = "admin/ledger/account/balance_at.html"
    search_help_text = _("An owner's name or id, or an account's id")
    fields = (
        "id", "owner", "kind_name", "currency", "status", "owes", "posted", "held", "available", "opened_at", "history",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        return super().get_queryset(request).select_related("balance", "housetotal")

    @admin.display(description=_("owner"))
    @once
    def owner(self, account: Account) -> str:
        return named(account, account.owner_id)

    @admin.display(description=_("kind"))
    def kind_name(self, account: Account) -> str:
        kind = chart.ACCOUNT_KINDS[account.kind]
        return f"{kind.code} {kind.name}"

    @admin.display(description=_("posted"))
    def posted(self, account: Account) -> str:
        """A house account shows its total at the last seal: a list must not sum the tail of every account."""
        if hasattr(account, "balance"):
            return amount_text(account.balance.posted, account.currency)
        if hasattr(account, "housetotal"):
            return amount_text(account.housetotal.total, account.currency)
        return NOTHING

    @admin.display(description=_("held"))
    def held(self, account: Account) -> str:
        return amount_text(account.balance.held, account.currency) if hasattr(account, "balance") else NOTHING

    @admin.display(description=_("available"))
    def available(self, account: Account) -> str:
        if not hasattr(account, "balance"):
            return NOTHING
        return amount_text(account.balance.posted - account.balance.held, account.currency)

    @admin.display(description=_("frozen and unfrozen"))
    @once
    def history(self, account: Account) -> str:
        events = list(AccountEvent.objects.filter(account=account).order_by("id"))
        with_labels(events, "actor_id")
        said = (
            f"{one.at:%Y-%m-%d %H:%M} UTC: {one.get_event_display()}, {named(one, one.actor_id)}: {one.reason}"
            for one in events
        )
        return "; ".join(said) or NOTHING

    # --- Money moves ----------------------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        moves = [
            path(f"{name}/", wrap(partial(move_view, site=self.admin_site, name=name)), name=f"ledger_account_{name}")
            for name in MOVES
        ]
        freeze = path("<int:account_id>/freeze/", wrap(self.freeze), name="ledger_account_freeze")
        return [*moves, freeze, *super().get_urls()]

    def freeze(self, request: HttpRequest, account_id: int) -> HttpResponse:
        """Freeze a wallet, or set it free, with a reason."""
        account, actor = Account.objects.filter(pk=account_id, kind=chart.WALLET).first(), request.user.pk
        if not may(request, "freeze") or actor is None:
            raise PermissionDenied
        if account is None or account.owner_id is None:
            raise Http404
        owner, page = account.owner_id, reverse("admin:ledger_account_change", args=[account_id])
        acts = [("unfreeze", _("Unfreeze"))] if account.status == Account.Status.FROZEN else [("freeze", _("Freeze"))]

        def do(act: str, reason: str, key: str) -> str:
            (book.freeze if act == "freeze" else book.unfreeze)(owner, account.currency, actor, reason)
            return page

        text = gettext(
            "A frozen wallet stakes nothing more; games that run are settled, and it can still be withdrawn from."
        )
        title = f"{label(owner)} {account.currency}"
        return reason_view(request, self.admin_site, title, text, acts, do, page)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, (extra_context or {}) | _moves(request))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        account = self.get_object(request, object_id)
        context = (extra_context or {}) | _moves(request)
        if account is not None:
            is_wallet, is_money = account.kind == chart.WALLET, account.currency != money.PLAY_CHIPS
            if is_wallet:
                context["prefill"] = f"?owner={account.owner_id}&currency={account.currency}"
            for name in MAY_MOVE:  # no play chips come in or go out, but a debt of them is paid back
                context[f"may_{name}"] &= is_wallet and (is_money or name == "repay")
        if account is not None and account.kind == chart.WALLET and may(request, "freeze"):
            context["freeze_url"] = reverse("admin:ledger_account_freeze", args=[account.pk])
        if account is not None and self.has_view_permission(request, account):
            context |= balance_context(request, account)
        return super().change_view(request, object_id, form_url, context)


def _moves(request: HttpRequest) -> dict[str, Any]:
    return {f"may_{name}": may(request, MOVES[name].right) for name in MAY_MOVE}
