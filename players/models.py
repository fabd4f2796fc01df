"""People who log in: players and operators. Money is not here: the ledger knows a player only by id."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class Player(AbstractUser):
    """One person, one account. `namespace` keeps players made by imports apart from people who can log in."""

    namespace = models.CharField(max_length=32, blank=True, default="", editable=False)
    display_name = models.CharField(max_length=60, blank=True)
    language = models.CharField(max_length=2, blank=True, default="")
    theme = models.CharField(max_length=6, blank=True, default="", choices=[("light", "light"), ("dark", "dark")])

    def __str__(self) -> str:
        return self.display_name or self.username
