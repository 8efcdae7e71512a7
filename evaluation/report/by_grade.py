"""The parts that compare magnitudes with known grades, and sets of known grades with each other [T15]."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

import polars as pl

from .. import analyses, figures
from ..analyses.graded import graded
from ..frames import Gains
from ..magnitudes.document_gains import KEYS
from ..rendering import format_p
from ..text import Text
from ..verdict_table import with_verdicts
from ..verdicts import VERDICTS
from .content import Content, Drawn, Numbers, suffix, titled
from .data import ReportData
from .intervals import (
    agreement_bounds,
    median_bounds,
    with_bounds,
)

GRADES: Final = ("grade", "lower", "higher", "nearest")
"""The columns of analyses that contain grades."""
METHOD: Final = "Welch's t of logarithms"
"""The test that the sentences report for magnitudes. The table has the others too."""
WHISKERS: Final = {"low": "whisker_low", "high": "whisker_high"}
"""In tables, `low` and `high` are the bounds of an interval."""
T = TypeVar("T")


def with_names(data: ReportData, name: str, table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with each grade as the report shows it. The new column `grades` has the set's name."""
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


def titled_by(text: str, name: str) -> Text:
    """Return the caption of a table or figure for one set of known grades."""
    return titled(Text(text), name)


def level_of(data: ReportData) -> str:
    """Return the confidence level as a percentage."""
    return f"{data.parameters.level * 100:g}"


def _box_plots(data: ReportData, name: str, known: Gains, *, by_topic: bool) -> figures.Figure:
    boxes, outliers = (
        make(data.gains, known, by_topic=by_topic) for make in (analyses.boxes, analyses.outliers)
    )
    return figures.box_plots(
        boxes,
        outliers,
        value=data.scale.name,
        names=data.names(name),
        log=data.gains_have_ratios,
        width="page" if by_topic else "column",
    )


def _boxed(data: ReportData, known: Gains, *, by_topic: bool = False) -> pl.DataFrame:
    """Return the table of the box plots, with the interval of each median in new columns after `median`."""
    keys = ["topic_id", "grade"] if by_topic else ["grade"]
    values = {
        key: part["value"].to_numpy() for key, part in graded(data.gains, known, others=True).group_by(keys)
    }
    table = analyses.boxes(data.gains, known, by_topic=by_topic).rename(WHISKERS)
    bounds = [median_bounds(values[key], data.parameters.level) for key in table.select(keys).rows()]
    return with_bounds(table, bounds, "median")


def _boxes(data: ReportData) -> Content:
    table = of_every_set(data, data.judged_grades, partial(_boxed, data))
    content = Content()
    for place, (name, known) in enumerate(data.judged_grades.items()):
        medians = ", ".join(
            f"{row['grade']} {row['median']:.3g} (n = {row['documents']})"
            for row in table.filter(grades=name).iter_rows(named=True)
        )
        sentence = Text("Medians by grade ({name}): {medians}.", name=name, medians=medians)
        content.sentences.append(sentence)
        key = f"magnitudes-by-grade{suffix(place)}"
        draw = partial(_box_plots, data, name, known, by_topic=False)
        content.figures.append(Drawn(key, titled_by("Magnitudes by grade", name), (sentence,), draw))
    note = Text(
        "Whiskers reach at most 1.5 times the interquartile range beyond the box. U stands for documents "
        "without a grade."
    )
    caption = Text("Judgments by grade")
    content.tables = [Numbers("boxes", caption, table, heads=2, notes=(note,), interval_of="median", most=80)]
    return content


def _boxes_by_topic(data: ReportData) -> Content:
    content = Content()
    for place, (name, known) in enumerate(data.judged_grades.items()):
        key = f"magnitudes-by-topic{suffix(place)}"
        alt = Text.plural(
            "Box plots of {number} topic.", "Box plots of {number} topics.", number=data.facts.topics
        )
        draw = partial(_box_plots, data, name, known, by_topic=True)
        content.figures.append(Drawn(key, titled_by("Magnitudes by grade and topic", name), (alt,), draw))
    table = of_every_set(data, data.judged_grades, partial(_boxed, data, by_topic=True))
    caption = Text("Judgments by grade and topic")
    content.tables = [Numbers("boxes-by-topic", caption, table, heads=3, interval_of="median")]
    return content


