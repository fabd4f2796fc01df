from django.apps import AppConfig
from django.urls import reverse


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import checks  # noqa: F401  (verify_ledger runs them)
        from ledger import references

        references.register("game", _operators_page)


def _operators_page(game_id: str) -> str | None:
    """Where the ledger's admin links "game:12" to."""
    return reverse("admin:games_game_change", args=[game_id]) if game_id.isdigit() else None
