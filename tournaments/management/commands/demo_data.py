"""manage.py demo_data, with tournaments."""

from __future__ import annotations

from games.management.commands import demo_data
from tournaments import demo_site


class Command(demo_data.Command):
    def make(self) -> None:
        super().make()
        self._say("tournaments")
        demo_site.make()
