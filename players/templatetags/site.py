"""Tags that every page uses: money, the reader's purse, language and theme, the current section."""

from typing import Any

from django import template
from django.conf import settings
from django.template import RequestContext
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from moneyed import Money

from ledger import book
from ledger.display import currency_choices, money_text
from players.preferences import THEMES, theme_of

register = template.Library()


@register.filter
def money(amount: Money | None) -> str:
    """An amount in the form of the page's language."""
    return "" if amount is None else money_text(amount)


@register.filter
def signed(amount: Money | None) -> SafeString | str:
    """An amount with its sign always written, so that nothing depends on colour."""
    if amount is None:
        return ""
    css = "plus" if amount.amount > 0 else "minus" if amount.amount < 0 else ""
    return format_html('<span class="money {}">{}</span>', css, money_text(amount, sign=True))


@register.filter
def initial(user: Any) -> str:
    """The letter shown in a player's round badge."""
    return str(user)[:1].upper()


@register.simple_tag(takes_context=True)
def theme_attr(context: RequestContext) -> SafeString | str:
    """` data-theme="dark"` on <html>, written by the server so that no page flashes; without it the system decides."""
    theme = theme_of(context["request"]) if "request" in context else ""
    return format_html(' data-theme="{}"', theme) if theme else ""


@register.simple_tag
def languages() -> list[dict[str, Any]]:
    """The languages of the site with the one in use marked."""
    return [{"code": code, "name": name, "on": code == get_language()} for code, name in settings.LANGUAGES]


@register.simple_tag(takes_context=True)
def themes(context: RequestContext) -> list[dict[str, Any]]:
    """The choices of appearance with the one in use marked."""
    chosen = theme_of(context["request"]) if "request" in context else ""
    names = {"": gettext("System"), "light": gettext("Light"), "dark": gettext("Dark")}
    return [{"code": code or "system", "name": names[code], "on": code == chosen} for code in THEMES]


@register.simple_tag(takes_context=True)
def current(context: RequestContext, *names: str) -> SafeString | str:
    """Marks the link of the section that the reader is in."""
    match = getattr(context.get("request"), "resolver_match", None)
    return mark_safe(' aria-current="page"') if match and match.url_name in names else ""


@register.inclusion_tag("ledger/purse.html", takes_context=True)
def purse(context: RequestContext) -> dict[str, Any]:
    """Available money in the header: of the currency the page is about (`purse_currency`), else of the first wallet."""
    wallets = book.wallets(context["user"].pk)
    wanted = context.get("purse_currency")
    shown = [wallet for wallet in wallets if wallet.available.currency.code == wanted] if wanted else wallets[:1]
    return {"wallets": shown, "more": len(wallets) - len(shown)}


@register.simple_tag
def currency_label(code: str) -> str:
    """ "UAH · hryvnia", or "play chips"."""
    return dict(currency_choices())[code]
