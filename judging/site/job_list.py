"""Read, filter and sort the jobs of a study for the console."""

from collections.abc import Mapping, Sequence
from typing import Final

from django.db.models import F, QuerySet

from judging.core.selectors.ordering import Sortable, by_columns, natural
from judging.models import Job, JobKind, Study

JOBS_BY: Final[Mapping[str, Sequence[Sortable]]] = {
    "state": ["state"],
    "asked": ["created_at", "pk"],
    "by": [F("requested_by__username")],
}
"""Maps each sort key except `TITLE` to the columns by which the database sorts.

Jobs with equal values are sorted latest first.
"""
TITLE: Final = "what"
"""The sort key of a job's title, by which the database cannot sort."""


def jobs_of(study: Study, *, kind: str = "", state: str = "") -> QuerySet[Job]:
    """Return the jobs of a study, latest first. Jobs that compute worker statistics are left out.

    If `kind` or `state` is given, return only the jobs of this kind or in this state.
    """
    jobs = Job.objects.filter(study=study).exclude(kind=JobKind.STATISTICS.value).order_by("-pk")
    conditions = {"kind": kind, "state": state}
    return jobs.filter(**{name: value for name, value in conditions.items() if value})


def jobs_page(jobs: QuerySet[Job], start: int, stop: int, *, sort: str, descending: bool) -> list[Job]:
    """Sort the jobs, and return `[start:stop]` of the sorted list.

    `sort` is `TITLE` or a key of `JOBS_BY`.
    """
    with_requester = jobs.select_related("requested_by")
    if sort != TITLE:
        order = by_columns(JOBS_BY[sort], descending=descending)
        return list(with_requester.order_by(*order, "-pk")[start:stop])
    # The database cannot sort by title, because each kind of job builds the title from different parameters.
    titles = list(jobs.only("kind", "parameters"))
    titles.sort(key=lambda job: natural(job.title), reverse=descending)
    chosen = [job.pk for job in titles[start:stop]]
    by_pk = with_requester.in_bulk(chosen)
    return [by_pk[pk] for pk in chosen if pk in by_pk]
