"""Accounts with their balances, and the two actions that move money: deposit and withdrawal."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from ledger import chart, money
from ledger.admin.base import NOTHING, ReadOnlyAdmin, amount_text, label
from ledger.admin.money_moves import deposit_view, may, withdrawal_view
from ledger.models import Account


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    list_display = ("id", "owner", "kind_name", "currency", "posted", "held", "available", "status")
    list_filter = ("kind", "currency", "status")
    list_select_related = ("balance", "housetotal")
    search_owner = "owner_id"
    owner_path = "owner_id"
    search_help_text = _("An owner's name or id, or an account's id")
    fields = ("id", "owner", "kind_name", "currency", "status", "posted", "held", "available", "opened_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        return super().get_queryset(request).select_related("balance", "housetotal")

    @admin.display(description=_("owner"))
    def owner(self, account: Account) -> str:
        return getattr(account, "owner_label", None) or label(account.owner_id)

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

    # --- Money moves ----------------------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("deposit/", wrap(self.deposit), name="ledger_account_deposit"),
            path("withdraw/", wrap(self.withdraw), name="ledger_account_withdraw"),
            *super().get_urls(),
        ]

    def deposit(self, request: HttpRequest) -> HttpResponse:
        return deposit_view(request, self.admin_site)

    def withdraw(self, request: HttpRequest) -> HttpResponse:
        return withdrawal_view(request, self.admin_site)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, (extra_context or {}) | _moves(request))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        account = self.get_object(request, object_id)
        context = (extra_context or {}) | _moves(request)
        if account is not None and account.kind == chart.WALLET and account.currency != money.PLAY_CHIPS:
            context["prefill"] = f"?owner={account.owner_id}&currency={account.currency}"
        elif account is not None:
            context |= {"may_deposit": False, "may_withdraw": False}
        return super().change_view(request, object_id, form_url, context)


def _moves(request: HttpRequest) -> dict[str, Any]:
    return {"may_deposit": may(request, "deposit"), "may_withdraw": may(request, "withdraw")}
