"""The limits of Plumbline, which docs/reference/limits.md lists."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final, NamedTuple


class Rate(NamedTuple):
    """At most `most` attempts within `seconds` seconds of the first one."""

    most: int
    seconds: int

    def __str__(self) -> str:
        return f"{self.most:,} in {span(timedelta(seconds=self.seconds))}"

    @property
    def throttle(self) -> str:
        """Return this rate in the format of Django REST framework, such as "600/m"."""
        return f"{self.most}/{ {1: 's', 60: 'm', 3600: 'h', 86_400: 'd'}[self.seconds] }"


LONGEST_NUMBER: Final = 200
LONGEST_REASON: Final = 5000
LONGEST_PASSAGE: Final = 5000
LONGEST_PLATFORM_ID: Final = 200
"""The maximum lengths of the texts that a worker sends. Longer texts are rejected and never stored."""

FORMS_OF_WORKER: Final = Rate(240, 60)
ARRIVALS: Final = Rate(1000, 3600)
RESERVATIONS: Final = Rate(1000, 3600)
WORKER_COOKIE: Final = timedelta(days=180)
KEPT_AFTER_LAPSE: Final = timedelta(hours=24)
MOST_REINSTATEMENTS: Final = 3

WRONG_FROM_ADDRESS: Final = Rate(10, 60)
WRONG_FOR_ACCOUNT: Final = Rate(20, 1800)
RESETS_FROM_ADDRESS: Final = Rate(10, 3600)
RESETS_FOR_EMAIL: Final = Rate(3, 3600)
RESET_LINK: Final = timedelta(hours=4)
INVITATIONS: Final = Rate(50, 3600)
INVITATION: Final = timedelta(days=7)
MOST_LINKS: Final = 5000

ROWS_PER_PAGE: Final = 50
STUDIES_PER_PAGE: Final = 20
UNITS_PER_PAGE: Final = 25
KEPT_PREVIEW: Final = timedelta(hours=4)

API_ROWS: Final = 100
API_MOST_ROWS: Final = 1000
API_ACCOUNT: Final = Rate(600, 60)
API_ADDRESS: Final = Rate(60, 60)
API_LOG_IN: Final = Rate(10, 60)
FORM_MEGABYTES: Final = 5
LABELS_MEGABYTES: Final = 8

PICTURE_MEGABYTES: Final = 5

TIDYING: Final = timedelta(minutes=5)
MOST_ATTEMPTS: Final = 3
MOST_ATTEMPTS_TO_TELL: Final = timedelta(days=1) // TIDYING
WEBHOOK_SECONDS: Final = 10.0
STATISTICS_FRESH: Final = timedelta(minutes=15)
METRICS_SECONDS: Final = 5.0
KEPT_EXPORTS: Final = timedelta(days=7)
KEPT_REPORTS: Final = 20
RESAMPLES: Final = 2000
RECENT: Final = timedelta(days=7)


def markdown() -> Iterator[str]:
    """Yield the tables of docs/reference/limits.md, line by line."""
    for title, rows in _tables().items():
        yield f"\n## {title}\n\n| what | limit |\n|---|---|\n"
        for subject, limit in rows.items():
            text = span(limit) if isinstance(limit, timedelta) else str(limit)
            yield f"| {subject} | {text} |\n"


def _tables() -> dict[str, dict[str, str | timedelta | Rate]]:
    return {
        "Workers": {
            "number typed for a document or a line": f"{LONGEST_NUMBER} characters",
            "reason for a number": f"{LONGEST_REASON:,} characters",
            "passage that decided": f"{LONGEST_PASSAGE:,} characters",
            "each id that a crowd platform sends": f"{LONGEST_PLATFORM_ID} characters",
            "forms sent by one worker": FORMS_OF_WORKER,
            "workers who start from one address, unless `PLUMBLINE_ARRIVALS_PER_HOUR` is set": ARRIVALS,
            "units reserved from one address, unless `PLUMBLINE_RESERVATIONS_PER_HOUR` is set": RESERVATIONS,
            "time for which a browser remembers a worker": WORKER_COOKIE,
            "time for which an expired unit keeps its answers": KEPT_AFTER_LAPSE,
            "times that a worker can resume an expired unit without a new answer": f"{MOST_REINSTATEMENTS}",
        },
        "Accounts": {
            "wrong passwords from one address": WRONG_FROM_ADDRESS,
            "wrong passwords for one account": WRONG_FOR_ACCOUNT,
            "password resets requested from one address": RESETS_FROM_ADDRESS,
            "password resets sent to one e-mail address": RESETS_FOR_EMAIL,
            "time for which a reset link is valid": RESET_LINK,
            "invitations sent by one account": INVITATIONS,
            "time for which an invitation is valid": INVITATION,
            "personal links created at once": f"{MOST_LINKS:,}",
        },
        "Console and API": {
            "rows on a page of the console": f"{ROWS_PER_PAGE}",
            "studies on a page": f"{STUDIES_PER_PAGE}",
            "units on the page of a worker, and uses of *Back* on a page": f"{UNITS_PER_PAGE}",
            "time for which a preview as a worker is kept": KEPT_PREVIEW,
            "rows on a page of the API": f"{API_ROWS}, at most {API_MOST_ROWS:,} with `page_size`",
            "API requests of one account": API_ACCOUNT,
            "API requests without an account from one address": API_ADDRESS,
            "API log-ins from one address": API_LOG_IN,
            "size of a form or an API request without its files": f"{FORM_MEGABYTES} MB",
            "size of a file of labels that is added on a page, unpacked": f"{LABELS_MEGABYTES} MB",
        },
        "Documents": {
            "size of a picture": f"{PICTURE_MEGABYTES} MB",
        },
        "Jobs and figures": {
            "time between two checks for expired units, due jobs and notices": TIDYING,
            "attempts at a job": f"{MOST_ATTEMPTS}",
            "attempts to deliver a message": f"{MOST_ATTEMPTS_TO_TELL}, one every {span(TIDYING)}",
            "time in which a webhook must answer": timedelta(seconds=WEBHOOK_SECONDS),
            "time between two updates of the worker statistics": STATISTICS_FRESH,
            "time for which `/metrics` keeps what it has read": timedelta(seconds=METRICS_SECONDS),
            "time for which an exported file is kept": KEPT_EXPORTS,
            "score tables, and figures of each kind, kept for each study": f"{KEPT_REPORTS}",
            "resamples behind a document's interval": f"{RESAMPLES:,}",
            "age of an event after which no notice is sent": RECENT,
        },
    }


def span(length: timedelta) -> str:
    """Return a duration in words, such as "4 hours"."""
    seconds = length.total_seconds()
    for unit, size in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds % size == 0:
            return f"{seconds / size:g} {unit}{'s' * (seconds != size)}"
    return f"{seconds:g} seconds"
