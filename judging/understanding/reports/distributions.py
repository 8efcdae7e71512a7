"""The report `grades`: magnitudes by known grade, ratios of the anchors, and agreement."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

import numpy as np
import polars as pl

from evaluation import analyses
from evaluation.errors import InputError
from evaluation.frames import Gains
from judging.core.services.jobs import Progress
from judging.protocol.words import gettext_noop as _
from judging.understanding.reports.study_data import StudyData
from judging.understanding.reports.tables import Parts, StoredTable, table_to_store

NO_GRADES: Final = _("no document in the pools has a known grade; add grades to the study file")
ANCHORS: Final = pl.when("anchors").then(pl.lit("with")).otherwise(pl.lit("without")).alias("anchors")
"""Replaces the boolean column `anchors` of a table with a column of the words "with" and "without"."""
_GRADES: Final = ("grade", "lower", "higher", "nearest")
"""The table columns that contain grades."""
RATING_STEPS: Final = 10
Tables = list[StoredTable]
T = TypeVar("T")


def grades_content(data: StudyData, progress: Progress) -> dict[str, object]:
    """Return a dict with the keys `tables`, `missing` and `sentences`.

    `missing` lists the parts that lack data, with reasons. `sentences` has one sentence if documents of a
    lower grade have a larger median than documents of a higher grade. Otherwise, it is empty.
    """
    parts = Parts()
    steps = [
        (_("Magnitudes by grade"), _boxes, True),
        (_("Distribution of the medians"), _distribution, False),
        (_("Gain of each grade, relative to the N anchor"), _profile, True),
        (_("Comparison of neighbouring grades"), _adjacent, True),
        (_("Lower grades with a larger median"), _exceptions, True),
        (_("Documents judged like documents of another grade"), _disagreements, True),
        (_("H ÷ N of the units"), _unit_ratios, False),
        (_("H against R and M"), _grade_ratios, True),
        (_("Agreement among workers"), _alpha, False),
        (_("Agreement with the grades"), _pairwise, True),
        (_("Agreement between the sets of grades"), _cross, False),
    ]
    for done, (title, make, needs_grades) in enumerate(steps, start=1):
        if needs_grades and not data.grade_sets:
            parts.leave_out(title, NO_GRADES)
        else:
            parts.add(title, partial(make, data, title))
        progress(done, len(steps))
    exceptions = analyses.exceptions(data.medians, data.grade_sets)
    sentences = [] if exceptions.is_empty() else [analyses.exceptions_sentence(exceptions)]
    return {"tables": parts.tables, "missing": parts.missing, "sentences": sentences}


def _of_every_set(
    data: StudyData, by_set: Mapping[str, T], make: Callable[[T], pl.DataFrame]
) -> pl.DataFrame:
    """Return one table for all sets of known grades. The column `grades` has the name of the set.

    For each set, `make` computes a table from the value that `by_set` has for the set.
    """
    return pl.concat(
        with_shown_grades(data, name, make(of_set)).select(pl.lit(name).alias("grades"), pl.all())
        for name, of_set in by_set.items()
    )


def has_ratios(data: StudyData) -> bool:
    """Return whether the judgments are magnitudes, so that ratios and logarithms are meaningful."""
    return data.judgments.scale == "magnitude"


def with_shown_grades(data: StudyData, name: str, table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with its gains replaced by the letters or numbers of the grades in the set `name`."""
    columns = [column for column in _GRADES if column in table.columns]
    shown = ([data.shown_grade(name, gain) for gain in table[column]] for column in columns)
    return table.with_columns(
        pl.Series(column, cells, dtype=pl.String) for column, cells in zip(columns, shown, strict=True)
    )


def _boxes(data: StudyData, title: str) -> Tables:
    overall = _of_every_set(data, data.grade_sets, lambda grades: analyses.boxes(data.medians, grades))
    by_topic = _of_every_set(
        data, data.grade_sets, lambda grades: analyses.boxes(data.medians, grades, by_topic=True)
    )
    note = _("Medians of the documents. Whiskers reach at most 1.5 times the interquartile range.")
    return [
        table_to_store("boxes", title, overall, note=note),
        table_to_store("boxes-by-topic", _("Magnitudes by grade and topic"), by_topic, note=note),
    ]


