"""The reports `documents` (gains with their intervals) and `normalised` (every normalised magnitude)."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.magnitudes import intervals
from evaluation.magnitudes.document_gains import KEYS
from evaluation.magnitudes.groups import Groups
from evaluation.scales import scale_of
from judging.limits import RESAMPLES
from judging.models import ReportKind
from judging.understanding.reports.study_data import StudyData
from judging.understanding.services.reports import ComputedReport

LEVEL: Final = 0.95
_POOL: Final = ("topic_id", "document", "grade", "anchor")


def documents_table(data: StudyData) -> pl.DataFrame:
    """Return the judged documents: `topic_id, document_id, judgments, gain, low, high, spread, least, most`.

    `gain, low, high` come from `magnitudes.intervals`. `spread` is exp(σ), where σ is the population standard
    deviation of the logarithms of the document's normalised magnitudes. The spread is 1 if all magnitudes are
    equal, and 2 if a magnitude is typically twice or half the geometric mean. For ratings, the spread is
    null. `least` and `most` are the smallest and the largest normalised magnitude.
    """
    table = data.judgments.table
    groups = Groups.by(table, KEYS)
    values = groups.sorted(data.normalised)
    spreads = table.select(KEYS)[groups.row].with_columns(
        spread=_spreads(data, groups),
        least=values.values[values.starts],
        most=values.values[values.starts + values.sizes - 1],
    )
    gains = intervals(data.judgments, data.normalised, data.random, level=LEVEL, resamples=RESAMPLES)
    return gains.join(spreads, on=KEYS, how="left", maintain_order="left")


def _spreads(data: StudyData, groups: Groups) -> FloatArray | None:
    """Return the spread of each document's magnitudes as a factor.

    Return None for ratings and other numbers whose ratios have no meaning.
    """
    has_ratios = scale_of(data.judgments).has_ratios
    return np.exp(groups.deviations(np.log(data.normalised))) if has_ratios else None


def document_reports(data: StudyData) -> Iterator[ComputedReport]:
    """Yield two reports for each topic that has a pool: `documents` and `normalised`."""
    pool = pl.DataFrame(data.pool, schema=dict.fromkeys(_POOL, pl.String), orient="row")
    judged = documents_table(data).rename({"document_id": "document"})
    documents = pool.join(judged, on=["topic_id", "document"], how="left", maintain_order="left")
    documents = documents.with_columns(pl.col("judgments").fill_null(0))
    normalised: dict[str, dict[str, float]] = defaultdict(dict)
    topics = data.judgments.table["topic_id"]
    for topic, pk, value in zip(topics, data.pks, data.normalised.tolist(), strict=True):
        normalised[topic][str(pk)] = value
    for (topic,), rows in documents.group_by("topic_id", maintain_order=True):
        content = {"documents": rows.drop("topic_id").to_dicts()}
        yield ComputedReport(ReportKind.DOCUMENTS, {"topic": topic}, content)
        yield ComputedReport(ReportKind.NORMALISED, {"topic": topic}, {"magnitudes": normalised[topic]})
