"""The parts on the judgments themselves: their numbers, the agreement among workers, and the cost."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import polars as pl

from .. import analyses
from ..comparison.item_resampling import NONE
from ..magnitudes import intervals
from ..pairwise import places
from ..text import Text
from .catalogue import ADAPTIVE
from .content import Content, Numbers
from .data import WITH_ANCHORS, ReportData
from .intervals import alpha_bounds, with_bounds

ANCHORS: Final = {"h_id": "H", "n_id": "N"}
EQUAL_STEPS: Final = 10


def _topics(data: ReportData) -> Content:
    table = data.judgments.table
    numbers = {
        "documents": pl.col("document_id").n_unique().cast(pl.Int64),
        "units": pl.struct(data.judgments.unit_keys).n_unique().cast(pl.Int64),
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
    if data.judgments.has_anchors:
        for column, mark in ANCHORS.items():
            marked = table.filter(pl.col("gold") == mark).group_by("topic_id")
            ids = marked.agg(pl.col("document_id").unique().sort().str.join(" ").alias(column))
            shown = shown.join(ids, on="topic_id", how="left", maintain_order="left")
    content = Content()
    if data.topics is not None:
        shown = data.topics
    else:
        content.missing.append(
            Text(
                "Unlike Table 1 in [T15], this table does not show how often checks failed or how often "
                "workers used the back button. Only the report of a study on the site has these counts."
            )
        )
    per = data.judgments.documents.group_by("topic_id", "document_id").len()["len"].to_numpy()
    content.sentences = [
        Text(
            "Judgments: {judgments}. Documents: {documents}. Topics: {topics}. Units: {units}.",
            topics=by_topic.height,
            **{name: total[name] for name in ("judgments", "documents", "units")},
        ),
        *([Text("Workers: {workers}.", workers=total["workers"])] if "workers" in total else []),
        Text(
            "Documents have {least} to {most} judgments each, with a median of {median}.",
            least=int(per.min()),
            most=int(per.max()),
            median=f"{np.median(per):g}",
        ),
    ]
    content.tables = [
        Numbers(
            "topics",
            Text("Topics, units and anchors") if data.judgments.has_anchors else Text("Topics and units"),
            shown,
        )
    ]
    return content


def _gains(data: ReportData) -> Content:
    choices = data.parameters
    table = intervals(
        data.judgments,
        data.normalised,
        choices.random,
        level=choices.level,
        resamples=choices.document_resamples,
        statistic=data.gain_statistic,
        spread=data.spread,
    )
    for name, grades in data.judged_grades.items():
        column = f"grade_{name}"
        known = grades.table.select("topic_id", "document_id", pl.col("gain").alias(column))
        table = table.join(known, on=["topic_id", "document_id"], how="left", maintain_order="left")
        shown = [data.show_grade(name, grade) for grade in table[column]]
        table = table.with_columns(pl.Series(column, shown, dtype=pl.String))
    sentences = []
    if data.gains_have_ratios:
        widths = np.log((table["high"] / table["low"]).to_numpy())
        text = Text(
            "The interval of a typical document goes from its gain divided by {factor} to its gain times "
            "{factor}.",
            factor=f"{np.exp(np.median(widths) / 2):.2f}",
        )
        sentences = [text]
    level = f"{choices.level * 100:g}"
    if data.scale.compares_pairs:
        sentences += _place_sentences(data)
        note = Text(
            "The interval ({level} %) comes from the fit of the model of Bradley, Terry and Davidson to all "
            "comparisons of the topic.",
            level=level,
        )
    elif data.spread == "topic":
        note = Text(
            "The interval ({level} %) comes from resampled judgments of all documents of the topic.",
            level=level,
        )
    else:
        note = Text("The interval ({level} %) comes from resampled judgments of the document.", level=level)
    notes = (note, ADAPTIVE) if data.is_adaptive else (note,)
    return Content(
        sentences,
        [
            Numbers(
                "gains",
                Text("Gain of each document"),
                table,
                heads=2,
                notes=notes,
                interval_of="gain",
                most=10,
            ),
        ],
    )


def _place_sentences(data: ReportData) -> list[Text]:
    """Return sentences on ties and on the effect of the place, for judgments that compare two documents."""
    table = places(data.judgments)
    number = table["comparisons"]
    shares = {
        name: f"{100 * float((table[name] * number).sum()) / int(number.sum()):.1f}"
        for name in ("first", "ties")
    }
    return [
        Text(
            "The document that was shown first got {first} % of the points, and {ties} % of the comparisons "
            "are ties.",
            **shares,
        )
    ]


def _distribution(data: ReportData) -> Content:
    """Count the documents in each range of gains, and compute the quartiles of all gains.

    On a logarithmic axis, each range is √2 times as wide as the one before. On a linear axis, there are ten
    ranges of equal width.
    """
    gain = pl.col("gain")
    summary = data.gains.table.select(
        documents=pl.len().cast(pl.Int64),
        least=gain.min(),
        q1=gain.quantile(0.25, "linear"),
        median=gain.median(),
        q3=gain.quantile(0.75, "linear"),
        most=gain.max(),
    )
    values = data.gains.table["gain"].to_numpy()
    notes: tuple[Text, ...] = ()
    if data.gains_have_ratios:
        first, last = np.floor(2 * np.log2([values.min(), values.max()]))
        edges = 2 ** (np.arange(first, last + 2) / 2)
        notes = (Text("Each range of gains is √2 times as wide as the one before."),)
    else:
        edges = np.histogram_bin_edges(values, bins=EQUAL_STEPS)
    counts, _ = np.histogram(values, bins=edges)
    bars = pl.DataFrame({"from": edges[:-1], "to": edges[1:], "documents": counts})
    caption = Text("Distribution of the gains")
    return Content(
        [],
        [
            Numbers("gains-summary", Text("Quartiles of the documents’ gains"), summary, heads=0),
            Numbers("distribution", caption, bars, heads=2, notes=notes),
        ],
    )


def _alpha(data: ReportData) -> Content:
    table = analyses.worker_agreement(data.judgments, data.normalised)
    by_topic = {anchors: alpha_bounds(data, anchors=anchors) for anchors in table["anchors"].unique()}
    bounds = [
        by_topic[anchors].get(topic, NONE) for anchors, topic in table.select("anchors", "topic_id").rows()
    ]
    table = with_bounds(table.rename({"raw": "alpha_as_given"}), bounds, "alpha")
    sentences = []
    for row in table.filter(topic_id="all").iter_rows(named=True):
        if row["alpha"] is None:
            continue
        values = {
            "alpha": f"{row['alpha']:.3f}",
            "raw": "–" if row["alpha_as_given"] is None else f"{row['alpha_as_given']:.3f}",
            "judgments": row["judgments"],
            "documents": row["documents"],
        }
        if row["anchors"]:
            text = Text("With the anchors, α is {alpha} after normalisation and {raw} before it.", **values)
        else:
            text = Text(
                "α is {alpha} after normalisation and {raw} before it (n = {judgments} judgments of "
                "{documents} documents).",
                **values,
            )
        sentences.append(text)
    sampled = Text(
        "The interval of α ({level} %) comes from resampled documents.",
        level=f"{data.parameters.level * 100:g}",
    )
    shown = table.with_columns(WITH_ANCHORS)
    caption = Text("Krippendorff’s α among the workers")
    return Content(
        sentences,
        [Numbers("alpha", caption, shown, heads=2, notes=(data.scale.alpha, sampled), interval_of="alpha")],
    )


def _cost(data: ReportData) -> Content:
    assert data.pay is not None
    table = analyses.cost(data.judgments, data.pay, fee=data.fee, excluded=data.excluded or None)
    last = table.row(-1, named=True)
    sentence = Text(
        "A worker gets {pay} for a unit, and the platform adds a fee of {fee} %. The total for {units} "
        "units is {total}, which is {judgment} for each judgment.",
        pay=data.money(data.pay),
        fee=f"{data.fee * 100:g}",
        units=last["units"] + last.get("excluded", 0),
        total=data.money(last["total"]),
        judgment=data.money(last["per_judgment"]),
    )
    sentences = [sentence]
    if last.get("excluded"):
        sentences.append(
            Text.plural(
                "The total includes {number} excluded unit: its judgments do not count, but it is paid.",
                "The total includes {number} excluded units: their judgments do not count, but they are "
                "paid.",
                number=last["excluded"],
            )
        )
    return Content(sentences, [Numbers("cost", Text("Cost by topic"), table)])


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "topics": _topics,
    "distribution": _distribution,
    "gains": _gains,
    "alpha": _alpha,
    "cost": _cost,
}
