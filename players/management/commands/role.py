"""`manage.py role NAME operators|accountants|none`: give a person a role of staff, or take it away."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from players import roles
from players.models import Player


class Command(BaseCommand):
    help = "Make somebody an operator or an accountant, or a player again. The person signs up on the site first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", help="the log-in name")
        parser.add_argument("role", choices=[*roles.ROLES, "none"])

    def handle(self, *args: Any, username: str, role: str, **options: Any) -> None:
        person = Player.objects.filter(username=username, namespace="").first()
        if person is None:
            raise CommandError(f"Nobody logs in as “{username}”. Sign up on the site, then run this again.")
        if role == "none":
            roles.take_all(person)
            self.stdout.write(f"{username} is a player without a role.")
        else:
            roles.give(person, role)
            self.stdout.write(f"{username} belongs to the {role}, and needs a second factor for /admin/.")