def _distribution(data: StudyData, title: str) -> Tables:
    """Count the documents whose medians fall into each interval.

    For magnitudes, each interval is √2 times as wide as the one before. For ratings, there are ten equal
    intervals.
    """
    gains = data.medians.table["gain"].to_numpy()
    if has_ratios(data):
        first, last = np.floor(2 * np.log2([gains.min(), gains.max()]))
        edges = 2 ** (np.arange(first, last + 2) / 2)
        note = _("Each interval is √2 times as wide as the one before.")
    else:
        edges, note = np.histogram_bin_edges(gains, bins=RATING_STEPS), ""
    counts, _edges = np.histogram(gains, bins=edges)
    table = pl.DataFrame({"low": edges[:-1], "high": edges[1:], "documents": counts})
    return [table_to_store("distribution", title, table, note=note)]


def _profile(data: StudyData, title: str) -> Tables:
    table = _of_every_set(data, data.grade_sets, lambda grades: analyses.gain_profile(data.judgments, grades))
    table = table.with_columns(ANCHORS)
    note = _(
        "Each magnitude divided by the magnitude of its unit’s N anchor. “Above” counts quotients over 20. "
        "For the gain of a grade, use the rows without the anchors, which come first. Plumbline accepts only "
        "units in which H is above N, so the rows with the anchors make H too large, and N is always 1."
    )
    return [table_to_store("profile", title, table, note=note)]


def _adjacent(data: StudyData, title: str) -> Tables:
    table = _of_every_set(data, data.grade_sets, partial(_t_tests, data))
    if has_ratios(data):
        note = _(
            "Two-sided t-tests on the documents’ medians or on their logarithms. p is not adjusted. Welch’s "
            "test allows grades to differ in variance, and Student’s test does not. Magnitudes are skewed, "
            "so the test of the logarithms is usually the most reliable. For such a test, the means are "
            "those of the logarithms."
        )
    else:
        note = _(
            "Two-sided t-tests on the documents’ medians. p is not adjusted. Welch’s test allows grades to "
            "differ in variance, and Student’s test does not."
        )
    return [table_to_store("adjacent", title, table, note=note)]


def _t_tests(data: StudyData, grades: Gains) -> pl.DataFrame:
    """Return the comparisons of neighbouring grades by each t test that suits the scale of the study."""
    plain: tuple[dict[str, bool], ...] = ({}, {"equal_variances": True})
    choices = ({"log": True}, *plain) if has_ratios(data) else plain
    return pl.concat(analyses.adjacent_grades(data.medians, grades, **choice) for choice in choices)


def _exceptions(data: StudyData, title: str) -> Tables:
    table = _of_every_set(
        data,
        data.grade_sets,
        lambda grades: (
            analyses.exceptions(data.medians, {"": grades}).filter("exception").drop("exception", "judgments")
        ),
    )
    note = _("Topics and pairs of grades in which the lower grade has the larger median")
    return [table_to_store("exceptions", title, table, note=note)]


def _disagreements(data: StudyData, title: str) -> Tables:
    table = _of_every_set(
        data,
        data.grade_sets,
        lambda grades: analyses.disagreements(data.medians, grades, log=has_ratios(data)),
    )
    if has_ratios(data):
        note = _(
            "Documents whose median is closer to the median of another grade in the topic than to the"
            " median of their own grade. Distances are on a log scale."
        )
    else:
        note = _(
            "Documents whose median is closer to the median of another grade in the topic than to the"
            " median of their own grade."
        )
    return [table_to_store("disagreements", title, table, note=note)]


