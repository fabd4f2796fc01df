from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "players"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ledger import owners
        from players import checks, names  # noqa: F401  (verify_ledger runs the checks)

        owners.register(names.labels, names.find)
