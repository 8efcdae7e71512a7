"""Queries for the attempts at a study's units, and for their failed checks."""

from collections.abc import Mapping, Sequence

from django.db.models import Case, IntegerField, QuerySet, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from judging.core.selectors.judgments import ACCEPTED, NOT_EXCLUDED
from judging.core.selectors.kinds import Kinds, by_counted, by_counted_in
from judging.models import Assignment, Study, Topic
from judging.protocol.checks import unit_checks


def study_attempts(study: Study, kinds: Kinds = None) -> QuerySet[Assignment]:
    """Return all attempts of the workers that a study counts, unordered.

    The query selects attempts by the study's topics. If it used a join, a database without statistics, such
    as SQLite, would scan the attempts of all studies.
    """
    topics = Topic.objects.filter(study=study).order_by()
    return Assignment.objects.filter(by_counted(study, kinds=kinds), topic__in=topics).order_by()


def counted_attempts(study: Study, kinds: Kinds = None) -> QuerySet[Assignment]:
    """Return a study's attempts whose judgments count."""
    return study_attempts(study, kinds).filter(ACCEPTED, NOT_EXCLUDED)


def counted_attempts_in(studies: Sequence[Study]) -> QuerySet[Assignment]:
    """Return the attempts of several studies whose judgments count, unordered."""
    topics = Topic.objects.filter(study__in=studies).order_by()
    attempts = Assignment.objects.filter(by_counted_in(studies), ACCEPTED, NOT_EXCLUDED, topic__in=topics)
    return attempts.order_by()


def failures(letter: str, counts: str = "failed_checks") -> Case:
    """Return an expression for how often an attempt failed the check with this letter.

    The expression is null if the number is unknown.
    """
    number = Coalesce(Cast(KeyTextTransform(letter, counts), IntegerField()), 0)
    return Case(When(**{f"{counts}__isnull": True}, then=None), default=number, output_field=IntegerField())


def failures_by_check(counts: Mapping[str, int] | None) -> tuple[int | None, ...]:
    """Return how often an attempt failed each of `unit_checks`. If that is unknown, every number is None."""
    return tuple(None if counts is None else counts.get(check.letter, 0) for check in unit_checks())


def has_begun(study: Study) -> bool:
    """Return whether any unit of the study has ever been assigned to a judge of any kind."""
    return Assignment.objects.filter(topic__study=study).exists()
