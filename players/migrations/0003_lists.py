"""Indexes for the operators' list of people, and for finding a person by display name."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0002_names")]

    operations = [
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("display_name", ""), _negated=True),
                fields=["display_name"],
                name="players_player_display_name",
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(condition=models.Q(("is_staff", True)), fields=["id"], name="players_player_staff"),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(condition=models.Q(("is_active", False)), fields=["id"], name="players_player_inactive"),
        ),
    ]
