"""The part `means`: the results by the crowd's gains and by each set of known grades."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import polars as pl

from .. import figures
from ..comparison.system_intervals import Target
from ..result import Result
from ..sampling.result import FILLED, SampledScores
from ..text import Text
from .catalogue import ESTIMATES
from .content import Content, Drawn, Numbers
from .data import ReportData

LAST: Final = ("observed", "judged_share")
"""The columns that come last in a table."""


def make_means(data: ReportData) -> Content:
    """Return the results of the runs, based on the crowd's gains and on each set of known grades."""
    content = Content()
    by_gains: dict[str, Mapping[str, Result]] = {}
    content.add_each(data.all_gains, lambda name: by_gains.update({name: data.results_by(name)}))
    for place, (name, results) in enumerate(by_gains.items(), start=1):
        content.sentences += [
            Text("{gains}: {notice}.", gains=data.shown(name), notice=notice)
            for notice in data.scores_by(name).notices.of(None).facts.texts()
        ]
        common = _common_warnings([*results.values()])
        content.sentences += [
            Text("{gains}: {warning}", gains=data.shown(name), warning=warning) for warning in common
        ]
        tables = [
            _numbers(data, f"means-{place}-{number}", name, result, common)
            for number, result in enumerate(results.values(), start=1)
        ]
        content.tables += tables
        content.tables += [
            _estimates(
                f"{ESTIMATES}-{place}-{number}",
                (name, result.measure),
                result.sample,
                data.parameters.level,
            )
            for number, result in enumerate(results.values(), start=1)
            if result.sample is not None
        ]
        if tables:
            content.figures.append(_figure(data, f"means-{place}", name, [*results.values()]))
    return content


def _common_warnings(results: Sequence[Result]) -> list[Text]:
    """Return the warnings that all of several results have. A single result keeps its warnings to itself."""
    if len(results) < 2:
        return []
    first, *others = (
        [warning.text for warning in result.warnings if not warning.is_caution] for result in results
    )
    return [text for text in first if all(text in other for other in others)]


def _figure(data: ReportData, key: str, name: str, results: Sequence[Result]) -> Drawn:
    points = pl.concat(
        result.table.select(
            pl.lit(result.measure).alias("measure"), "run", "mean", "low", "high", "in_top_set"
        )
        for result in results
    ).drop_nulls("mean")
    alt = Text.plural(
        "Means of {number} run, based on {gains}, with intervals.",
        "Means of {number} runs, based on {gains}, with intervals.",
        number=len(data.runs),
        gains=data.shown(name),
    )
    draw = partial(figures.mean_intervals, points, level=data.parameters.level)
    return Drawn(key, Text("Means of the runs by {gains}", gains=data.shown(name)), (alt,), draw)


def _numbers(data: ReportData, key: str, name: str, result: Result, common: Sequence[Text]) -> Numbers:
    table = result.to_polars()
    table = table.select(pl.exclude(LAST), *(column for column in LAST if column in table.columns))
    if result.estimator == "observed":
        table = table.drop("observed", strict=False)
    return Numbers(
        key,
        Text("{measure} by {gains}", measure=result.measure, gains=data.shown(name)),
        table,
        notes=tuple(notes_on(result)),
        interval_of="mean",
        sentences=tuple(text for text in result.paragraph if text not in common),
        about=(name, result.measure),
        result=result,
    )


_EVIDENCE: Final = {
    "predictions": "sample and predictions",
    "people": "sample alone",
    FILLED: "gaps filled, not valid",
}
_TARGETS: Final[dict[Target, str]] = {"new_topics": "new topics", "these_topics": "these topics"}


def _estimates(key: str, about: tuple[str, str], sample: SampledScores, level: float) -> Numbers:
    """Return the means by each kind of evidence, side by side with the naive ones."""
    table = pl.concat(sample.means(target, level=level) for target in _TARGETS).select(
        pl.col("target").replace_strict(_TARGETS),
        pl.col("evidence").replace_strict(_EVIDENCE),
        *("run", "topics", "mean", "low", "high"),
    )
    note = Text(
        "If every document that was not sampled had its prediction as gain, or 0 without predictions, the "
        "means would be those of “gaps filled, not valid”. They are biased, and no interval shows by how "
        "much."
    )
    return Numbers(
        key,
        Text("{measure} by kind of evidence", measure=about[1]),
        table,
        heads=3,
        notes=(note,),
        interval_of="mean",
        about=about,
    )


def notes_on(result: Result) -> list[Text]:
    """Return the sentences that explain the columns of a result's table."""
    level = f"{result.choices.level * 100:g}"
    notes = []
    if result.estimator == "corrected":
        notes.append(
            Text(
                "Noise in the gains biases the scores. The mean is corrected for this, and its interval "
                "({level} %) is for new topics, judged by other workers. The interval for “these topics” is "
                "for the same topics, judged by other workers. Intervals end where the range of the measure "
                "ends.",
                level=level,
            )
        )
    elif result.estimator == "sampled":
        notes.append(
            Text(
                "The means are estimated from a sample with known chances, without bias. Their intervals "
                "({level} %) are for new topics; those for “these topics” are for the same topics, with "
                "another "
                "sample judged by other workers. A mean can lie outside the range of the measure.",
                level=level,
            )
        )
    else:
        notes.append(
            Text(
                "The intervals ({level} %) are Student’s intervals for new topics. They do not correct the "
                "bias of noisy gains.",
                level=level,
            )
        )
    if result.best is not None and result.table.height > 1:
        notes.append(
            Text(
                "The difference is the mean of the run minus that of the best run, over the topics in which "
                "both have a score, with its interval for new topics ({level} %). Wins, ties and losses "
                "count these topics. p comes from Wilcoxon’s test on the scores in these topics. Holm’s "
                "method adjusts p for all pairs of runs; the interval is not adjusted.",
                level=level,
            )
        )
    if result.choices.baseline is not None:
        notes.append(
            Text(
                "The baseline is {baseline}. Its p-values are adjusted for the comparisons with it alone.",
                baseline=result.choices.baseline,
            )
        )
    if result.sample is None:
        notes.append(
            Text(
                "“Judged” is the share of documents with a judgment or grade, down to the cut-off. All other "
                "documents have a gain of 0."
            )
        )
    return notes
