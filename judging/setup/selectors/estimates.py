"""How long units took workers in earlier studies."""

from statistics import median
from typing import Final

from django.db.models import QuerySet

from judging.models import IMPORTED, Assignment, Study

_LATEST: Final = 500


def measured_minutes(studies: QuerySet[Study], *, unit_size: int) -> float | None:
    """The median minutes of the latest completed units of real workers in these studies; None without any."""
    times = (
        Assignment.objects.filter(
            participation__study__in=studies.order_by(),
            participation__study__unit_size=unit_size,
            participation__simulated=False,
            # Completed ones, as these alone have a code. Asked for their state, SQLite would sort all of them
            # rather than go back from the latest one.
            completion_code__isnull=False,
        )
        .exclude(participation__consent_version=IMPORTED)  # their times are unknown
        .order_by("-pk")
        .values_list("started_at", "ended_at")[:_LATEST]
    )
    minutes = [(ended - started).total_seconds() / 60 for started, ended in times if started and ended]
    return median(minutes) if minutes else None
