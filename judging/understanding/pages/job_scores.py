"""The scores that a job came to, sorted by run or by a measure."""

from django.http import HttpRequest
from django.utils.safestring import SafeString

from judging.core.pages.tables import Column, ShownTable, Table
from judging.models import Job

_NO_VALUE = SafeString('<span class="none">no value</span>')
Scores = tuple[str, list[float | None]]
"""A run, and its value by each measure."""


def score_table(request: HttpRequest, job: Job) -> ShownTable:
    """Return the table of the runs by the measures of a job."""
    return Table(
        request,
        [
            Column("run", "Run", lambda row: row[0]),
            *(_column(place, name) for place, name in enumerate(job.result["measures"])),
        ],
        heading="scores",
        of="scores",
        sort="run",
        per_page=0,
        note=f"Means over topics, of which there are {job.result['topics']}",
    ).at_hand(job.result["rows"])


def _column(place: int, measure: str) -> Column[Scores]:
    def value(row: Scores) -> float | None:
        return row[1][place]

    def shown(row: Scores) -> str:
        found = value(row)
        return _NO_VALUE if found is None else f"{found:.4f}"

    return Column(f"-{measure}", measure, shown, by=value)
