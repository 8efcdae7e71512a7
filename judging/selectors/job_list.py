"""The jobs of a study as the console lists them: narrowed, sorted, the latest first."""

from dataclasses import dataclass
from typing import Final

from django.db.models import F, QuerySet
from django.db.models.fields.json import KT

from judging.models import Job, JobKind, Study
from judging.selectors.ordering import by_columns

JOBS_BY: Final = {
    "what": ("kind", KT("parameters__what"), KT("parameters__format"), KT("parameters__gains")),
    "state": ("state",),
    "asked": ("created_at", "pk"),
    "by": (F("requested_by__username"),),
}
"""What a list of jobs may be sorted by; equal ones follow each other the latest first."""


@dataclass(frozen=True)
class JobFilter:
    """What is looked for; what is empty does not narrow."""

    kind: str = ""
    state: str = ""


ALL: Final = JobFilter()


def jobs_of(
    study: Study, *, wanted: JobFilter = ALL, sort: str = "asked", descending: bool = True
) -> QuerySet[Job]:
    """The jobs that meet what is wanted, by a key of `JOBS_BY`, but for figures, which come by themselves."""
    found = Job.objects.filter(study=study).exclude(kind=JobKind.FIGURES.value)
    narrowing = {name: value for name, value in vars(wanted).items() if value}
    order = by_columns(JOBS_BY[sort], descending=descending)
    return found.filter(**narrowing).select_related("requested_by").order_by(*order, "-pk")
