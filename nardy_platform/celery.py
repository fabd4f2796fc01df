"""The Celery application. Tasks are wake-ups: what is to be done stands in the database; sweeps find what got lost."""

import ctypes
import gc
import os
import signal
import time
from typing import Any

from celery import Celery
from celery.beat import Scheduler
from celery.signals import setup_logging, task_prerun, worker_process_init
from django.db import connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardy_platform.settings")
app = Celery("nardy_platform")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _keep_django_logging(**_: Any) -> None:
    """Celery would set up its own; that somebody listens to this signal stops it."""


@worker_process_init.connect
def _die_with_the_worker(**_: Any) -> None:
    """A pool process must not outlive its killed worker, or it would settle beside the worker's successor."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


@worker_process_init.connect
def _leave_old_objects_alone(**_: Any) -> None:
    """What was loaded before the fork stays: the collector need not walk over it in the middle of each batch."""
    gc.freeze()


@task_prerun.connect
def _take_a_usable_connection(**_: Any) -> None:
    """A task goes on with its process's connection, unless that is old or broken. Celery would close it after each task
    (CELERY_DB_REUSE_MAX), and a new one takes longer than settling a game."""
    for connection in connections.all(initialized_only=True):
        connection.close_if_unusable_or_obsolete()


class PulsingScheduler(Scheduler):
    """Beat's schedule in memory (no file to be torn), with a sign of life at each round."""

    PULSE_S = 3
    _pulsed_at = 0.0

    def tick(self, *args: Any, **kwargs: Any) -> float:
        if time.monotonic() - self._pulsed_at > self.PULSE_S:
            from nardy_platform.pulse import beat_once

            beat_once("beat")
            self._pulsed_at = time.monotonic()
        return min(super().tick(*args, **kwargs), self.PULSE_S)
