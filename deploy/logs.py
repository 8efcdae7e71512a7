"""The format of the log. Each record and its fields become one JSON object, or one line of text for people.

Records contain no personal data. Paths can contain the token of a worker or an invitation, so the log has the
name of the route instead. The formatter removes e-mail addresses and the table rows that PostgreSQL quotes
in errors. Callers can add fields to a record, but the formatter keeps only `FIELDS`.
"""

import logging
import re
from typing import Final

import structlog
from django.http.request import split_domain_port
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, WrappedLogger

from judging.core.observing import request_ids

FIELDS: Final = ("route", "method", "status", "ms", "bytes", "job", "kind", "outcome")
"""The fields that callers can add. The formatter itself adds the id of the current request or job."""
FORMS: Final = ("plain", "json")
MOST_HOSTS: Final = 20
_LONGEST_HOST: Final = 253
_WITH_PATHS: Final = ("django.request", "django.security")
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w")
_ROW: Final = re.compile(r"^DETAIL: .*$", re.MULTILINE)


class SkipRefusedRequests(logging.Filter):
    """Drop Django's records of refused requests, such as those with the status 404 or 403.

    The log already has a line for every request.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to keep the record."""
        return record.levelno >= logging.ERROR or not record.name.startswith(_WITH_PATHS)


class TellRefusedHosts(logging.Filter):
    """Turn Django's record of a refused host into a line that says what to set, once for each host.

    Anybody can send requests with any host, so a process names only the first `MOST_HOSTS` of them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to keep the record."""
        request = getattr(record, "request", None)
        host = str(request.META.get("HTTP_HOST", ""))[:_LONGEST_HOST] if request else ""
        domain = split_domain_port(host.lower())[0]
        if (domain or host) in self._told or len(self._told) > MOST_HOSTS:
            return False
        self._told.add(domain or host)
        if len(self._told) > MOST_HOSTS:
            text = "Refused more hosts. The log names no more of them until the site restarts."
        elif domain:
            text = (
                f"Refused requests for the host {domain}. If people reach the site under this name, add it to"
                " PLUMBLINE_ALLOWED_HOSTS, and restart the site."
            )
        else:
            text = (
                f"Refused requests for the host {host!r}, which is not a host name. If a proxy sends it,"
                " let the proxy send the host that the browser requested."
            )
        record.name, record.levelno, record.levelname = "plumbline.hosts", logging.WARNING, "WARNING"
        record.msg, record.args, record.exc_info = text, (), None
        return True


def _name_route(logger: WrappedLogger, method: str, entry: EventDict) -> EventDict:
    record = entry["_record"]
    if record.name.startswith(_WITH_PATHS):
        match = getattr(getattr(record, "request", None), "resolver_match", None)
        entry["event"] = "Unexpected error"
        entry["route"] = match.view_name if match else "none"
    entry.update(request_ids.fields())
    return entry


def _remove_personal_data(logger: WrappedLogger, method: str, entry: EventDict) -> EventDict:
    for name in ("event", "exception"):
        if isinstance(text := entry.get(name), str) and ("@" in text or "DETAIL:" in text):
            entry[name] = _ROW.sub("DETAIL: (removed)", _ADDRESS.sub("(address)", text))
    return entry


def _format_plain(logger: WrappedLogger, method: str, entry: EventDict) -> str:
    head = (
        f"{entry.pop('timestamp')} {entry.pop('level').upper()} {entry.pop('logger')}: {entry.pop('event')}"
    )
    traceback = entry.pop("exception", "")
    pairs = "".join(f" {name}={value}" for name, value in entry.items())
    return f"{head}{pairs}\n{traceback}" if traceback else head + pairs


def formatter(form: str) -> ProcessorFormatter:
    """Return the formatter that writes all records in the given form, which is one of `FORMS`."""
    return ProcessorFormatter(
        foreign_pre_chain=[
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(allow=FIELDS),
            _name_route,
        ],
        processors=[
            ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _remove_personal_data,
            structlog.processors.JSONRenderer(ensure_ascii=False, default=str)
            if form == "json"
            else _format_plain,
        ],
    )


def logging_settings(form: str) -> dict[str, object]:
    """Return Django's LOGGING setting, which sends everything to stderr."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": "deploy.logs.formatter", "form": form}},
        "filters": {
            "skip_refused_requests": {"()": "deploy.logs.SkipRefusedRequests"},
            "tell_refused_hosts": {"()": "deploy.logs.TellRefusedHosts"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "filters": ["skip_refused_requests"],
            },
        },
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "plumbline": {"level": "INFO"},
            # Below this level, they log the addresses of models.
            "httpx2": {"level": "WARNING"},
            "openai": {"level": "WARNING"},
            "django.security.DisallowedHost": {"filters": ["tell_refused_hosts"]},
        },
    }
