"""The attempts at a study's units, for who counts them."""

from collections.abc import Mapping

from django.db.models import Case, IntegerField, QuerySet, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from judging.core.selectors.judgments import ACCEPTED, NOT_EXCLUDED
from judging.models import Assignment, Study, Topic
from judging.protocol.checks import unit_checks


def study_attempts(study: Study) -> QuerySet[Assignment]:
    """All attempts of a study, in no order.

    Found by a list of its topics. Joined to them, a database that keeps no statistics, as SQLite, would look
    through the attempts of one state in all studies.
    """
    return Assignment.objects.filter(topic__in=Topic.objects.filter(study=study).order_by()).order_by()


def counted_attempts(study: Study) -> QuerySet[Assignment]:
    """Those whose judgments count."""
    return study_attempts(study).filter(ACCEPTED, NOT_EXCLUDED)


def failures(letter: str, counts: str = "failed_checks") -> Case:
    """Return an expression: how often an attempt failed a check; null where that is unknown."""
    number = Coalesce(Cast(KeyTextTransform(letter, counts), IntegerField()), 0)
    return Case(When(**{f"{counts}__isnull": True}, then=None), default=number, output_field=IntegerField())


def failures_by_check(counts: Mapping[str, int] | None) -> tuple[int | None, ...]:
    """Return how often an attempt failed each check at the end of its unit; None where that is unknown."""
    return tuple(None if counts is None else counts.get(check.letter, 0) for check in unit_checks())


def begun(study: Study) -> bool:
    """Return whether a topic of the study was ever shown to anybody."""
    return Assignment.objects.filter(topic__study=study).exists()
