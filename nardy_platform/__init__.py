"""The project: settings, addresses, processes and embedded services. No business logic."""

from nardy_platform.celery import app as celery_app

__all__ = ["celery_app"]
