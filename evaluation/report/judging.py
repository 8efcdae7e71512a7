"""The parts on the judgments themselves: their numbers, the agreement among workers, and the cost."""

import numpy as np
import polars as pl

from evaluation import analyses
from evaluation.magnitudes import intervals
from evaluation.rendering import counted
from evaluation.report.data import WITH_ANCHORS, ReportData
from evaluation.report.parts import Content, Numbers, Part, Section, pay

ANCHORS = {"h_id": "H", "n_id": "N"}
_WITH_ANCHORS_NOTE = (
    "Use the rows without the anchors: only units in which H is above N count, so with the anchors, α is too "
    "large."
)


def _topics(data: ReportData) -> Content:
    table = data.judgments.table
    unit = pl.struct(data.judgments.unit_keys).n_unique().cast(pl.Int64)
    numbers = {
        "documents": pl.col("document_id").n_unique().cast(pl.Int64),
        "units": unit,
        "judgments": pl.len().cast(pl.Int64),
    }
    if "worker_id" in table.columns:
        numbers["workers"] = pl.col("worker_id").n_unique().cast(pl.Int64)
    by_topic = table.group_by("topic_id").agg(**numbers).sort("topic_id")
    overall = table.select(
        pl.lit("all").alias("topic_id"),
        *((expression.alias(name)) for name, expression in numbers.items() if name != "documents"),
        documents=pl.lit(by_topic["documents"].sum(), dtype=pl.Int64),
    ).select("topic_id", *numbers)
    total = overall.row(0, named=True)
    shown = pl.concat([by_topic, overall])
    if data.has_anchors:
        for column, mark in ANCHORS.items():
            marked = table.filter(pl.col("gold") == mark).group_by("topic_id")
            ids = marked.agg(pl.col("document_id").unique().sort().str.join(" ").alias(column))
            shown = shown.join(ids, on="topic_id", how="left", maintain_order="left")
    missing = []
    if data.topics is not None:
        shown = data.topics
    else:
        missing.append(
            "The uses of the back button and the failed checks of Table 1 in [T15] are missing, because the "
            "file of judgments does not have them; the report of the site does."
        )
    workers = f" by {counted(total['workers'], 'worker')}" if "workers" in total else ""
    per = table.group_by("topic_id", "document_id").len()["len"].to_numpy()
    sentence = (
        f"The study has {counted(total['judgments'], 'judgment')} of "
        f"{counted(total['documents'], 'document')} in {counted(by_topic.height, 'topic')}, collected in "
        f"{counted(total['units'], 'unit')}{workers}. A document has {per.min()} to {per.max()} judgments, "
        f"with a median of {np.median(per):g}."
    )
    return Content([sentence], [Numbers("topics", "Topics, units and anchors", shown)], [], missing)


def _gains(data: ReportData) -> Content:
    choices = data.parameters
    table = intervals(
        data.judgments,
        data.normalised,
        choices.random,
        level=choices.level,
        resamples=choices.document_resamples,
    )
    for name, grades in data.judged_grades.items():
        column = f"grade_{name}"
        known = grades.table.select("topic_id", "document_id", pl.col("gain").alias(column))
        table = table.join(known, on=["topic_id", "document_id"], how="left", maintain_order="left")
        shown = [data.show_grade(name, grade) for grade in table[column]]
        table = table.with_columns(pl.Series(column, shown, dtype=pl.String))
    value = pl.col("gain")
    widths = np.log((table["high"] / table["low"]).to_numpy()) if data.has_ratios else None
    summary = table.select(
        documents=pl.len().cast(pl.Int64),
        least=value.min(),
        q1=value.quantile(0.25, "linear"),
        median=value.median(),
        q3=value.quantile(0.75, "linear"),
        most=value.max(),
    )
    sentences = []
    if widths is not None:
        sentences = [
            f"The {choices.level * 100:g} % interval of a typical document goes from its gain divided by "
            f"{np.exp(np.median(widths) / 2):.2f} to its gain multiplied by the same number."
        ]
    note = (
        f"[low, high]: {choices.level * 100:g} % percentile interval of the gain, from resampled judgments."
    )
    return Content(
        sentences,
        [
            Numbers("gains-summary", "Quartiles of the documents’ gains", summary, heads=0),
            Numbers(
                "gains", "Gain of each document", table, heads=2, notes=(note,), interval_of="gain", most=10
            ),
        ],
    )


def _alpha(data: ReportData) -> Content:
    table = analyses.worker_agreement(data.judgments, data.normalised)
    sentences = []
    for last in table.filter(topic_id="all").iter_rows(named=True):
        alphas = [f"{last[name]:.3f}" if last[name] is not None else "undefined" for name in ("alpha", "raw")]
        including = "With the anchors" if last["anchors"] else "Over all topics"
        without = " without the anchors" if data.has_anchors and not last["anchors"] else ""
        sentences.append(
            f"{including}, α is {alphas[0]} after normalisation and {alphas[1]} before it, from "
            f"{counted(last['judgments'], 'judgment')} of {counted(last['documents'], 'document')}{without}."
        )
    shown = table.with_columns(WITH_ANCHORS)
    notes = (_WITH_ANCHORS_NOTE,) if data.has_anchors else ()
    return Content(sentences, [Numbers("alpha", "Krippendorff’s α among the workers", shown, notes=notes)])


def _cost(data: ReportData) -> Content:
    assert data.pay is not None
    table = analyses.cost(data.judgments, data.pay, fee=data.fee)
    last = table.row(-1, named=True)
    unit = f" {data.currency}" if data.currency else ""
    sentence = (
        f"At {data.pay:g}{unit} for a unit and {data.fee:.0%} on top for the platform, "
        f"{counted(last['units'], 'unit')} cost {last['total']:,.2f}{unit}, or "
        f"{last['per_judgment']:.4f}{unit} for a judgment."
    )
    return Content([sentence], [Numbers("cost", "Cost by topic", table)])


JUDGING = Section(
    "judgments",
    "The judgments",
    (
        Part(
            "topics",
            "Topics and units",
            "[T15], Table 1",
            "Each row is a topic, and the last row adds them up. A unit is what one worker judges at a "
            "time, and it contains the two anchors of its topic.",
            _topics,
        ),
        Part(
            "gains",
            "Gains of the documents",
            "[T15]",
            "The gain of a document is the median of its normalised judgments. A narrow interval means that "
            "other judgments by such workers would give nearly the same gain.",
            _gains,
        ),
        Part(
            "alpha",
            "Agreement among workers",
            "Krippendorff, 2011",
            "α is 1 if all workers agree, and 0 if they agree as much as by chance. It compares logarithms "
            "of magnitudes, or ratings as they are, at interval level.",
            _alpha,
        ),
        Part(
            "cost",
            "Cost",
            "[T15]",
            "Each worker is paid once for a unit. The cost of a document includes the judgments of the "
            "anchors.",
            _cost,
            (pay,),
        ),
    ),
)
