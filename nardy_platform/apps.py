"""Start-up of the project itself: rights of the application's database role, and checks of the configuration."""

from django.apps import AppConfig
from django.core.checks import register
from django.db.models.signals import post_migrate


class PlatformConfig(AppConfig):
    """Last in INSTALLED_APPS, so that its post_migrate comes after all tables and triggers are there."""

    name = "nardy_platform"
    verbose_name = "Nardy Platform"

    def ready(self) -> None:
        from nardy_platform import checks, roles

        post_migrate.connect(roles.grant_after_migrate, sender=self)
        register(checks.roles_differ)
