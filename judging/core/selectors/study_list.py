"""Studies as the console lists them: narrowed and sorted, of those that somebody may see."""

from dataclasses import dataclass
from typing import Final

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from judging.core.selectors.ordering import Sortable, by_columns
from judging.models import Study

STUDIES_BY: Final[dict[str, Sortable]] = {
    "name": "slug",
    "title": Lower("title"),
    "state": "state",
    "created": "created_at",
}
"""What studies may be sorted by; equal ones follow each other by slug."""


@dataclass(frozen=True)
class StudyFilter:
    """What is looked for: a part of the title or slug, and a state; what is empty does not narrow."""

    find: str = ""
    state: str = ""


def matching(
    studies: QuerySet[Study], wanted: StudyFilter, *, sort: str = "name", descending: bool = False
) -> QuerySet[Study]:
    """Those of these studies that meet what is wanted, sorted by a key of `STUDIES_BY`."""
    if wanted.find:
        studies = studies.filter(Q(title__icontains=wanted.find) | Q(slug__icontains=wanted.find))
    if wanted.state:
        studies = studies.filter(state=wanted.state)
    return studies.order_by(*by_columns([STUDIES_BY[sort]], descending=descending), "slug")
