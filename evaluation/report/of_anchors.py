"""The parts on ratios of magnitudes [T15].

They compare the documents of each grade with the N anchor. They also compare H anchors with N anchors, and
documents of grade H with documents of the grades R and M.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import polars as pl

from .. import analyses, figures
from ..comparison.item_resampling import NONE
from ..text import Text
from .by_grade import WHISKERS, level_of, titled_by, with_names
from .content import Content, Drawn, Numbers, suffix
from .data import WITH_ANCHORS, ReportData
from .intervals import median_bounds, profile_bounds, ratio_bounds, with_bounds


def _profile(data: ReportData) -> Content:
    content, parts = Content(), []
    for place, (name, known) in enumerate(data.judged_grades.items()):
        profile = analyses.gain_profile(data.judgments, known)
        bounds = profile_bounds(known, data)
        of_rows = [bounds.get((row["anchors"], row["grade"]), NONE) for row in profile.iter_rows(named=True)]
        named = profile.rename(WHISKERS)
        parts.append(with_names(data, name, with_bounds(named, of_rows, "median")))
        alt = (
            Text(
                "Medians by grade, without the anchors ({name}): {medians}.",
                name=name,
                medians=_medians(parts[-1], False),
            ),
            Text(
                "Medians by grade, with the anchors ({name}): {medians}.",
                name=name,
                medians=_medians(parts[-1], True),
            ),
        )
        content.sentences += alt
        draw = partial(figures.gain_profiles, profile, names=data.names(name))
        key = f"gain-profile{suffix(place)}"
        content.figures.append(Drawn(key, titled_by("Gain of each grade", name), alt, draw))
    table = pl.concat(parts).with_columns(WITH_ANCHORS)
    note = Text(
        "“Above” counts the values over 20. The interval of the median ({level} %) comes from resampled "
        "units.",
        level=level_of(data),
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
        "The figure does not show bars with fewer than four units. These bars have {number} unit in total.",
        "The figure does not show bars with fewer than four units. These bars have {number} units in total.",
        number=int(bars.filter("hidden")["units"].sum()),
    )
    raw = Text(
        "The ratios use the raw magnitudes that the workers entered. The interval of a median ({level} %) "
        "makes no assumption about the distribution of the ratios.",
        level=level_of(data),
    )
    rounded = Text("H ÷ N is rounded to multiples of 5.")
    return Content(
        [sentence],
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
                (sentence, hidden),
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
                "For {name}, the median ratio over all topics is {median} (n = {pairs} pairs). The number "
                "of ratios above 3.5 is {above}.",
                name=name,
                median=f"{last['median']:.3g}",
                pairs=last["pairs"],
                above=last["above"],
            )
        content.sentences.append(text)
        draw = partial(figures.grade_ratios, ratios)
        key = f"grade-ratios{suffix(place)}"
        content.figures.append(Drawn(key, titled_by("H against R and M", name), (text,), draw))
    note = Text(
        "“Above” counts the ratios over 3.5. The interval of a topic ({level} %) comes from the "
        "Hodges–Lehmann method, and the interval of all topics comes from resampled topics.",
        level=level_of(data),
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


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "gain-profile": _profile,
    "anchor-ratios": _unit_ratios,
    "grade-ratios": _grade_ratios,
}
