from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import live, queries
        from ledger import references
        from tournaments import checks, wake  # noqa: F401  (verify_ledger runs the checks)
        from tournaments.queries import admin_link, may_listen

        live.register("tournament", "tournaments_tournament")
        queries.READERS["tournament"] = may_listen
        references.register("tournament", admin_link)
        wake.listen()