def _unit_ratios(data: StudyData, title: str) -> Tables:
    units = analyses.unit_ratios(data.judgments)
    ratio = pl.col("ratio")
    summary = [
        pl.len().cast(pl.Int64).alias("units"),
        ratio.min().alias("least"),
        ratio.quantile(0.25, "linear").alias("q1"),
        ratio.median().alias("median"),
        ratio.quantile(0.75, "linear").alias("q3"),
        ratio.max().alias("most"),
    ]
    by_topic = units.group_by("topic_id").agg(*summary).sort("topic_id")
    overall = units.select(pl.lit("all").alias("topic_id"), *summary)
    bars = analyses.ratio_histogram(units["ratio"])
    return [
        table_to_store(
            "ratios",
            _("H ÷ N by topic"),
            pl.concat([by_topic, overall]),
            note=_("Computed from the raw magnitudes that the workers entered"),
        ),
        table_to_store("ratio-bars", _("Units by H ÷ N"), bars, note=_("H ÷ N is rounded to multiples of 5")),
        table_to_store(
            "unit-ratios", _("H ÷ N of each unit"), units, note=_("N and H are the anchors’ magnitudes")
        ),
    ]


def _grade_ratios(data: StudyData, title: str) -> Tables:
    data.judgments.refuse_ratings()
    sets = {name: grades for name, grades in data.grade_sets.items() if name not in data.numbered}
    if not sets:
        raise InputError(
            "no-letters-for-table", "the table needs grades N, M, R and H, but the grades are numbers"
        )
    table = _of_every_set(data, sets, lambda grades: analyses.grade_ratios(data.medians, grades))
    note = _(
        "Median ratios over all pairs of an H document and an R or M document. “Above” counts ratios "
        "over 3.5."
    )
    return [table_to_store("grade-ratios", title, table, note=note)]


def _alpha(data: StudyData, title: str) -> Tables:
    table = analyses.worker_agreement(data.judgments, data.normalised)
    table = table.with_columns(ANCHORS).rename({"raw": "alpha_as_given"})
    if has_ratios(data):
        what = _(
            "Krippendorff’s α (interval) of the logarithms of the normalised magnitudes, and of "
            "the raw magnitudes that the workers entered."
        )
    else:
        what = _("Krippendorff’s α (interval) of the normalised ratings, and of the raw ratings.")
    note = [what]
    if table["anchors"].n_unique() > 1:
        note.append(
            _(
                "Use the rows without the anchors, which come first: Plumbline accepts only units in which H "
                "is above N, so with the anchors, α is too large."
            )
        )
    return [table_to_store("alpha", title, table, note=note)]


def _pairwise(data: StudyData, title: str) -> Tables:
    cells = {
        name: analyses.pairwise_agreement(data.medians, grades) for name, grades in data.grade_sets.items()
    }
    note = _(
        "Of the document pairs with different grades, the share whose magnitudes are in the same "
        "order as the grades. Ties are counted in three ways."
    )
    overall = _of_every_set(data, cells, analyses.overall_agreement)
    by_pair = _of_every_set(data, cells, analyses.agreement_by_pair)
    return [
        table_to_store("agreement", title, overall, note=note),
        table_to_store("agreement-pairs", _("Agreement by pair of grades"), by_pair, note=note),
    ]


def _cross(data: StudyData, title: str) -> Tables:
    if len(data.known) < 2:
        raise InputError(
            "too-few-sets-of-grades",
            "the table compares two sets of known grades, but the study has {number}; name another set "
            "in the study file",
            number=len(data.known),
        )
    first, *others = data.known
    parts = []
    for other in others:
        table = analyses.cross_table(data.known[first], data.known[other])
        shown = (
            pl.Series(column, [data.shown_grade(name, gain) for gain in table[column]], dtype=pl.String)
            for column, name in (("first", first), ("second", other))
        )
        names = (pl.lit(name).alias(column) for column, name in (("set", first), ("other_set", other)))
        parts.append(table.with_columns(shown).select(*names, pl.all()))
    note = _(
        "Documents that have a grade in both sets, counted by their two grades. For each grade "
        "in the second set, the shares add up to 1."
    )
    return [table_to_store("cross", title, pl.concat(parts), note=note)]
