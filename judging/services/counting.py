"""How many judgments a completed attempt has, kept with it: pages need not count a million rows."""

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from judging.models import Assignment, Judgment
from judging.selectors.judgments import ACCEPTED


def count_judgments(attempts: QuerySet[Assignment]) -> None:
    """Set the number of judgments of these attempts to what is there, where they count; in one query."""
    own = Judgment.objects.filter(assignment=OuterRef("pk")).order_by().values("assignment")
    number = Coalesce(Subquery(own.annotate(number=Count("pk")).values("number")), 0)
    attempts.filter(ACCEPTED).update(judgment_count=number)
