"""The Celery application. Tasks are wake-ups: what is to be done stands in the database, and sweeps find what got lost."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
app = Celery("nardy_platform")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
