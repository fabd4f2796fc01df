"""People who log in: players and operators. Money is not here: the ledger knows a player only by id."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from players.skeleton import skeleton


class Player(AbstractUser):
    """One person, one account. `namespace` keeps players made by imports apart from people who can log in."""

    namespace = models.CharField(max_length=32, blank=True, default="", editable=False)
    display_name = models.CharField(max_length=60, blank=True)
    language = models.CharField(max_length=2, blank=True, default="")
    theme = models.CharField(max_length=6, blank=True, default="", choices=[("light", "light"), ("dark", "dark")])

    class Meta:
        indexes = [
            models.Index(
                fields=["display_name"], condition=~models.Q(display_name=""), name="players_player_display_name"
            ),
            models.Index(fields=["id"], condition=models.Q(is_staff=True), name="players_player_staff"),
            models.Index(fields=["id"], condition=models.Q(is_active=False), name="players_player_inactive"),
        ]
        verbose_name = _("player")
        verbose_name_plural = _("players")

    def __str__(self) -> str:
        return self.display_name or self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Saves the person, and takes the names; raises IntegrityError if somebody else has one that looks alike."""
        with transaction.atomic():
            super().save(*args, **kwargs)
            changed = kwargs.get("update_fields")
            if changed is None or {"username", "display_name"} & set(changed):
                self._take_names()

    def _take_names(self) -> None:
        """Only for people: opponents in imported transcripts and bots are called whatever they are called."""
        written = {self.username, self.display_name} if not self.namespace else set()
        wanted = {look for look in map(skeleton, written) if look}
        had = set(self.names.values_list("skeleton", flat=True))
        wanted = {marked if (marked := f"{look}#{self.pk}") in had else look for look in wanted}
        self.names.filter(skeleton__in=had - wanted).delete()
        Name.objects.bulk_create(Name(player=self, skeleton=look) for look in sorted(wanted - had))


class Name(models.Model):
    """A look that belongs to one person (players.skeleton), be it of the log-in name or of the display name.

    A log-in name that looked like an older person's before looks were compared stays, with "#" and the id behind it.
    """

    skeleton = models.CharField(max_length=512, unique=True)
    player = models.ForeignKey(Player, models.CASCADE, related_name="names")
