"""`documents`: what each document of a pool is worth, how sure that is, and every normalised magnitude."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import numpy as np
import polars as pl

from evaluation.magnitudes import intervals
from evaluation.magnitudes.documents import KEYS
from evaluation.magnitudes.groups import Groups
from judging.limits import RESAMPLES
from judging.models import ReportKind
from judging.understanding.reports.given import Given
from judging.understanding.services.reports import Made

LEVEL: Final = 0.95
_POOL: Final = ("topic_id", "document", "grade", "anchor")


def documents_table(given: Given) -> pl.DataFrame:
    """The judged documents: `topic_id, document_id, judgments, gain, low, high, spread, least, most`.

    `gain, low, high` are those of `magnitudes.intervals`. `spread` is exp(σ), σ the population standard
    deviation of the logarithms of the document's normalised magnitudes: 1 where all agree, 2 where a
    magnitude is typically twice or half the geometric mean. `least` and `most` are the extremes of these.
    """
    table = given.judgments.table
    groups = Groups.by(table, KEYS)
    values = groups.sorted(given.normalised)
    spreads = table.select(KEYS)[groups.row].with_columns(
        spread=np.exp(groups.deviations(np.log(given.normalised))),
        least=values.values[values.starts],
        most=values.values[values.starts + values.sizes - 1],
    )
    found = intervals(given.judgments, given.normalised, given.dice, level=LEVEL, resamples=RESAMPLES)
    return found.join(spreads, on=KEYS, how="left", maintain_order="left")


def document_reports(given: Given) -> Iterator[Made]:
    """Of each topic with a pool one report of its documents and one of their normalised magnitudes."""
    pool = pl.DataFrame(given.pool, schema=dict.fromkeys(_POOL, pl.String), orient="row")
    judged = documents_table(given).rename({"document_id": "document"})
    documents = pool.join(judged, on=["topic_id", "document"], how="left", maintain_order="left")
    documents = documents.with_columns(pl.col("judgments").fill_null(0))
    normalised: dict[str, dict[str, float]] = defaultdict(dict)
    topics = given.judgments.table["topic_id"]
    for topic, pk, value in zip(topics, given.pks, given.normalised.tolist(), strict=True):
        normalised[topic][str(pk)] = value
    for (topic,), rows in documents.group_by("topic_id", maintain_order=True):
        kept = {"documents": rows.drop("topic_id").to_dicts()}
        yield Made(ReportKind.DOCUMENTS, {"topic": topic}, kept)
        yield Made(ReportKind.NORMALISED, {"topic": topic}, {"magnitudes": normalised[topic]})
