"""The looks of all names, each somebody's alone: the older account keeps it (players.skeleton)."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from players.skeleton import skeleton


def fill(apps: Any, schema_editor: Any) -> None:
    """The older account keeps a look. A younger one's display name is emptied; its log-in name, needed to get in, stays."""
    Player, Name = apps.get_model("players", "Player"), apps.get_model("players", "Name")
    taken: set[str] = set()
    for player in Player.objects.filter(namespace="").order_by("pk").only("username", "display_name"):
        mine: set[str] = set()
        look = skeleton(player.username)
        if look:
            mine.add(f"{look}#{player.pk}" if look in taken else look)
        shown = skeleton(player.display_name)
        if shown and shown in taken - mine:
            Player.objects.filter(pk=player.pk).update(display_name="")
        elif shown:
            mine.add(shown)
        Name.objects.bulk_create(Name(player_id=player.pk, skeleton=look) for look in sorted(mine))
        taken |= mine


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]
    operations = [
        migrations.AlterModelOptions(
            name="player", options={"verbose_name": "player", "verbose_name_plural": "players"}
        ),
        migrations.CreateModel(
            name="Name",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("skeleton", models.CharField(max_length=512, unique=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="names", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
