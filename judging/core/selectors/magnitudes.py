"""Normalised magnitudes and gains from a study's judgments, with only one topic in memory at a time."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.scales import scale_named
from evaluation.scales.scale import Scale
from judging.core.selectors.judgments import AcceptedJudgment, CountedJudgment, accepted, unit_id
from judging.core.selectors.kinds import Kinds
from judging.models import Study
from judging.protocol.anchor_pairs import gold
from judging.protocol.scales import compares_pairs, scale_of

Rows = Sequence[AcceptedJudgment] | Sequence[CountedJudgment]


def judgments_frame(study: Study, rows: Rows) -> Judgments:
    """Return a study's judgments as a frame for `evaluation`, with the ids that exports use."""
    return Judgments.from_columns(
        [row.topic for row in rows],
        [unit_id(row.topic, row.unit) for row in rows],
        [row.document for row in rows],
        [row.number for row in rows],
        [row.worker for row in rows],
        [gold(row.anchor) for row in rows],
        [row.compared_with for row in rows] if compares_pairs(study) else None,
        scale=scale_of(study).library,
    )


def library_scale(study: Study) -> Scale:
    """Return the study's scale as `evaluation` declares it."""
    return scale_named(scale_of(study).library)


def gains_have_ratios(study: Study) -> bool:
    """Return whether ratios and logarithms of the study's gains have a meaning."""
    scale = library_scale(study)
    return scale.gains_have_ratios(scale.statistics[0])


def normalised(study: Study, rows: Sequence[AcceptedJudgment]) -> list[float | None]:
    """Return the normalised magnitude of each row of a topic, or None for rows of excluded units."""
    counted = np.array([row.excluded_at is None for row in rows], dtype=bool)
    values = np.full(len(rows), np.nan)
    if counted.any():
        included = [row for row, counts in zip(rows, counted, strict=True) if counts]
        values[counted] = normalise(judgments_frame(study, included), study.normalisation)
    return [value if counts else None for value, counts in zip(values.tolist(), counted, strict=True)]


def scores(study: Study, rows: Sequence[CountedJudgment]) -> Iterator[tuple[int, float]]:
    """Yield the key and the normalised magnitude of each row.

    `rows` must be all counted judgments of a topic.
    """
    return zip(
        (row.pk for row in rows),
        normalise(judgments_frame(study, rows), study.normalisation).tolist(),
        strict=True,
    )


def gains_by_topic(study: Study, kinds: Kinds = None) -> Iterator[Gains]:
    """Yield a table of gains for each topic that has judgments.

    A gain is the median of a document's normalised magnitudes.
    """
    for _, rows in accepted(study, kinds=kinds):
        yield topic_gains(study, rows)


def topic_gains(study: Study, rows: Rows) -> Gains:
    """Return the gains of a topic. `rows` must be all counted judgments of the topic."""
    judgments = judgments_frame(study, rows)
    return gains(judgments, normalise(judgments, study.normalisation))


def study_gains(study: Study, kinds: Kinds = None) -> Gains:
    """Return a table of the gains of all topics, sorted by topic and document.

    The table is empty if there are no judgments.
    """
    tables = [topic.table for topic in gains_by_topic(study, kinds)]
    # The gains of each topic were checked when they were computed.
    return Gains.from_checked(pl.concat(tables)) if tables else Gains({})
