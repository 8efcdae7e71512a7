"""From a study's judgments to normalised magnitudes and gains, one topic in memory at a time."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains, normalise
from judging.core.selectors.judgments import AcceptedJudgment, accepted, accepted_judgments, unit_id
from judging.models import Study


class CountedJudgment(NamedTuple):
    """What of a judgment enters normalisation and gains, in the names of `AcceptedJudgment`."""

    pk: int
    topic: str
    unit: int
    document: str
    worker: str
    magnitude: float
    anchor: str


_COUNTED: Final = (
    "pk",
    "assignment__topic__number",
    "assignment__unit__number",
    "pool_document__document__document_id",
    "assignment__participation__pseudonym",
    "magnitude",
    "pool_document__anchor",
)


def counted(study: Study, topics: Collection[str]) -> Iterator[list[CountedJudgment]]:
    """The judgments that count of these topics, topic after topic, in one query.

    For who needs a whole topic to tell the few numbers of a page: `accepted` reads twice as long.
    """
    found = accepted_judgments().filter(assignment__topic__study=study, assignment__topic__number__in=topics)
    rows = found.order_by("assignment__topic_id").values_list(*_COUNTED).iterator()
    for _, of_topic in groupby(map(CountedJudgment._make, rows), key=lambda row: row.topic):
        yield list(of_topic)


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
