"""The project's own task: the worker shows that it works."""

from celery import shared_task

from nardy_platform.pulse import beat_once


@shared_task(ignore_result=True, expires=10)
def pulse() -> None:
    """Run by the worker every few seconds, so that its sign of life means that it really takes tasks."""
    beat_once("worker")
