"""Forms about a player's own account."""

from typing import Any

from allauth.account.forms import SignupForm as BaseSignupForm
from django import forms
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from players import names
from players.models import Player


class SignupForm(BaseSignupForm):
    """A name and a password; an e-mail address only for those who want to reset the password by themselves."""

    terms = forms.BooleanField(
        label=_("I am at least 18 years old and accept the rules of play and of money"),
        error_messages={"required": _("Only people of 18 and over who accept the rules can play here.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields([name for name in self.fields if name != "terms"])  # consent comes last
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        self.fields["username"].label = _("Name for log-in")
        self.fields["username"].help_text = _(
            "Letters, digits and @ . + - _ only. Other players see it unless you set a display name."
        )
        if "email" in self.fields:
            self.fields["email"].label = _("E-mail (optional)")
            self.fields["email"].help_text = _("Only to reset a forgotten password.")

    def clean_username(self) -> str:
        return names.checked(super().clean_username())

    def try_save(self, request: HttpRequest) -> tuple[Player | None, HttpResponse | None]:
        """Two sign-ups at one moment with names that look alike: the database decides, the later is told."""
        try:
            with transaction.atomic():
                return super().try_save(request)  # type: ignore[no-any-return]
        except IntegrityError:
            self.add_error("username", _("Another player already uses this name, or one that looks like it."))
            return None, render(request, "account/signup.html", {"form": self}, status=409)


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """How a player appears to others, and how the site appears to the player."""

    class Meta:
        model = Player
        fields = ("display_name", "language", "theme")
        labels = {"display_name": _("Display name"), "language": _("Language"), "theme": _("Appearance")}
        help_texts = {"display_name": _("Shown to other players. Leave it empty to show your log-in name.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"] = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
        self.fields["theme"] = forms.ChoiceField(
            label=_("Appearance"),
            required=False,
            choices=[("", _("As the system says")), ("light", _("Light")), ("dark", _("Dark"))],
        )

    def clean_display_name(self) -> str:
        """Two players who look alike are a way to cheat: players.names."""
        name = self.cleaned_data["display_name"].strip()
        return names.checked(name, self.instance.pk) if name else ""
