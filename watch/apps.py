from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WatchConfig(AppConfig):
    name = "watch"
    verbose_name = _("Oversight")
    default_auto_field = "django.db.models.BigAutoField"
