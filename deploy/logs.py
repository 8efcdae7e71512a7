"""What the log looks like: one record a line, a traceback within it, the same fields as JSON or for people.

No record says who somebody is: paths, which may hold a worker's or an invitation's token, give way to the
name of their route, e-mail addresses and the rows that PostgreSQL quotes are taken out, and of what a caller
adds to a record only the fields below get through.
"""

import logging
import re
from typing import Final

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, WrappedLogger

from judging.core.observing import request_ids

FIELDS: Final = ("route", "method", "status", "ms", "bytes", "job", "kind", "outcome")
"""What a record may say beside its message; `request_id` and `job` come from the work under way."""
FORMS: Final = ("plain", "json")
_WITH_PATHS: Final = ("django.request", "django.security")
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w")
_ROW: Final = re.compile(r"^DETAIL: .*$", re.MULTILINE)


class NotTwice(logging.Filter):
    """Leaves out what the line of the request says already: that something was not found, or not allowed."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.ERROR or not record.name.startswith(_WITH_PATHS)


def _say_where(logger: WrappedLogger, method: str, entry: EventDict) -> EventDict:
    record = entry["_record"]
    if record.name.startswith(_WITH_PATHS):
        match = getattr(getattr(record, "request", None), "resolver_match", None)
        entry["event"] = "Something went wrong that should not have"
        entry["route"] = match.view_name if match else "none"
    entry.update(request_ids.fields())
    return entry


def _nobody(logger: WrappedLogger, method: str, entry: EventDict) -> EventDict:
    for name in ("event", "exception"):
        if isinstance(text := entry.get(name), str) and ("@" in text or "DETAIL:" in text):
            entry[name] = _ROW.sub("DETAIL: left out", _ADDRESS.sub("(address)", text))
    return entry


def _for_people(logger: WrappedLogger, method: str, entry: EventDict) -> str:
    head = (
        f"{entry.pop('timestamp')} {entry.pop('level').upper()} {entry.pop('logger')}: {entry.pop('event')}"
    )
    traceback = entry.pop("exception", "")
    pairs = "".join(f" {name}={value}" for name, value in entry.items())
    return f"{head}{pairs}\n{traceback}" if traceback else head + pairs


def formatter(form: str) -> ProcessorFormatter:
    """The formatter of all records, by a name of `FORMS`."""
    return ProcessorFormatter(
        foreign_pre_chain=[
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(allow=FIELDS),
            _say_where,
        ],
        processors=[
            ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _nobody,
            structlog.processors.JSONRenderer(ensure_ascii=False, default=str)
            if form == "json"
            else _for_people,
        ],
    )


def logging_settings(form: str) -> dict[str, object]:
    """Django's LOGGING: everything on stderr."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": "deploy.logs.formatter", "form": form}},
        "filters": {"not_twice": {"()": "deploy.logs.NotTwice"}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "filters": ["not_twice"],
            },
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "plumbline": {"level": "INFO"},
            # Anybody can send a wrong host name; a line for each would only fill the log. Without any handler
            # it would be written to stderr all the same.
            "django.security.DisallowedHost": {"handlers": ["nowhere"], "propagate": False},
        },
    }
