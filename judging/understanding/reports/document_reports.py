"""The reports `documents` (gains with their intervals) and `normalised` (every normalised magnitude).

The report `documents` without a topic is the list of the documents of all topics.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np
import polars as pl

from evaluation.arrays import FloatArray
from evaluation.frames import Gains
from evaluation.magnitudes import intervals
from evaluation.magnitudes.document_gains import KEYS
from evaluation.magnitudes.groups import Groups
from evaluation.scales import scale_of
from judging.core.selectors.magnitudes import gains_have_ratios
from judging.limits import RESAMPLES
from judging.models import ReportKind
from judging.protocol.grades import LETTERS, gain_of, shown_gain, shown_letter
from judging.understanding.reports.stored_table import table_to_store
from judging.understanding.reports.study_data import StudyData
from judging.understanding.services.reports import ComputedReport

LEVEL: Final = 0.95
_POOL: Final = ("topic_id", "document", "grade", "anchor")


def documents_table(data: StudyData) -> pl.DataFrame:
    """Return the judged documents: `topic_id, document_id, judgments, gain, low, high, spread, least, most`.

    `gain, low, high` come from `magnitudes.intervals`, with the spread of the topic in an adaptive study.
    `spread` is exp(σ), where σ is the population standard deviation of the logarithms of the document's
    normalised magnitudes. The spread is 1 if all magnitudes are equal, and 2 if a magnitude is typically
    twice or half the geometric mean. Without ratios, the spread is null. `least` and `most` are the smallest
    and the largest normalised magnitude. Judgments that compare two documents give a document no numbers of
    its own, so then these three columns are null.
    """
    gains = intervals(
        data.judgments, data.normalised, data.random, level=LEVEL, resamples=RESAMPLES, spread=data.spread
    )
    if scale_of(data.judgments).compares_pairs:
        missing = (pl.lit(None, pl.Float64).alias(name) for name in ("spread", "least", "most"))
        return gains.with_columns(*missing)
    table = data.judgments.table
    groups = Groups.by(table, KEYS)
    values = groups.sorted(data.normalised)
    spreads = table.select(KEYS)[groups.row].with_columns(
        spread=_spreads(data, groups),
        least=values.values[values.starts],
        most=values.values[values.starts + values.sizes - 1],
    )
    return gains.join(spreads, on=KEYS, how="left", maintain_order="left")


def _spreads(data: StudyData, groups: Groups) -> FloatArray | None:
    """Return the spread of each document's magnitudes as a factor.

    Return None for numbers whose ratios have no meaning.
    """
    has_ratios = scale_of(data.judgments).has_ratios
    return np.exp(groups.deviations(np.log(data.normalised))) if has_ratios else None


def document_reports(data: StudyData) -> Iterator[ComputedReport]:
    """Yield two reports for each topic that has a pool: `documents` and `normalised`.

    Then yield the report `documents` of all topics. It has a table for each set of known grades, sorted by
    disagreement, and the levels of each set, ascending. The report of a topic has the same disagreements by
    document.
    """
    pool = pl.DataFrame(data.pool, schema=dict.fromkeys(_POOL, pl.String), orient="row")
    judged = documents_table(data).rename({"document_id": "document"})
    documents = pool.join(judged, on=["topic_id", "document"], how="left", maintain_order="left")
    documents = documents.with_columns(pl.col("judgments").fill_null(0))
    listed = _listed_by_set(data, documents)
    disagreeing: dict[str, dict[str, list[dict[str, object]]]] = defaultdict(lambda: defaultdict(list))
    for name, table in listed.items():
        for row in table.drop_nulls("difference").iter_rows(named=True):
            entry = {"grades": name, **{key: row[key] for key in ("grade", "nearest", "difference")}}
            disagreeing[row["topic_id"]][row["document_id"]].append(entry)
    normalised: dict[str, dict[str, float]] = defaultdict(dict)
    topics = data.judgments.table["topic_id"]
    for topic, pk, value in zip(topics, data.pks, data.normalised.tolist(), strict=True):
        normalised[topic][str(pk)] = value
    for (topic,), rows in documents.group_by("topic_id", maintain_order=True):
        content = {"documents": rows.drop("topic_id").to_dicts(), "disagreements": disagreeing[topic]}
        yield ComputedReport(ReportKind.DOCUMENTS, {"topic": topic}, content)
        yield ComputedReport(ReportKind.NORMALISED, {"topic": topic}, {"magnitudes": normalised[topic]})
    levels = {name: sorted({*table["grade"]} - {""}, key=gain_of) for name, table in listed.items()}
    tables = [table_to_store(name, name, table) for name, table in listed.items()]
    yield ComputedReport(ReportKind.DOCUMENTS, {}, {"tables": tables, "levels": levels})


def _listed_by_set(data: StudyData, documents: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return a table of all documents for each set of known grades, sorted by disagreement.

    The columns are `topic_id, document_id, grade, nearest, difference, gain, judgments`. `nearest` and
    `difference` come from `analyses.disagreements`. Documents that fit their own grade do not have them, and
    come last. If the study has no known grades, there is one table with the name "".
    """
    from evaluation.analyses import disagreements  # loads scipy, which takes a second

    table = documents.rename({"document": "document_id"}).drop("grade")
    judged = Gains.from_checked(table.drop_nulls("gain").select(*KEYS, "gain"))
    listed = {}
    for name, known in (data.grade_sets or {"": Gains({})}).items():
        shown = partial(_shown, data, name)
        found = disagreements(judged, known, log=gains_have_ratios(data.study)).select(
            *KEYS, _levels("nearest", shown), "difference"
        )
        grades = known.table.select(*KEYS, _levels("gain", shown).alias("grade"))
        joined = (
            table.join(grades, on=KEYS, how="left", maintain_order="left")
            .join(found, on=KEYS, how="left", maintain_order="left")
            .with_columns(pl.col("grade", "nearest").fill_null(""))
            .sort("difference", *KEYS, descending=[True, False, False], nulls_last=True)
        )
        listed[name] = joined.select(*KEYS, "grade", "nearest", "difference", "gain", "judgments")
    return listed


def _levels(column: str, shown: Callable[[float], str]) -> pl.Expr:
    return pl.col(column).map_elements(shown, return_dtype=pl.String)


def _shown(data: StudyData, name: str, gain: float) -> str:
    """Return the level with this gain in a set of known grades: a letter, or a number."""
    return shown_gain(gain) if name in data.numbered or gain not in LETTERS else shown_letter(gain)
