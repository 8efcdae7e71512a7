"""The parts that compare magnitudes with known grades, and magnitudes with the anchors [T15]."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import polars as pl

from evaluation import analyses, figures
from evaluation.analyses.graded import graded
from evaluation.frames import Gains
from evaluation.magnitudes.documents import KEYS
from evaluation.rendering import format_p
from evaluation.report.content import Content, Drawn, Numbers, suffix
from evaluation.report.data import MAGNITUDES, WITH_ANCHORS, ReportData
from evaluation.report.intervals import (
    NONE,
    agreement_bounds,
    median_bounds,
    profile_bounds,
    ratio_bounds,
    with_bounds,
)
from evaluation.report.text import Text

GRADES: Final = ("grade", "lower", "higher", "nearest")
"""The columns of analyses that contain grades."""
METHOD: Final = "Welch's t of logarithms"
"""The test that the sentences report for magnitudes. The table has the others too."""
_WHISKERS: Final = {"low": "whisker_low", "high": "whisker_high"}
"""In tables, `low` and `high` are the bounds of an interval."""
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


def _by(text: str, name: str) -> Text:
    return Text("{title}: {name}", title=Text(text), name=name)


def _level(data: ReportData) -> str:
    return f"{data.parameters.level * 100:g}"


def _box_plots(data: ReportData, name: str, known: Gains, *, by_topic: bool) -> figures.Figure:
    boxes, outliers = (
        make(data.gains, known, by_topic=by_topic) for make in (analyses.boxes, analyses.outliers)
    )
    return figures.box_plots(
        boxes,
        outliers,
        value=data.judgments.scale,
        names=data.names(name),
        log=data.has_ratios,
        width="page" if by_topic else "column",
    )


def _boxed(data: ReportData, known: Gains, *, by_topic: bool = False) -> pl.DataFrame:
    """Return the table of the box plots, with the intervals of the medians behind the medians."""
    keys = ["topic_id", "grade"] if by_topic else ["grade"]
    values = {
        key: part["value"].to_numpy() for key, part in graded(data.gains, known, others=True).group_by(keys)
    }
    table = analyses.boxes(data.gains, known, by_topic=by_topic).rename(_WHISKERS)
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
        sentence = Text("Medians by {name}: {medians}.", name=name, medians=medians)
        content.sentences.append(sentence)
        key = f"magnitudes-by-grade{suffix(place)}"
        draw = partial(_box_plots, data, name, known, by_topic=False)
        content.figures.append(Drawn(key, _by("Magnitudes by grade", name), (sentence,), draw))
    note = Text(
        "Whiskers reach at most 1.5 times the interquartile range beyond the box. U stands for documents "
        "without a grade."
    )
    caption = Text("Magnitudes by grade")
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
        content.figures.append(Drawn(key, _by("Magnitudes by grade and topic", name), (alt,), draw))
    table = of_every_set(data, data.judged_grades, partial(_boxed, data, by_topic=True))
    caption = Text("Magnitudes by grade and topic")
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
        for log, equal_variances in (((True, False), *tests) if data.has_ratios else tests)
    ).sort("grades", maintain_order=True)
    method = METHOD if data.has_ratios else "Welch's t"
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
                Text("p by {name} ({method}): {values}.", name=name, method=method, values=values)
            )
    note = Text(
        "Two-sided t-tests on the documents’ medians or on their logarithms. p is not adjusted. Welch’s "
        "test allows grades to differ in variance, and Student’s test does not. Magnitudes are skewed, so "
        "the test of the logarithms is usually the most reliable. For such a test, the means are those of "
        "the logarithms."
    )
    caption = Text("Comparison of neighbouring grades")
    return Content(sentences, [Numbers("adjacent", caption, table, heads=3, notes=(note,))])


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


def _order(data: ReportData) -> Content:
    comparisons = {
        f"{MAGNITUDES}–{name}": (name, analyses.pairwise_agreement(data.gains, known))
        for name, known in data.judged_grades.items()
    }
    for graded_name, of_grades in data.graded.items():
        for name, binary in data.binary.items():
            cells = analyses.pairwise_agreement(binary, of_grades)
            comparisons[f"{name}–{graded_name}"] = graded_name, cells
            cells = analyses.pairwise_agreement(data.gains, binary, of_grades)
            comparisons[f"{MAGNITUDES}–{name}, by {graded_name}"] = graded_name, cells
    parts, by_pair = [], []
    for name, (grouped_by, cells) in comparisons.items():
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
            "The columns “agree”, “half” and “disagree” count a tie as an agreement, as half an agreement, "
            "and as a disagreement. The interval of “agree” ({level} %) comes from resampled topics.",
            level=_level(data),
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
    def make(known: Gains) -> pl.DataFrame:
        return analyses.disagreements(data.gains, known, data.comments, log=data.has_ratios)

    table = of_every_set(data, data.judged_grades, make)
    if "comments" in table.columns:
        table = table.with_columns(pl.col("comments").list.join(" | "))
    judged = data.gains.table.select(KEYS)
    counts = ", ".join(
        f"{name} {table.filter(grades=name).height} "
        f"(n = {known.table.join(judged, on=KEYS, how='semi').height})"
        for name, known in data.judged_grades.items()
    )
    sentence = Text("Documents closer to the median of another grade: {counts}.", counts=counts)
    notes = (Text("Distances are on a log scale."),) if data.has_ratios else ()
    caption = Text("Documents judged like documents of another grade")
    return Content([sentence], [Numbers("disagreements", caption, table, heads=3, notes=notes, most=20)])


def _profile(data: ReportData) -> Content:
    content, parts = Content(), []
    for place, (name, known) in enumerate(data.judged_grades.items()):
        profile = analyses.gain_profile(data.judgments, known)
        bounds = profile_bounds(known, data)
        of_rows = [bounds.get((row["anchors"], row["grade"]), NONE) for row in profile.iter_rows(named=True)]
        named = profile.rename(_WHISKERS)
        parts.append(with_names(data, name, with_bounds(named, of_rows, "median")))
        alt = (
            Text(
                "Medians without the anchors, by {name}: {medians}.",
                name=name,
                medians=_medians(parts[-1], False),
            ),
            Text(
                "Medians with the anchors, by {name}: {medians}.",
                name=name,
                medians=_medians(parts[-1], True),
            ),
        )
        content.sentences += alt
        draw = partial(figures.gain_profiles, profile, names=data.names(name))
        key = f"gain-profile{suffix(place)}"
        content.figures.append(Drawn(key, _by("Gain of each grade", name), alt, draw))
    table = pl.concat(parts).with_columns(WITH_ANCHORS)
    note = Text(
        "“Above” counts the values over 20. The interval of the median ({level} %) comes from resampled "
        "units.",
        level=_level(data),
    )
    caption = Text("Gain of each grade, relative to the N anchor")
    content.tables = [
        Numbers("profile", caption, table, heads=3, notes=(note,), interval_of="median", most=80)
    ]
    return content


def _medians(profile: pl.DataFrame, anchors: bool) -> str:
    rows = profile.filter(anchors=anchors).iter_rows(named=True)
    return ", ".join(f"{row['grade']} {row['median']:.3g} (n = {row['judgments']})" for row in rows)


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
    level = data.parameters.level
    of_topics = [units.filter(topic_id=topic)["ratio"] for topic in table["topic_id"][:-1]]
    bounds = [median_bounds(ratios.to_numpy(), level) for ratios in (*of_topics, units["ratio"])]
    sentence = Text.plural(
        "The median of H ÷ N in {number} unit is {median}.",
        "The median of H ÷ N in {number} units is {median}.",
        number=units.height,
        median=f"{overall['median'][0]:.3g}",
    )
    hidden = Text.plural(
        "The figure does not show bars of fewer than four units. These bars contain {number} unit.",
        "The figure does not show bars of fewer than four units. These bars contain {number} units.",
        number=int(bars.filter("hidden")["units"].sum()),
    )
    raw = Text(
        "The ratios use the raw magnitudes that the workers entered. The interval of a median ({level} %) "
        "makes no assumption about the distribution of the ratios.",
        level=_level(data),
    )
    rounded = Text("H ÷ N is rounded to multiples of 5.")
    return Content(
        [sentence, hidden],
        [
            Numbers(
                "ratios",
                Text("H ÷ N by topic"),
                with_bounds(table, bounds, "median"),
                notes=(raw,),
                interval_of="median",
                most=80,
            ),
            Numbers("ratio-bars", Text("Units by H ÷ N"), bars, notes=(rounded,)),
            Numbers("unit-ratios", Text("H ÷ N of each unit"), units, heads=2, most=0),
        ],
        [
            Drawn(
                "anchor-ratios",
                Text("H ÷ N of the units"),
                (sentence,),
                partial(figures.ratio_histogram, bars),
            )
        ],
    )


def _grade_ratios(data: ReportData) -> Content:
    content, parts = Content(), []
    for place, (name, known) in enumerate(data.with_letters.items()):
        ratios = analyses.grade_ratios(data.gains, known)
        bounds = ratio_bounds(data.gains, known, data)
        of_rows = [bounds[topic] for topic in ratios["topic_id"]]
        parts.append(with_names(data, name, with_bounds(ratios, of_rows, "median")))
        last: Mapping[str, Any] = ratios.row(-1, named=True)
        if last["median"] is None:
            text = Text("No topic has judgments of both an H document and an R or M document.")
        else:
            text = Text(
                "By {name}, the median ratio over all topics is {median} (n = {pairs} pairs). Of these "
                "ratios, {above} are above 3.5.",
                name=name,
                median=f"{last['median']:.3g}",
                pairs=last["pairs"],
                above=last["above"],
            )
        content.sentences.append(text)
        draw = partial(figures.grade_ratios, ratios)
        key = f"grade-ratios{suffix(place)}"
        content.figures.append(Drawn(key, _by("H against R and M", name), (text,), draw))
    note = Text(
        "“Above” counts the ratios over 3.5. The interval of a topic ({level} %) comes from the "
        "Hodges–Lehmann method, and the interval of all topics comes from resampled topics.",
        level=_level(data),
    )
    caption = Text("H against R and M")
    content.tables = [
        Numbers(
            "grade-ratios",
            caption,
            pl.concat(parts),
            heads=2,
            notes=(note,),
            interval_of="median",
            most=60,
        )
    ]
    return content


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
    "gain-profile": _profile,
    "anchor-ratios": _unit_ratios,
    "grade-ratios": _grade_ratios,
    "cross": _cross,
}
