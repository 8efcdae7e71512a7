"""The jobs of a study as the console lists them: narrowed and sorted."""

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
TITLE: Final = "what"
"""What a list of jobs may be sorted by, with `TITLE`; equal ones follow each other the latest first."""


def jobs_of(study: Study, *, kind: str = "", state: str = "") -> QuerySet[Job]:
    """The jobs of a kind and state, or of any, the latest first; worker statistics come by themselves."""
    found = Job.objects.filter(study=study).exclude(kind=JobKind.STATISTICS.value).order_by("-pk")
    wanted = {"kind": kind, "state": state}
    return found.filter(**{name: value for name, value in wanted.items() if value})


def jobs_page(jobs: QuerySet[Job], start: int, stop: int, *, sort: str, descending: bool) -> list[Job]:
    """The jobs from place `start` up to `stop` when sorted by `TITLE` or a key of `JOBS_BY`."""
    whole = jobs.select_related("requested_by")
    if sort != TITLE:
        order = by_columns(JOBS_BY[sort], descending=descending)
        return list(whole.order_by(*order, "-pk")[start:stop])
    # A title is made of parameters, which differ from kind to kind: the database knows none.
    titles = list(jobs.only("kind", "parameters"))
    titles.sort(key=lambda job: natural(job.title), reverse=descending)
    chosen = [job.pk for job in titles[start:stop]]
    found = whole.in_bulk(chosen)
    return [found[pk] for pk in chosen if pk in found]
