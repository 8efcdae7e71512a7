"""From a study's judgments to normalised magnitudes and gains, one topic in memory at a time."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains, normalise
from judging.core.selectors.judgments import AcceptedJudgment, CountedJudgment, accepted, unit_id
from judging.models import Study


def judgments_frame(rows: Sequence[AcceptedJudgment | CountedJudgment]) -> Judgments:
    """The rows as the columns that `evaluation` works on, named as in an export."""
    return Judgments.from_columns(
        [row.topic for row in rows],
        [unit_id(row.topic, row.unit) for row in rows],
        [row.document for row in rows],
        [row.magnitude for row in rows],
        [row.worker for row in rows],
        [row.anchor for row in rows],
    )


def normalised(rows: Sequence[AcceptedJudgment]) -> list[float | None]:
    """One normalised magnitude per row of one topic; None for excluded units, which enter nothing."""
    counted = np.array([row.excluded_at is None for row in rows], dtype=bool)
    values = np.full(len(rows), np.nan)
    if counted.any():
        kept = [row for row, counts in zip(rows, counted, strict=True) if counts]
        values[counted] = normalise(judgments_frame(kept))
    return [value if counts else None for value, counts in zip(values.tolist(), counted, strict=True)]


def scores(rows: Sequence[CountedJudgment]) -> Iterator[tuple[int, float]]:
    """Judgment and normalised magnitude, of all the judgments of a topic that count."""
    return zip((row.pk for row in rows), normalise(judgments_frame(rows)).tolist(), strict=True)


def gains_by_topic(study: Study) -> Iterator[Gains]:
    """The gains of each topic that has judgments: the median of a document's normalised magnitudes."""
    for _, rows in accepted(study):
        yield topic_gains(rows)


def topic_gains(rows: Sequence[AcceptedJudgment | CountedJudgment]) -> Gains:
    """The gains from all the judgments of a topic that count."""
    judgments = judgments_frame(rows)
    return gains(judgments, normalise(judgments))


def study_gains(study: Study) -> Gains:
    """The gains of all topics, sorted by topic and document; without any judgment an empty table."""
    tables = [found.table for found in gains_by_topic(study)]
    if not tables:
        return Gains.from_columns([], [], _no_numbers())
    table = pl.concat(tables)
    return Gains.from_columns(table["topic_id"], table["document_id"], table["gain"])


def _no_numbers() -> FloatArray:
    return np.empty(0)
