"""The parts that compare magnitudes with known grades, and magnitudes with the anchors [T15]."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import numpy as np
import polars as pl

from evaluation import analyses, figures
from evaluation.arrays import FloatArray
from evaluation.frames import Gains
from evaluation.rendering import counted, format_p
from evaluation.report.data import MAGNITUDES, WITH_ANCHORS, ReportData
from evaluation.report.parts import (
    Content,
    Drawn,
    Numbers,
    Part,
    Section,
    anchors,
    grades,
    magnitudes,
    several_sets,
)

GRADES = ("grade", "lower", "higher", "nearest")
"""The columns of analyses that contain grades."""
METHOD = "Welch's t"
"""The test that the sentences report; the table has the test of logarithms too."""
T = TypeVar("T")


def with_names(data: ReportData, name: str, table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with letters for its grades, and the name of the set in the column `grades`."""
    shown = [
        pl.Series(column, [data.show_grade(name, grade) for grade in table[column]], dtype=pl.String)
        for column in GRADES
        if column in table.columns
    ]
    return table.with_columns(shown).select(pl.lit(name).alias("grades"), pl.all())


def of_every_set(
    data: ReportData, by_set: Mapping[str, T], make: Callable[[T], pl.DataFrame]
) -> pl.DataFrame:
    """Return one table for all sets of known grades, with the name of the set in the first column."""
    return pl.concat(with_names(data, name, make(of_set)) for name, of_set in by_set.items())


def _boxes(data: ReportData) -> Content:
    table = of_every_set(data, data.judged_grades, lambda grades: analyses.boxes(data.medians, grades))
    drawn, sentences = [], []
    for place, (name, known) in enumerate(data.judged_grades.items()):
        boxes, outliers = (make(data.medians, known) for make in (analyses.boxes, analyses.outliers))
        figure = figures.box_plots(
            boxes, outliers, value=data.judgments.scale, names=data.names(name), log=data.has_ratios
        )
        medians = ", ".join(
            f"{data.show_grade(name, row['grade'])} {row['median']:.3g} (n = {row['documents']})"
            for row in boxes.iter_rows(named=True)
        )
        sentence = f"The medians by {name} are {medians}."
        sentences.append(sentence)
        key = "magnitudes-by-grade" + (f"-{place + 1}" if place else "")
        drawn.append(Drawn(key, f"Gains of the documents by {name}", f"Box plots. {sentence}", figure))
    note = (
        "Whiskers (low, high) reach at most 1.5 times the interquartile range. U: documents without a grade."
    )
    return Content(
        sentences, [Numbers("boxes", "Gains by grade", table, heads=2, notes=(note,), most=80)], drawn
    )


def _boxes_by_topic(data: ReportData) -> Content:
    def make(known: Gains) -> pl.DataFrame:
        return analyses.boxes(data.medians, known, by_topic=True)

    table = of_every_set(data, data.judged_grades, make)
    drawn = []
    for place, (name, known) in enumerate(data.judged_grades.items()):
        boxes = make(known)
        figure = figures.box_plots(
            boxes,
            analyses.outliers(data.medians, known, by_topic=True),
            value=data.judgments.scale,
            names=data.names(name),
            log=data.has_ratios,
            width="page",
        )
        key = "magnitudes-by-topic" + (f"-{place + 1}" if place else "")
        alt = f"Box plots of {counted(boxes['topic_id'].n_unique(), 'topic')}, by {name}."
        drawn.append(Drawn(key, f"Gains of the documents by {name} and topic", alt, figure))
    tables = [Numbers("boxes-by-topic", "Gains by grade and topic", table, heads=3)]
    return Content([], tables, drawn)


def _adjacent(data: ReportData) -> Content:
    logs = (False, True) if data.has_ratios else (False,)
    table = pl.concat(
        of_every_set(data, data.judged_grades, partial(analyses.adjacent_grades, data.medians, log=log))
        for log in logs
    ).sort("grades", maintain_order=True)
    sentences = [
        f"By {name}, p is "
        + ", ".join(
            f"{format_p(row['p'], 3)} for {row['lower']} against {row['higher']} (n = "
            f"{row['lower_documents']} and {row['higher_documents']})"
            for row in table.filter(pl.col("grades") == name, pl.col("method") == METHOD).iter_rows(
                named=True
            )
            if row["t"] is not None
        )
        + f" ({METHOD})."
        for name in data.judged_grades
    ]
    note = "Two-sided tests of the documents’ gains over all topics. p is not adjusted."
    return Content(
        [" ".join(sentences)], [Numbers("adjacent", "Neighbouring grades", table, heads=3, notes=(note,))]
    )


