"""`documents`: what each document of a pool is worth, how sure that is, and every normalised magnitude."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, TypedDict

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
_NOT_JUDGED: Final[dict[str, object]] = {
    "judgments": 0,
    "gain": None,
    "low": None,
    "high": None,
    "spread": None,
    "least": None,
    "most": None,
}


class DocumentRow(TypedDict):
    """A document of a pool, as its report keeps it; what a judgment would say is None without any."""

    document: str
    grade: str
    anchor: str
    judgments: int
    gain: float | None
    low: float | None
    high: float | None
    spread: float | None
    least: float | None
    most: float | None


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
    judged: dict[str, dict[str, dict[str, object]]] = defaultdict(dict)
    for row in documents_table(given).iter_rows(named=True):
        topic, document = row.pop("topic_id"), row.pop("document_id")
        judged[topic][document] = row
    documents: dict[str, list[dict[str, object]]] = defaultdict(list)
    for topic, document, grade, anchor in given.pool:
        numbers = judged[topic].get(document, _NOT_JUDGED)
        documents[topic].append({"document": document, "grade": grade, "anchor": anchor, **numbers})
    normalised: dict[str, dict[str, float]] = defaultdict(dict)
    topics = given.judgments.table["topic_id"]
    for topic, pk, value in zip(topics, given.pks, given.normalised.tolist(), strict=True):
        normalised[topic][str(pk)] = value
    for topic, rows in documents.items():
        yield Made(ReportKind.DOCUMENTS, {"topic": topic}, {"documents": rows})
        yield Made(ReportKind.NORMALISED, {"topic": topic}, {"magnitudes": normalised[topic]})
