"""Estimates of the cost and time of a study in set-up."""

from dataclasses import replace
from itertools import accumulate

from judging.models import Study
from judging.protocol.estimates import Estimate, Terms, estimate
from judging.setup.reading import Reading, TopicSummary


def terms_of(study: Study) -> Terms:
    """Return the study's settings that an estimate needs."""
    return Terms(
        unit_size=study.unit_size,
        anchors=len(study.anchors),
        judgments_per_document=study.judgments_per_document,
        seconds_per_document=study.seconds_per_document,
        expected_minutes=study.expected_minutes,
        pay_per_unit=study.pay_per_unit,
        currency=study.currency,
        platform_fee=study.platform_fee,
    )


def most_terms_of(study: Study) -> Terms | None:
    """Return the terms of an adaptive study, with the maximum number of judgments per document.

    Return None if the study is not adaptive.
    """
    if not study.is_adaptive:
        return None
    most = max(study.most_judgments, study.judgments_per_document)
    return replace(terms_of(study), judgments_per_document=most)


def estimates_of(study: Study, reading: Reading, depth: int | None) -> tuple[Estimate, Estimate | None]:
    """Return two estimates for pools of this depth, or for the pools of the last check if `depth` is None.

    For an adaptive study, the first estimate is for the first round. The second estimate is for the maximum
    number of judgments per document. For other studies, the second estimate is None.
    """
    sizes = _sampled(pool_sizes(reading, depth), study)
    most = most_terms_of(study)
    return estimate(sizes, terms_of(study)), estimate(sizes, most) if most else None


def pool_sizes(reading: Reading, depth: int | None) -> list[int]:
    """Return the number of documents in each pool of this depth, not counting anchors.

    If `depth` is None, these are the pools of the last check.
    """
    as_read = depth is None or depth == reading.get("depth")
    return [_pool_size(topic, None if as_read else depth) for topic in reading.get("topics", ())]


def _pool_size(topic: TopicSummary, depth: int | None) -> int:
    """Return the number of documents in a topic's pool, not counting anchors.

    If `depth` is None, use the pool of the last check.
    """
    depths = topic["depths"]
    return int(depths[depth - 1] if depth and depth <= len(depths) else topic["others"])


def _sampled(pools: list[int], study: Study) -> list[int]:
    """Return how many documents of each pool are judged, not counting anchors.

    For a sample, the documents that its budget leaves besides the anchors are spread in proportion to the
    sizes of the pools. The sample itself can have a few documents more or fewer of a topic.
    """
    if study.sample_budget is None:
        return pools
    drawn = min(sum(pools), max(0, study.sample_budget - len(study.anchors) * len(pools)))
    reached = [round(drawn * part / sum(pools)) if part else 0 for part in accumulate(pools)]
    return [end - start for start, end in zip([0, *reached], reached, strict=False)]


def estimates_by_depth(study: Study, reading: Reading, depths: tuple[int, ...]) -> list[dict[str, object]]:
    """Return a row for each depth at which the sizes of the pools are known.

    A row has the estimate, the number of documents, and the sizes of the smallest and the largest pool. It
    also has the number and percentage of documents that two or more runs retrieve. For an adaptive study,
    `at_most` is the estimate for the maximum number of judgments per document.
    """
    most_terms = most_terms_of(study)
    rows: list[dict[str, object]] = []
    for depth in depths:
        sizes = [topic["depths"][depth - 1] for topic in reading.get("topics", ()) if topic["depths"]]
        if sizes:
            at_depth = estimate(_sampled(sizes, study), terms_of(study))
            shared = reading["shared"][depth - 1]
            rows.append(
                {
                    "depth": depth,
                    "documents": sum(sizes),
                    "estimate": at_depth,
                    "at_most": estimate(sizes, most_terms) if most_terms else None,
                    "least": min(sizes),
                    "most": max(sizes),
                    "shared": shared,
                    "percent": round(100 * shared / sum(sizes)) if sum(sizes) else 0,
                }
            )
    return rows
