"""`grades`: magnitudes by known grade, ratios of the anchors, and how much judgments agree."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

import polars as pl

from evaluation import analyses
from evaluation.errors import InputError
from judging.core.services.jobs import Progress
from judging.understanding.reports.given import Given
from judging.understanding.reports.tables import KeptTable, Parts, kept

NO_GRADES: Final = "no document of the pools has a known grade"
ANCHORS: Final = pl.when("anchors").then(pl.lit("with")).otherwise(pl.lit("without")).alias("anchors")
"""Whether a row of a gain profile has the anchors in it, in words."""
_PAIR: Final = ("lower", "higher")
Tables = list[KeptTable]
T = TypeVar("T")


def grades_content(given: Given, progress: Progress) -> dict[str, object]:
    """`{"tables", "missing", "sentences"}`; `missing` tells of parts that lack their data."""
    parts, sentences = Parts(), []
    steps = [
        ("Magnitudes by grade", _boxes, True),
        ("What a grade is worth by the N anchor", _profile, True),
        ("Each grade with the next", _adjacent, True),
        ("Lower grades above higher ones", _exceptions, True),
        ("Documents valued as those of another grade", _disagreements, True),
        ("H ÷ N of the units", _unit_ratios, False),
        ("H against R and M", _grade_ratios, True),
        ("Agreement among the workers", _alpha, False),
        ("Agreement with the grades", _pairwise, True),
        ("The sets of grades with each other", _cross, False),
    ]
    for done, (title, make, needs_grades) in enumerate(steps, start=1):
        if needs_grades and not given.grade_sets:
            parts.leave_out(title, NO_GRADES)
        else:
            parts.add(title, partial(make, given, title))
        progress(done, len(steps))
    found = analyses.exceptions(given.medians, given.grade_sets)
    if not found.is_empty():
        sentences.append(analyses.exceptions_sentence(found))
    return {"tables": parts.tables, "missing": parts.missing, "sentences": sentences}


def _of_every_set(by_set: Mapping[str, T], make: Callable[[T], pl.DataFrame]) -> pl.DataFrame:
    """The tables of all sets of known grades below each other, with the set's name in the column `grades`."""
    return pl.concat(
        make(of_set).select(pl.lit(name).alias("grades"), pl.all()) for name, of_set in by_set.items()
    )


def _boxes(given: Given, title: str) -> Tables:
    whole = _of_every_set(given.grade_sets, lambda grades: analyses.boxes(given.medians, grades))
    by_topic = _of_every_set(
        given.grade_sets, lambda grades: analyses.boxes(given.medians, grades, by_topic=True)
    )
    note = "Medians of the documents; the whiskers end within 1.5 times the distance of the quartiles"
    return [
        kept("boxes", title, whole, note=note, grades=("grade",)),
        kept("boxes-by-topic", f"{title} and topic", by_topic, note=note, grades=("grade",)),
    ]


def _profile(given: Given, title: str) -> Tables:
    table = _of_every_set(given.grade_sets, lambda grades: analyses.gain_profile(given.judgments, grades))
    table = table.with_columns(ANCHORS)
    note = (
        "Every magnitude divided by that of its unit’s N anchor; above counts those over 20. The check of "
        "the anchors decides where these stand, so the rows without them say what a grade is worth"
    )
    return [kept("profile", title, table, note=note, grades=("grade",))]


def _adjacent(given: Given, title: str) -> Tables:
    table = _of_every_set(
        given.grade_sets, lambda grades: analyses.adjacent_grades(given.medians, grades, log=True)
    )
    note = "Welch’s two-sided t on the logarithms of the documents’ medians; p is not adjusted"
    return [kept("adjacent", title, table, note=note, grades=_PAIR)]


def _exceptions(given: Given, title: str) -> Tables:
    table = analyses.exceptions(given.medians, given.grade_sets).filter("exception")
    table = table.drop("exception").rename({"judgments": "grades"})
    note = "Topics and pairs of grades in which the lower grade has the larger median"
    return [kept("exceptions", title, table, note=note, grades=_PAIR)]


def _disagreements(given: Given, title: str) -> Tables:
    table = _of_every_set(given.grade_sets, lambda grades: analyses.disagreements(given.medians, grades))
    note = "Nearer, in logarithms, to another grade’s median in the topic than to their own grade’s"
    return [kept("disagreements", title, table, note=note, grades=("grade", "nearest"))]


def _unit_ratios(given: Given, title: str) -> Tables:
    units = analyses.unit_ratios(given.judgments)
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
    whole = units.select(pl.lit("all").alias("topic_id"), *summary)
    bars = analyses.ratio_histogram(units["ratio"])
    return [
        kept("ratios", "H ÷ N by topic", pl.concat([by_topic, whole]), note="From the magnitudes as given"),
        kept("ratio-bars", "How many units have which H ÷ N", bars, note="Rounded to multiples of 5"),
        kept("unit-ratios", "H ÷ N of every unit", units, note="n and h are the anchors’ magnitudes"),
    ]


def _grade_ratios(given: Given, title: str) -> Tables:
    table = _of_every_set(given.grade_sets, lambda grades: analyses.grade_ratios(given.medians, grades))
    note = "Medians over all pairs of a document graded H and one graded R or M; above counts ratios over 3.5"
    return [kept("grade-ratios", title, table, note=note)]


def _alpha(given: Given, title: str) -> Tables:
    raw = analyses.alpha_of_magnitudes(given.judgments, given.judgments.magnitudes)
    table = analyses.alpha_of_magnitudes(given.judgments, given.normalised).with_columns(
        alpha_as_given=raw["alpha"]
    )
    note = "Krippendorff’s α, interval, of the logarithms: of normalised magnitudes, and of those as given"
    return [kept("alpha", title, table, note=note)]


def _pairwise(given: Given, title: str) -> Tables:
    cells = {
        name: analyses.pairwise_agreement(given.medians, grades) for name, grades in given.grade_sets.items()
    }
    note = (
        "Pairs of documents that the grades order: the share that magnitudes order alike, ties by three rules"
    )
    whole = _of_every_set(cells, analyses.overall_agreement)
    by_pair = _of_every_set(cells, analyses.agreement_by_pair)
    return [
        kept("agreement", title, whole, note=note),
        kept("agreement-pairs", "Agreement by pair of grades", by_pair, note=note, grades=_PAIR),
    ]


def _cross(given: Given, title: str) -> Tables:
    if len(given.known) < 2:
        raise InputError(
            "too-few-sets-of-grades",
            "the study has too few sets of known grades to compare ({number}); import two or more",
            number=len(given.known),
        )
    names = list(given.known)
    parts = [
        analyses.cross_table(given.known[names[0]], given.known[name]).select(
            pl.lit(names[0]).alias("set"), pl.lit(name).alias("other_set"), pl.all()
        )
        for name in names[1:]
    ]
    note = "How the documents that both sets grade spread; shares add up to 1 for each second grade"
    return [kept("cross", title, pl.concat(parts), note=note, grades=("first", "second"))]