def _adjacent(data: ReportData) -> Content:
    tests = ((False, False), (False, True))
    table = pl.concat(
        of_every_set(
            data,
            data.judged_grades,
            partial(analyses.adjacent_grades, data.gains, log=log, equal_variances=equal_variances),
        )
        for log, equal_variances in (((True, False), *tests) if data.gains_have_ratios else tests)
    ).sort("grades", maintain_order=True)
    method = METHOD if data.gains_have_ratios else "Welch's t"
    sentences = []
    for name in data.judged_grades:
        tested = table.filter(grades=name, method=method).drop_nulls("t")
        values = ", ".join(
            f"{row['lower']}–{row['higher']} {format_p(row['p'], 3)} "
            f"(n = {row['lower_documents']}, {row['higher_documents']})"
            for row in tested.iter_rows(named=True)
        )
        if values:
            sentences.append(
                Text(
                    "p for neighbouring grades ({name}, {method}): {values}.",
                    name=name,
                    method=method,
                    values=values,
                )
            )
    notes = [
        Text(
            "Two-sided t-tests. p is not adjusted. Welch’s test allows grades to differ in variance, and "
            "Student’s test does not. [T15] does not say which t-test it used."
        )
    ]
    if data.gains_have_ratios:
        notes.append(
            Text(
                "The tests compare the documents’ medians or their logarithms. Magnitudes are skewed, so "
                "the test of the logarithms is usually the most reliable. The rows of this test show the "
                "means of the logarithms."
            )
        )
    caption = Text("Comparison of neighbouring grades")
    return Content(sentences, [Numbers("adjacent", caption, table, heads=3, notes=tuple(notes))])


def _exceptions(data: ReportData) -> Content:
    every = analyses.exceptions(data.gains, data.judged_grades)
    table = of_every_set(
        data,
        data.judged_grades,
        lambda grades: (
            analyses.exceptions(data.gains, {"": grades}).filter("exception").drop("exception", "judgments")
        ),
    )
    sentence = Text(
        "Pairs of grades in which the lower grade has the larger median: {numbers}.",
        numbers=analyses.exceptions_sentence(every),
    )
    caption = Text("Topics and pairs of grades in which the lower grade has the larger median")
    return Content([sentence], [Numbers("exceptions", caption, table, heads=4)])


def order_comparisons(data: ReportData) -> dict[str, tuple[str, pl.DataFrame]]:
    """Return the cells of `pairwise_agreement` for each pair of judgments that can be compared.

    The keys are names such as “magnitudes–grades”. Each value also has the name of the set of known grades by
    which the cells group the pairs of documents.
    """
    comparisons = {
        f"{data.crowd}–{name}": (name, analyses.pairwise_agreement(data.gains, known))
        for name, known in data.judged_grades.items()
    }
    for graded_name, of_grades in data.graded.items():
        for name, binary in data.binary.items():
            cells = analyses.pairwise_agreement(binary, of_grades)
            comparisons[f"{name}–{graded_name}"] = graded_name, cells
            cells = analyses.pairwise_agreement(data.gains, binary, of_grades)
            comparisons[f"{data.crowd}–{name}, by {graded_name}"] = graded_name, cells
    return comparisons


