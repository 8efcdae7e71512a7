"""Estimates of the cost and time of a study in set-up, and the median time of a unit in earlier studies."""

from statistics import median
from typing import Final

from django.db.models import QuerySet

from judging.models import IMPORTED, Assignment, Study
from judging.protocol.estimates import Estimate, Terms, estimate
from judging.protocol.settings import ANCHORS_PER_UNIT
from judging.setup.reading import Reading, TopicSummary

_LATEST: Final = 500


def terms_of(study: Study) -> Terms:
    """Return the settings of the study that an estimate needs."""
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
    """Return the estimate for the pools at `depth` or, if it is None, for the pools of the last check."""
    as_read = depth is None or depth == reading.get("depth")
    sizes = [_pool_size(topic, None if as_read else depth) for topic in reading.get("topics", ())]
    return estimate(sizes, terms_of(study))


def _pool_size(topic: TopicSummary, depth: int | None) -> int:
    """Return the size of a topic's pool without anchors, at `depth` or, if it is None, in the last check."""
    depths = topic["depths"]
    return int(depths[depth - 1] if depth and depth <= len(depths) else topic["others"])


def estimates_by_depth(study: Study, reading: Reading, depths: tuple[int, ...]) -> list[dict[str, object]]:
    """Return a row per depth: pool size, number of documents that two or more runs retrieve, estimate."""
    rows: list[dict[str, object]] = []
    for depth in depths:
        sizes = [topic["depths"][depth - 1] for topic in reading.get("topics", ()) if topic["depths"]]
        if sizes:
            at_depth = estimate(sizes, terms_of(study))
            shared = reading["shared"][depth - 1]
            rows.append(
                {
                    "depth": depth,
                    "estimate": at_depth,
                    "least": min(sizes),
                    "most": max(sizes),
                    "shared": shared,
                    "percent": round(100 * shared / at_depth.documents) if at_depth.documents else 0,
                }
            )
    return rows


def median_minutes(studies: QuerySet[Study], *, unit_size: int) -> float | None:
    """Return the median minutes of the latest completed units of real workers, or None if there are none."""
    times = (
        Assignment.objects.filter(
            participation__study__in=studies.order_by(),
            participation__study__unit_size=unit_size,
            participation__simulated=False,
            # Only completed attempts have a code. A filter by state would make SQLite sort all attempts
            # instead of reading backwards from the latest one.
            completion_code__isnull=False,
        )
        .exclude(participation__consent_version=IMPORTED)  # their times are unknown
        .order_by("-pk")
        .values_list("started_at", "ended_at")[:_LATEST]
    )
    minutes = [(ended - started).total_seconds() / 60 for started, ended in times if started and ended]
    return median(minutes) if minutes else None
