"""What a player does with his own money: ask for a withdrawal, take it back, fill up play chips."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from ledger import book, money
from ledger.display import money_text
from ledger.errors import KeyConflict, LedgerError, ProposalNotFound
from ledger.views import owner_of, wallet_page


@login_required
@require_POST
def withdraw(request: HttpRequest) -> HttpResponse:
    """Ask for a withdrawal; the form's key makes a double click one request."""
    given = {name: request.POST.get(name, "").strip() for name in ("amount", "currency", "reason", "key")}
    try:
        key = uuid.UUID(given["key"])
    except ValueError:
        return _out_of_date(request, given)
    owner = owner_of(request)
    if not given["reason"]:
        return wallet_page(request, given, _("Say where the money is to go."), 422)
    try:
        amount = money.parse_number(given["amount"], given["currency"])
        with transaction.atomic():
            book.request_withdrawal(f"withdraw:{owner}:{key}", owner, amount, owner, given["reason"][:500])
    except KeyConflict:  # this form was sent before with something else in it
        return _out_of_date(request, given)
    except LedgerError as error:
        return wallet_page(request, given, str(error), 422)
    messages.success(
        request, _("%(amount)s is blocked until an operator has decided.") % {"amount": money_text(amount)}
    )
    return redirect("wallet")


def _out_of_date(request: HttpRequest, given: dict[str, str]) -> HttpResponse:
    """The form once more, with a key of its own: sent again, it is another request."""
    return wallet_page(request, given | {"key": ""}, _("The page was out of date: send the form again."), 422)


@login_required
@require_POST
def cancel(request: HttpRequest, proposal_id: int) -> HttpResponse:
    """Take a withdrawal back that is not decided yet; somebody else's is 404."""
    try:
        with transaction.atomic():
            book.cancel(proposal_id, owner_of(request))
    except ProposalNotFound as error:
        raise Http404 from error
    except LedgerError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Taken back: the money is available again."))
    return redirect("wallet")


@login_required
@require_POST
def top_up(request: HttpRequest) -> HttpResponse:
    """Fill play chips up to what the site gives, once a day."""
    try:
        with transaction.atomic():
            book.top_up_play_chips(owner_of(request))
    except LedgerError as error:
        messages.error(request, str(error))
    return redirect("wallet")
