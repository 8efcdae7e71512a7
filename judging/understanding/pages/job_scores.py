"""The table of the scores that a job has computed."""

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.core.pages.page_table import Column, ShownTable, Table
from judging.models import Job

Scores = tuple[str, list[float | None]]
"""A run, and its value for each measure."""


def score_table(request: HttpRequest, job: Job) -> ShownTable:
    """Return a table of a job's scores, with a row for each run and a column for each measure."""
    topics = job.result["topics"]
    return Table(
        request,
        [
            Column("run", _("Run"), lambda row: row[0]),
            *(_column(place, name) for place, name in enumerate(job.result["measures"])),
        ],
        heading="scores",
        of=_("scores"),
        sort="run",
        per_page=0,
        note=ngettext("Means over {topics} topic", "Means over {topics} topics", topics).format(
            topics=topics
        ),
    ).at_hand(job.result["rows"])


def _column(place: int, measure: str) -> Column[Scores]:
    def value(row: Scores) -> float | None:
        return row[1][place]

    def shown(row: Scores) -> str:
        score = value(row)
        if score is None:
            return format_html('<span class="none">{}</span>', _("no value"))
        return f"{score:.4f}"

    return Column(f"-{measure}", measure, shown, by=value)
