"""Start-up of the project itself: rights of the application's database role, and checks of the configuration."""

from django.apps import AppConfig, apps
from django.core.checks import register
from django.db.models.signals import post_migrate


class PlatformConfig(AppConfig):
    """The project package as an app, without models."""

    name = "nardy_platform"
    verbose_name = "Nardy Platform"

    def ready(self) -> None:
        from nardy_platform import checks, field_names, roles
        from players.roles import set_after_migrate

        # The signal is sent once per app with models: the last of them comes when all tables and triggers are there.
        last = [config for config in apps.get_app_configs() if config.models_module][-1]
        post_migrate.connect(roles.grant_after_migrate, sender=last)
        post_migrate.connect(set_after_migrate, sender=last)
        register(checks.roles_differ)
        field_names.translate()
