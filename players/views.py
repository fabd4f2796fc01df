"""Pages about the player's own account, and the pages shown when a request cannot be answered."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_POST

from players.forms import ProfileForm
from players.models import Player
from players.preferences import THEMES, remember_language, remember_theme


@require_POST
def preferences(request: HttpRequest) -> HttpResponse:
    """Changes the language or the theme from the menu of any page, and returns to that page."""
    target = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        target = "/"
    response = redirect(target)
    language, theme = request.POST.get("language"), request.POST.get("theme")
    if language in dict(settings.LANGUAGES):
        remember_language(response, language)
        _keep(request, language=language)
    if theme is not None:
        theme = theme if theme in THEMES else ""
        remember_theme(response, theme)
        _keep(request, theme=theme)
    return response


def _keep(request: HttpRequest, **values: str) -> None:
    if request.user.is_authenticated:
        Player.objects.filter(pk=request.user.pk).update(**values)


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """The player's own name, language and theme."""
    player = request.user
    assert isinstance(player, Player)
    form = ProfileForm(
        request.POST or None, instance=player, initial={"language": player.language or request.LANGUAGE_CODE}
    )
    if request.method == "POST" and form.is_valid() and _saved(form):
        with override(player.language):
            messages.success(request, _("Your profile is saved."))
        response = redirect("profile")
        remember_language(response, player.language)
        remember_theme(response, player.theme)
        return response
    return render(request, "players/profile.html", {"form": form})


def _saved(form: ProfileForm) -> bool:
    """Whether it could be saved: at the same moment somebody else may have taken a name that looks the same."""
    try:
        form.save()
    except IntegrityError:
        form.add_error("display_name", _("Another player already uses this name, or one that looks like it."))
        return False
    return True


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form came without its token: usually a page left open over a log-in, or cookies switched off."""
    return render(request, "403_csrf.html", status=403)
