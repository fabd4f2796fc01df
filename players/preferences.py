"""Language and theme: in cookies, so that the server draws the first byte right, and with the player.

They follow a person to the next device: the cookies are set again at log-in.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

THEMES = ("", "light", "dark")
THEME_COOKIE = "theme"
YEAR = 365 * 24 * 3600


def theme_of(request: HttpRequest) -> str:
    """ "light", "dark", or "" where the system decides."""
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return theme if theme in THEMES else ""


def remember_language(response: HttpResponseBase, code: str) -> None:
    """Makes the browser ask for pages in this language for a year."""
    if code in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, code, max_age=YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
        )


def remember_theme(response: HttpResponseBase, theme: str) -> None:
    """Makes the server draw this theme for a year; "" gives the choice back to the system."""
    if theme:
        response.set_cookie(THEME_COOKIE, theme, max_age=YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
    else:
        response.delete_cookie(THEME_COOKIE, samesite="Lax")
