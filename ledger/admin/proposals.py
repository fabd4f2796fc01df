"""What waits for a second person (withdrawals, adjustments, reversals, capital), and what became of the others."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger import book, references
from ledger.admin.base import NOTHING, ReadOnlyAdmin, amount_text, label, model_link, named
from ledger.admin.reasons import reason_view
from ledger.models import Entry, Proposal

ACTS = (
    ("approve", gettext_lazy("Approve")),
    ("reject", gettext_lazy("Reject")),
    ("cancel", gettext_lazy("Take back")),
)


@admin.register(Proposal)
class ProposalAdmin(ReadOnlyAdmin):
    list_display = ("id", "proposed_at", "kind", "owner", "amount_of", "state", "reason", "proposer", "decider")
    list_filter = ("state", "kind", "currency")
    narrow_filters: ClassVar[dict[str, set[str]]] = {"state": {"open"}}
    search_exact = ("key",)
    search_owner = "owner_id"
    people = ("owner_id", "proposed_by", "decided_by")
    search_help_text = gettext_lazy("A player's name or id, or a request's id")
    fields = (
        "id", "kind", "owner", "amount_of", "reverses_to", "reason", "proposer", "proposed_at", "state", "decider",
        "decision_reason", "decided_at", "entry_to", "key",
    )  # fmt: skip

    @admin.display(description=gettext_lazy("owner"))
    def owner(self, proposal: Proposal) -> str:
        return named(proposal, proposal.owner_id)

    @admin.display(description=gettext_lazy("amount"))
    def amount_of(self, proposal: Proposal) -> str:
        return amount_text(proposal.amount, proposal.currency)

    @admin.display(description=gettext_lazy("asked by"))
    def proposer(self, proposal: Proposal) -> str:
        return named(proposal, proposal.proposed_by)

    @admin.display(description=gettext_lazy("decided by"))
    def decider(self, proposal: Proposal) -> str:
        return named(proposal, proposal.decided_by)

    @admin.display(description=gettext_lazy("reverses"))
    def reverses_to(self, proposal: Proposal) -> SafeString | str:
        return model_link(Entry, proposal.reverses_id, proposal.reverses_id) if proposal.reverses_id else NOTHING

    @admin.display(description=gettext_lazy("entry"))
    def entry_to(self, proposal: Proposal) -> SafeString | str:
        return model_link(Entry, proposal.entry_id, proposal.entry_id) if proposal.entry_id else NOTHING

    # --- Deciding -------------------------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.decide)
        return [path("<int:proposal_id>/decide/", view, name="ledger_proposal_decide"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        proposal = self.get_object(request, object_id)
        context = dict(extra_context or {})
        if proposal is not None and proposal.state == "open" and _acts(request, proposal.proposed_by):
            context["decide_url"] = reverse("admin:ledger_proposal_decide", args=[proposal.pk])
        return super().change_view(request, object_id, form_url, context)

    def decide(self, request: HttpRequest, proposal_id: int) -> HttpResponse:
        """Approve or reject what somebody else asked for; take back what one has asked for."""
        proposal, actor = book.proposal(proposal_id), request.user.pk
        if proposal is None:
            raise Http404
        acts = _acts(request, proposal.proposed_by)
        if not acts or actor is None:
            raise PermissionDenied
        page = reverse("admin:ledger_proposal_change", args=[proposal_id])

        def do(act: str, reason: str, key: str) -> str:
            actions = {"approve": book.approve, "reject": book.reject, "cancel": book.cancel}
            actions[act](proposal_id, actor, reason)
            return page

        amount = amount_text(proposal.amount.amount, proposal.amount.currency.code)
        what = label(proposal.owner_id) if proposal.owner_id is not None else ""
        if proposal.reverses_id:
            what = _("Entry %(number)s") % {"number": proposal.reverses_id}
        text = f"{capfirst(Proposal.Kind(proposal.kind).label)}: {', '.join(filter(None, [amount, what]))}. "
        text += f"“{proposal.reason}”. " + _("Asked by %(who)s.") % {"who": label(proposal.proposed_by)}
        return reason_view(request, self.admin_site, _("Decide"), text, acts, do, page)


def _acts(request: HttpRequest, proposed_by: int) -> list[tuple[str, Any]]:
    """The one who asked can only take it back; who may decide, decides on what others asked for."""
    if request.user.pk == proposed_by:
        return [ACTS[2]]
    return list(ACTS[:2]) if request.user.has_perm("ledger.decide") else []


def _page(number: str) -> str | None:
    return reverse("admin:ledger_proposal_change", args=[number]) if number.isdigit() else None


for prefix in Proposal.Kind.values:
    references.register(prefix, _page)