def _exceptions(data: ReportData) -> Content:
    every = analyses.exceptions(data.medians, data.judged_grades)
    table = of_every_set(
        data,
        data.judged_grades,
        lambda grades: analyses.exceptions(data.medians, {"": grades}).drop("judgments"),
    )
    sentence = f"The lower grade has the larger median in {analyses.exceptions_sentence(every)}."
    found = table.filter("exception").drop("exception")
    return Content(
        [sentence],
        [Numbers("exceptions", "Topics in which the lower grade has the larger median", found, heads=2)],
    )


def _order(data: ReportData) -> Content:
    comparisons = {
        f"{MAGNITUDES}–{name}": (name, analyses.pairwise_agreement(data.medians, known))
        for name, known in data.judged_grades.items()
    }
    for graded_name, of_grades in data.graded.items():
        for name, binary in data.binary.items():
            cells = analyses.pairwise_agreement(binary, of_grades)
            comparisons[f"{name}–{graded_name}"] = graded_name, cells
            cells = analyses.pairwise_agreement(data.medians, binary, of_grades)
            comparisons[f"{MAGNITUDES}–{name}, by {graded_name}"] = graded_name, cells
    rows, by_pair = [], []
    for name, (grouped_by, cells) in comparisons.items():
        bounds = agreement_intervals(cells, data)
        for row in analyses.overall_agreement(cells).iter_rows(named=True):
            low, high = bounds[row["mean"]]
            numbers = {"cells": row["cells"], "pairs": row["pairs"], "agree": row["agree"]}
            others = {"half": row["half"], "disagree": row["disagree"]}
            of_topics = {"topics": cells["topic_id"].n_unique()}
            rows.append(
                {
                    "comparison": name,
                    "mean": row["mean"],
                    **of_topics,
                    **numbers,
                    "low": low,
                    "high": high,
                    **others,
                }
            )
        by_pair.append(
            with_names(data, grouped_by, analyses.agreement_by_pair(cells)).select(
                pl.lit(name).alias("comparison"), pl.exclude("grades")
            )
        )
    table = pl.DataFrame(rows, infer_schema_length=None)
    shares = [
        f"{row['agree']:.3f} for {row['comparison']} (n = {row['pairs']} pairs)"
        for row in rows
        if row["agree"] is not None and row["mean"] == "cells"
    ]
    sentences = [f"The share of pairs in the same order is {', '.join(shares)}."] if shares else []
    notes = (
        "agree, half and disagree count a tie as an agreement, as half of one, and as none.",
        f"[low, high]: {data.parameters.level * 100:g} % percentile interval of agree, from "
        f"{data.parameters.resamples} bootstrap samples of the topics.",
    )
    return Content(
        sentences,
        [
            Numbers(
                "order-agreement",
                "Pairs of documents in the same order",
                table,
                heads=2,
                notes=notes,
                interval_of="agree",
            ),
            Numbers(
                "order-agreement-pairs", "Agreement by pair of grades", pl.concat(by_pair), heads=3, most=60
            ),
        ],
    )


def agreement_intervals(
    cells: pl.DataFrame, data: ReportData
) -> dict[str, tuple[float | None, float | None]]:
    """Return the percentile intervals of `agree` for the rows of `overall_agreement`, from resampled topics.

    A cell enters as often as its topic was drawn. The bounds are None for fewer than two topics.
    """
    by_topic = cells.group_by("topic_id").agg(
        rows=pl.len(), shares=pl.col("agree").sum(), pairs=pl.col("pairs").sum(),
        agreeing=(pl.col("agreeing") + pl.col("tied")).sum(),
    ).sort("topic_id")  # fmt: skip
    if by_topic.height < 2:
        return {"cells": (None, None), "pooled": (None, None)}
    topics = by_topic.height
    choices = data.parameters
    weights = choices.random.multinomial(topics, np.full(topics, 1 / topics), size=choices.resamples)
    totals = {
        name: weights @ by_topic[name].to_numpy().astype(float)
        for name in ("rows", "shares", "pairs", "agreeing")
    }
    shares = {"cells": totals["shares"] / totals["rows"], "pooled": totals["agreeing"] / totals["pairs"]}
    return {name: percentiles(values, choices.level) for name, values in shares.items()}


