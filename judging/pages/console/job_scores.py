"""The scores that a job came to, sorted by run or by a measure."""

from functools import partial
from operator import itemgetter
from typing import Any

from django.http import HttpRequest

from judging.models import Job
from judging.pages.console.sorting import sorting_of


def scores_sorted(request: HttpRequest, job: Job) -> dict[str, Any]:
    """What the table of scores takes: `rows` of run and values, `columns`, the measures, and `sorting`."""
    measures: list[str] = job.result["measures"]
    by = {"run": itemgetter(0), **{f"-{name}": partial(_value, place) for place, name in enumerate(measures)}}
    sorting = sorting_of(request, *by, default="run")
    return {
        "sorting": sorting,
        "columns": sorting.headings(dict(zip(measures, measures, strict=True))),
        "rows": sorting.rows(job.result["rows"], by),
    }


def _value(place: int, row: tuple[str, list[float | None]]) -> float | None:
    return row[1][place]
