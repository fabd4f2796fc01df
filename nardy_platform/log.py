"""Logs as one JSON object per line, without secrets."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, MutableMapping
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponseBase

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
SECRET_NAMES = re.compile(
    r"password|passwd|secret|token|cookie|authorization|seed|session_?key|api_?key", re.IGNORECASE
)
# In addresses, log-in data of URLs, and "name=value" or "name: value" inside a message.
SECRET_IN_TEXT = [
    (re.compile(r"(://[^/\s:@]*):[^@/\s]+@"), r"\1:[hidden]@"),
    (
        re.compile(r"(?i)((?:password|secret|token|seed|sessionid)\w*[\"']?\s*[=:]\s*[\"']?)[^\s&\"',;)]+"),
        r"\1[hidden]",
    ),
]


def hide_secrets(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """structlog processor: values of telling names, and telling parts of texts, are replaced by "[hidden]"."""
    event.pop("color_message", None)  # uvicorn's, for terminals
    for name, value in event.items():
        if name != "event" and SECRET_NAMES.search(name):
            event[name] = "[hidden]"
        elif isinstance(value, str):
            for pattern, replacement in SECRET_IN_TEXT:
                value = pattern.sub(replacement, value)
            event[name] = value
    return event


SHARED: list[structlog.types.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    structlog.processors.UnicodeDecoder(),
    hide_secrets,
]


def configuration(level: str) -> dict[str, Any]:
    """Django's LOGGING; structlog's own loggers go the same way."""
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": SHARED,
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    }
    quiet = {
        name: {"level": "WARNING"} for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace", "axes")
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {"django": {"handlers": [], "propagate": True}, "django.server": {"propagate": True}, **quiet},
    }


class RequestLog:
    """One line per page: who asked what, and how long it took. Not the query of the address: it may hold a token."""

    logger = logging.getLogger("nardy.request")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = self.get_response(request)
        if not request.path_info.startswith("/static/"):
            user = getattr(request, "user", None)
            self.logger.info(
                "request",
                extra={
                    "method": request.method,
                    "path": request.path,
                    "status": response.status_code,
                    "ms": round((time.perf_counter() - began) * 1000),
                    # Not asked from the database for this line: only if the page itself looked who it is.
                    "user_id": user.pk if user is not None and getattr(request, "_cached_user", None) else None,
                },
            )
        return response
