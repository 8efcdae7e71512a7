"""How long units take."""

from statistics import median
from typing import Final

from django.db.models import QuerySet

from judging.models import IMPORTED, Assignment, Study
from judging.protocol.judges import PERSON

_LATEST: Final = 500
"""The maximum number of completed units from which times are computed, starting with the latest."""


def median_minutes(studies: QuerySet[Study], *, unit_size: int, least: int = 1) -> float | None:
    """Return the median time in minutes that people took for the latest completed units of this size.

    Return None if there are fewer than `least` units.
    """
    times = (
        Assignment.objects.filter(
            participation__study__in=studies.order_by(),
            participation__study__unit_size=unit_size,
            participation__kind=PERSON.name,
            # Only completed attempts have a code. A filter by state would make SQLite sort all attempts
            # instead of reading backwards from the latest one.
            completion_code__isnull=False,
        )
        .exclude(participation__consent_version=IMPORTED)  # the times of imported units are unknown
        .order_by("-pk")
        .values_list("started_at", "ended_at")[:_LATEST]
    )
    minutes = [(ended - started).total_seconds() / 60 for started, ended in times if started and ended]
    return median(minutes) if len(minutes) >= least else None
