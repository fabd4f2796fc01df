"""Tags of the tournaments' pages: amounts kept as bare numbers, and what an entry of a pool was for."""

from decimal import Decimal

from django import template
from moneyed import Money

from ledger import money
from ledger.display import money_text
from ledger.words import TOURNAMENTS

register = template.Library()


@register.filter
def currency(amount: Decimal, code: str) -> str:
    """A bare amount with its currency, in the form of the page's language."""
    return money_text(money.quantize(Money(amount, code)))


@register.simple_tag
def pool_words(kind: str) -> str:
    """ "entry", "prize", "refund"."""
    return str(TOURNAMENTS.get(kind, kind))
