"""The arms of a study: studies of the same units that differ, for example, in their scale.

The first arm is the front. Workers come to its address, and a researcher opens, pauses and closes all arms
there. A study without arms counts as its own only arm, so callers need no special case.
"""

from django.db.models import Q, QuerySet

from judging.models import Study


def arms_of(study: Study) -> list[Study]:
    """Return all arms, the front first, in the order of the study file. Without arms, return the study."""
    if not study.has_arms:
        return [study]
    front = study.entrance
    return [front, *Study.objects.filter(front=front).order_by("pk")]


def arm_keys(study: Study) -> QuerySet[Study, int]:
    """Return a query for the keys of all arms, or of the study itself. Use it in the filters of queries."""
    front = study.front_id or study.pk
    return Study.with_hidden.filter(Q(pk=front) | Q(front=front)).order_by().values_list("pk", flat=True)
