"""The attempts at a study's units, for who counts them."""

from django.db.models import QuerySet

from judging.models import Assignment, Study, Topic
from judging.selectors.judgments import ACCEPTED, NOT_EXCLUDED


def study_attempts(study: Study) -> QuerySet[Assignment]:
    """All attempts of a study, in no order.

    Found by a list of its topics. Joined to them, a database that keeps no statistics, as SQLite, would look
    through the attempts of one state in all studies.
    """
    return Assignment.objects.filter(topic__in=Topic.objects.filter(study=study).order_by()).order_by()


def counted_attempts(study: Study) -> QuerySet[Assignment]:
    """Those whose judgments count."""
    return study_attempts(study).filter(ACCEPTED, NOT_EXCLUDED)