def _order(data: ReportData) -> Content:
    parts, by_pair = [], []
    for name, (grouped_by, cells) in order_comparisons(data).items():
        of_all = pl.lit(name).alias("comparison")
        overall = analyses.overall_agreement(cells)
        bounds = agreement_bounds(cells, data)
        topics = pl.lit(cells["topic_id"].n_unique(), dtype=pl.Int64).alias("topics")
        parts.append(
            with_bounds(overall, [bounds[mean] for mean in overall["mean"]], "agree").select(
                of_all, "mean", topics, pl.exclude("mean")
            )
        )
        of_pairs = analyses.agreement_by_pair(cells)
        bounds_of_pairs = [
            agreement_bounds(cells.filter(lower=lower, higher=higher), data)["cells"]
            for lower, higher in of_pairs.select("lower", "higher").rows()
        ]
        pairs = with_names(data, grouped_by, with_bounds(of_pairs, bounds_of_pairs, "agree"))
        by_pair.append(pairs.select(of_all, pl.exclude("grades")))
    table = pl.concat(parts)
    shares = ", ".join(
        f"{row['comparison']} {row['agree']:.3f} (n = {row['pairs']})"
        for row in table.filter(mean="cells").drop_nulls("agree").iter_rows(named=True)
    )
    sentences = [Text("Share of pairs in the same order: {shares}.", shares=shares)] if shares else []
    notes = (
        Text(
            "The columns “agree”, “half” and “disagree” differ in how a tie counts: as an agreement, as half "
            "an agreement, or as a disagreement. The interval of “agree” ({level} %) comes from resampled "
            "topics.",
            level=level_of(data),
        ),
    )
    caption = Text("Pairs of documents in the same order")
    by_pair_caption = Text("Agreement by pair of grades")
    return Content(
        sentences,
        [
            Numbers("agreement", caption, table, heads=2, notes=notes, interval_of="agree"),
            Numbers(
                "agreement-pairs",
                by_pair_caption,
                pl.concat(by_pair),
                heads=3,
                interval_of="agree",
                most=60,
            ),
        ],
    )


def _disagreements(data: ReportData) -> Content:
    def make(name: str, known: Gains) -> pl.DataFrame:
        table = analyses.disagreements(data.gains, known, data.comments, log=data.gains_have_ratios)
        return table if data.verdicts is None else with_verdicts(table, data.verdicts, name)

    tables = {name: make(name, known) for name, known in data.judged_grades.items()}
    table = of_every_set(data, tables, lambda of_set: of_set)
    if "comments" in table.columns:
        table = table.with_columns(pl.col("comments").list.join(" | "))
    judged = data.gains.table.select(KEYS)
    counts = ", ".join(
        f"{name} {tables[name].height} (n = {known.table.join(judged, on=KEYS, how='semi').height})"
        for name, known in data.judged_grades.items()
    )
    sentences = [Text("Documents closer to the median of another grade: {counts}.", counts=counts)]
    if data.verdicts is not None:
        for name, of_set in tables.items():
            sentences += _verdict_sentences(name, of_set["verdict"])
    notes = (Text("Distances are on a log scale."),) if data.gains_have_ratios else ()
    caption = Text("Documents judged like documents of another grade")
    return Content(sentences, [Numbers("disagreements", caption, table, heads=3, notes=notes, most=20)])


def _verdict_sentences(name: str, verdicts: pl.Series) -> list[Text]:
    """Return sentences about the verdicts on the disagreements with one set of known grades.

    The first sentence says how many disagreements have a verdict, and each further one counts a verdict.
    """
    sentences = [
        Text(
            "Disagreements with a verdict ({name}): {number} of {total}.",
            name=name,
            number=int((verdicts != "").sum()),
            total=len(verdicts),
        )
    ]
    for verdict, words in VERDICTS.items():
        count = int((verdicts == verdict).sum())
        sentences.append(
            Text("Verdict “{verdict}” ({name}): {count}.", verdict=words, name=name, count=count)
        )
    return sentences


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
    table = pl.concat(parts).rename({"first": "first_grade", "second": "second_grade"})
    caption = Text("Agreement between the sets of grades")
    return Content([], [Numbers("cross", caption, table, heads=4)])


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "magnitudes-by-grade": _boxes,
    "magnitudes-by-topic": _boxes_by_topic,
    "adjacent": _adjacent,
    "exceptions": _exceptions,
    "order-agreement": _order,
    "disagreements": _disagreements,
    "cross": _cross,
}
