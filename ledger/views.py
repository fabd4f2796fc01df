"""The player's own money: wallets, holds, statement, one entry. Reads only; money moves elsewhere."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ledger import book, moments, money
from ledger.proposals import state_words as proposal_words
from ledger.words import entry_words


@login_required
@require_safe
def wallet(request: HttpRequest) -> HttpResponse:
    """Every balance with what of it is blocked, and for which game."""
    return wallet_page(request)


def wallet_page(
    request: HttpRequest, given: Mapping[str, str] | None = None, refused: str = "", status: int = 200
) -> HttpResponse:
    """The wallet; `given` and `refused`: what was asked for, and why not."""
    wallets = book.wallets(owner_of(request))
    withdrawals = book.withdrawals(owner_of(request))
    context = {
        "wallets": wallets,
        "holds": book.holds(owner_of(request)),
        "paid": [found for found in wallets if found.currency != money.PLAY_CHIPS],
        "withdrawals": [(one, proposal_words(one.state)) for one in withdrawals],
        "given": given or {},
        "refused": refused,
        "key": (given or {}).get("key") or uuid.uuid4(),
        "chips": next((found for found in wallets if found.currency == money.PLAY_CHIPS), None),
        "chips_limit": money.money(settings.PLAY_CHIPS_TOP_UP, money.PLAY_CHIPS),
    }
    return render(request, "ledger/wallet.html", context, status=status)


@login_required
@require_safe
def statement(request: HttpRequest, currency: str) -> HttpResponse:
    """The movements of one wallet in a period, with running balance; prints on A4."""
    if currency not in money.CURRENCIES:
        raise Http404
    first, last = _period(request)
    after = request.GET.get("after", "")
    page = book.statement(
        owner_of(request),
        currency,
        _midnight(first) if first else None,
        _midnight(last + timedelta(days=1)) if last else None,
        after=int(after) if after.isascii() and after.isdigit() and len(after) < 16 else None,
    )
    at = moments.utc(request.GET.get("at", ""))
    rows = [(row, entry_words(row.kind, row.details, row.amount)) for row in page.rows]
    context = {
        "currency": currency,
        "page": page,
        "rows": rows,
        "first": first,
        "last": last,
        "first_page": not after,
        "period": request.GET.get("period", "all"),
        "now": timezone.now(),
        "at": at,
        "at_balance": book.balance_at(owner_of(request), currency, at) if at else None,
        "others": [found.currency for found in book.wallets(owner_of(request))],
        "purse_currency": currency,
    }
    return render(request, "ledger/statement.html", context)


@login_required
@require_safe
def entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    """One entry as its owner may see it: the own line only, never another person's."""
    found = book.entry(entry_id)
    mine = next((line for line in found.lines if line.owner_id == owner_of(request)), None) if found else None
    if found is None or mine is None or mine.balance_after is None:
        raise Http404
    context: dict[str, Any] = {
        "entry": found,
        "line": mine,
        "words": entry_words(found.kind, found.details, mine.amount),
        "before": mine.balance_after - mine.amount,
        "purse_currency": mine.amount.currency.code,
    }
    return render(request, "ledger/entry.html", context)


def owner_of(request: HttpRequest) -> int:
    """The id of the person who is logged in."""
    if request.user.pk is None:
        raise TypeError("nobody is logged in")
    return request.user.pk


def _period(request: HttpRequest) -> tuple[date | None, date | None]:
    """First and last day asked for, both included; None where the period is open."""
    today = timezone.now().date()
    month = today.replace(day=1)
    named: dict[str, tuple[date | None, date | None]] = {
        "month": (month, None),
        "last_month": ((month - timedelta(days=1)).replace(day=1), month - timedelta(days=1)),
        "week": (today - timedelta(days=6), None),
    }
    if request.GET.get("period") in named:
        return named[request.GET["period"]]
    return _day(request.GET.get("from", "")), _day(request.GET.get("to", ""))


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year in moments.YEARS else None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