def percentiles(values: FloatArray, level: float) -> tuple[float | None, float | None]:
    """Return the percentile interval of resampled values, or None, None if all are NaN."""
    present = values[~np.isnan(values)]
    if not present.size:
        return None, None
    low, high = np.quantile(present, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _disagreements(data: ReportData) -> Content:
    def make(known: Gains) -> pl.DataFrame:
        return analyses.disagreements(data.medians, known, data.comments, log=data.has_ratios)

    table = of_every_set(data, data.judged_grades, make)
    if "comments" in table.columns:
        joined = pl.col("comments").list.join(" | ")
        table = table.with_columns(joined)
    missing = (
        []
        if data.comments is not None
        else ["The workers’ justifications are missing; give the column comment."]
    )
    counts = [
        f"{counted(table.filter(pl.col('grades') == name).height, 'document')} of {known.table.height} by "
        f"{name}"
        for name, known in data.judged_grades.items()
    ]
    sentence = f"Documents nearer to another grade’s median than to their own: {', '.join(counts)}."
    numbers = Numbers("disagreements", "Documents that fit another grade", table, heads=3, most=20)
    return Content([sentence], [numbers], [], missing)


def _profile(data: ReportData) -> Content:
    table = of_every_set(
        data, data.judged_grades, lambda known: analyses.gain_profile(data.judgments, known)
    ).with_columns(WITH_ANCHORS)
    drawn, sentences = [], []
    for place, (name, known) in enumerate(data.judged_grades.items()):
        profile = analyses.gain_profile(data.judgments, known)
        for is_with, words in ((False, "Without"), (True, "With")):
            part = profile.filter(pl.col("anchors") == is_with)
            medians = ", ".join(
                f"{data.show_grade(name, row['grade'])} {row['median']:.3g} (n = {row['judgments']})"
                for row in part.iter_rows(named=True)
            )
            sentences.append(f"{words} the anchors, the medians by {name} are {medians}.")
        key = "gain-profile" + (f"-{place + 1}" if place else "")
        figure = figures.gain_profiles(profile, names=data.names(name))
        drawn.append(
            Drawn(key, f"Magnitude ÷ that of the N anchor, by {name}", " ".join(sentences[-2:]), figure)
        )
    note = "“Above” counts quotients over 20. The anchor check selects the anchors’ magnitudes."
    return Content(sentences, [Numbers("profile", "Gain profiles", table, heads=3, notes=(note,))], drawn)


def _unit_ratios(data: ReportData) -> Content:
    units = analyses.unit_ratios(data.judgments)
    bars = analyses.ratio_histogram(units["ratio"])
    ratio = pl.col("ratio")
    summary = [
        pl.len().cast(pl.Int64).alias("units"),
        ratio.min().alias("least"),
        ratio.quantile(0.25, "linear").alias("q1"),
        ratio.median().alias("median"),
        ratio.quantile(0.75, "linear").alias("q3"),
        ratio.max().alias("most"),
    ]
    overall = units.select(pl.lit("all").alias("topic_id"), *summary)
    table = pl.concat([units.group_by("topic_id").agg(*summary).sort("topic_id"), overall])
    median = overall["median"][0]
    sentence = f"The median of H ÷ N over {counted(units.height, 'unit')} is {median:.3g}."
    hidden = int(bars.filter("hidden")["units"].sum())
    alt = f"Histogram of H ÷ N. {sentence}"
    return Content(
        [sentence, f"Bars of fewer than four units are not drawn; they hold {counted(hidden, 'unit')}."],
        [
            Numbers("ratios", "H ÷ N by topic", table),
            Numbers("ratio-bars", "Units by H ÷ N, to the nearest multiple of 5", bars),
        ],
        [Drawn("anchor-ratios", "H ÷ N of the units", alt, figures.ratio_histogram(bars))],
    )


def _grade_ratios(data: ReportData) -> Content:
    table = of_every_set(data, data.lettered, lambda known: analyses.grade_ratios(data.medians, known))
    drawn, sentences = [], []
    for place, (name, known) in enumerate(data.lettered.items()):
        ratios = analyses.grade_ratios(data.medians, known)
        last = ratios.row(-1, named=True)
        if last["median"] is None:
            continue
        sentence = (
            f"By {name}, the median ratio over {counted(last['pairs'], 'pair')} is {last['median']:.3g}, and "
            f"{last['above']} ratios are above 3.5."
        )
        sentences.append(sentence)
        key = "grade-ratios" + (f"-{place + 1}" if place else "")
        drawn.append(Drawn(key, f"H against R and M, by {name}", sentence, figures.grade_ratios(ratios)))
    numbers = Numbers("grade-ratios", "Ratios of H to R and M", table, heads=2, most=60)
    return Content(sentences, [numbers], drawn)


def lettered(data: ReportData) -> str:
    """Return what is missing if no set has the grades N, M, R and H."""
    return "" if data.lettered else "There is no set with the grades N, M, R and H; give one."


def _cross(data: ReportData) -> Content:
    first, *others = data.known
    parts = []
    for other in others:
        table = analyses.cross_table(data.known[first], data.known[other])
        columns = [
            pl.Series(column, [data.show_grade(name, grade) for grade in table[column]], dtype=pl.String)
            for column, name in (("first", first), ("second", other))
        ]
        names = [pl.lit(name).alias(column) for column, name in (("set", first), ("other_set", other))]
        parts.append(table.with_columns(columns).select(*names, pl.all()))
    return Content([], [Numbers("cross", "Grades in two sets", pl.concat(parts), heads=4)])


BY_GRADE = Section(
    "grades",
    "Magnitudes and known grades",
    (
        Part(
            "magnitudes-by-grade",
            "Gains by grade",
            "[T15]",
            "Each box shows the middle half of the documents of a grade, and the line in it is their "
            "median. If the crowd sees relevance as the grades do, the boxes ascend from left to right.",
            _boxes,
            (grades,),
            figures=("magnitudes-by-grade",),
        ),
        Part(
            "magnitudes-by-topic",
            "Gains by grade in each topic",
            "[T15]",
            "Each panel shows the boxes of one topic, on the same axes. A topic whose boxes do not ascend "
            "deserves a look at its documents.",
            _boxes_by_topic,
            (grades,),
            figures=("magnitudes-by-topic",),
        ),
        Part(
            "adjacent",
            "Neighbouring grades",
            "[T15]",
            "A positive t means that documents of the higher grade have larger gains. The test of "
            "logarithms is not dominated by a few very large magnitudes, and [T15] does not say which one "
            "it used.",
            _adjacent,
            (grades,),
        ),
        Part(
            "exceptions",
            "Exceptions",
            "[T15]",
            "A pair of grades counts in a topic if both have judged documents there. The parentheses say "
            "how many pairs of grades there are, times how many topics.",
            _exceptions,
            (grades,),
        ),
        Part(
            "order-agreement",
            "Pairs in the same order",
            "[T15]",
            "A pair of documents counts if the second kind of judgments orders it and their grades differ. "
            "The first row of a comparison weighs each topic and pair of grades alike, and the second each "
            "pair of documents.",
            _order,
            (grades,),
        ),
        Part(
            "disagreements",
            "Documents that fit another grade",
            "[T15]",
            "The first rows disagree most with their grade, and are the ones to read again. Distances are "
            "differences of logarithms for magnitudes, and plain differences for ratings.",
            _disagreements,
            (grades,),
        ),
        Part(
            "gain-profile",
            "Gain profiles",
            "[T15]",
            "The lines show gains that are often used for the grades: 1-2-3-4 and 2-4-8-16. Read the panel "
            "without the anchors, because the anchor check selects the magnitudes of the anchors.",
            _profile,
            (magnitudes, anchors, grades),
            figures=("gain-profile",),
        ),
        Part(
            "anchor-ratios",
            "Range of the units",
            "[T15]",
            "H ÷ N says how wide a range of numbers a worker used in a unit. Most units are near the "
            "median, and a few are very wide.",
            _unit_ratios,
            (magnitudes, anchors),
            figures=("anchor-ratios",),
        ),
        Part(
            "grade-ratios",
            "H against R and M",
            "[T15]",
            "Each ratio divides the gain of an H document by that of an R or M document of its topic. A "
            "median of 1 would mean that the crowd sees no difference.",
            _grade_ratios,
            (magnitudes, lettered),
            figures=("grade-ratios",),
        ),
        Part(
            "cross",
            "Sets of known grades against each other",
            "[JK02], Table I",
            "Each row counts the documents that have both grades. For each grade of the second set, the "
            "shares add up to 1.",
            _cross,
            (several_sets,),
        ),
    ),
)
