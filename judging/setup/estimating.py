"""What a study in set-up comes to, from its settings as they are typed and from what was read last.

Beside it, how long units took workers in earlier studies.
"""

from statistics import median
from typing import Final

from django.db.models import QuerySet

from judging.models import IMPORTED, Assignment, Study
from judging.protocol.estimates import Estimate, Terms, estimate
from judging.protocol.settings import ANCHORS_PER_UNIT
from judging.setup.reading import Reading, TopicFound

_LATEST: Final = 500


def terms_of(study: Study) -> Terms:
    """Return what the study asks and pays."""
    return Terms(
        unit_size=study.unit_size,
        anchors=ANCHORS_PER_UNIT,
        judgments_per_document=study.judgments_per_document,
        seconds_per_document=study.seconds_per_document,
        expected_minutes=study.expected_minutes,
        pay_per_unit=study.pay_per_unit,
        currency=study.currency,
        platform_fee=study.platform_fee,
    )


def estimate_of(study: Study, reading: Reading, depth: int | None) -> Estimate:
    """Return the estimate for the pools that were read last, cut to a depth if runs make them."""
    as_read = depth is None or depth == reading.get("depth")
    sizes = [_pool_size(topic, None if as_read else depth) for topic in reading.get("topics", ())]
    return estimate(sizes, terms_of(study))


def _pool_size(topic: TopicFound, depth: int | None) -> int:
    """Return the documents beside the anchors; without a depth, as they were read."""
    depths = topic["depths"]
    return int(depths[depth - 1] if depth and depth <= len(depths) else topic["others"])


def at_depths(study: Study, reading: Reading, depths: tuple[int, ...]) -> list[dict[str, object]]:
    """Return what each depth would come to: documents, those that two runs or more agree on, the estimate."""
    rows: list[dict[str, object]] = []
    for depth in depths:
        sizes = [topic["depths"][depth - 1] for topic in reading.get("topics", ()) if topic["depths"]]
        if sizes:
            found = estimate(sizes, terms_of(study))
            shared = reading["shared"][depth - 1]
            rows.append(
                {
                    "depth": depth,
                    "estimate": found,
                    "least": min(sizes),
                    "most": max(sizes),
                    "shared": shared,
                    "percent": round(100 * shared / found.documents) if found.documents else 0,
                }
            )
    return rows


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
