"""The parts on the reliability of measures, and on the runs that measures rank differently [S04, ZY10]."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import polars as pl

from .. import analyses, figures
from ..comparison import battery
from ..comparison.subsets import caution
from ..score_table import Scores
from ..scores import score
from ..text import Text
from .answers import MAGNITUDES
from .content import Content, Drawn, Numbers, titled
from .data import ReportData

RIGID: Final = 2
BATTERY: Final = tuple(battery())
_MOST_NAMED: Final = 5
GRADED_BATTERY: Final = BATTERY[12:]
"""The measures of the battery that use gains. The others count relevant documents, and no magnitude is 0."""


def _reliability(data: ReportData) -> Content:
    return _reliable(data, data.judged_scores, "", data.crowd)


def _battery(data: ReportData) -> Content:
    content = Content()

    def add(name: str) -> None:
        scores = score(data.all_gains[name], data.runs, battery_of(data, name))
        of_gains = _reliable(data, scores, f"-battery-{data.number_of(name)}", data.shown(name))
        content.sentences += of_gains.sentences
        content.tables += of_gains.tables
        if name in data.graded:
            content.figures += of_gains.figures
            changes = analyses.rank_changes(scores, by="AP(rel=1)")
            _add_rises(content, changes, f"-battery-{data.number_of(name)}", name)

    content.add_each(data.all_gains, add)
    return content


def battery_of(data: ReportData, name: str) -> tuple[str, ...]:
    """Return the measures of the battery that these gains allow.

    The crowd's gains allow `GRADED_BATTERY`. Grades below `RIGID` have no rigid relevance.
    """
    if name == MAGNITUDES:
        return GRADED_BATTERY
    is_rigid = bool((data.known[name].table["gain"] >= RIGID).any())
    return tuple(measure for measure in BATTERY if is_rigid or f"rel={RIGID}" not in measure)


def _reliable(data: ReportData, scores: Scores, ending: str, name: str) -> Content:
    result = analyses.measure_reliability(scores, rng=data.parameters.random, trials=data.parameters.trials)
    drawn = Text(
        "For {name}, each of the {trials} draws contains {size} of the {topics} topics (n = {runs} runs, "
        "{measures} measures).",
        trials=data.parameters.trials,
        name=name,
        size=result.size,
        topics=result.topics,
        runs=len(scores.runs),
        measures=len(scores.measures),
    )
    warning = caution(result.topics, result.size)
    sentences = [drawn, *([Text("{warning}.", warning=warning)] if warning else [])]

    def caption(title: Text) -> Text:
        return Text(
            "{title}: {name} (measures: {measures})",
            title=title,
            name=name,
            measures=len(scores.measures),
        )

    tables = [
        Numbers(f"{key}{ending}", caption(title), table, notes=(note,), most=40 if most else 0)
        for key, title, table, note, most in _reliability_tables(result)
    ]
    curves, swaps = (
        partial(figures.stability_curves, result.stability, width="page"),
        partial(figures.swap_rate_curves, result.discrimination, width="page"),
    )
    alt = (drawn, *sentences[1:])
    return Content(
        sentences,
        tables,
        [
            Drawn(f"stability{ending}", caption(Text("Minority rate and ties")), alt, curves),
            Drawn(f"swap-rates{ending}", caption(Text("Swap rates")), alt, swaps),
        ],
    )


def _reliability_tables(
    result: analyses.Reliability,
) -> Iterator[tuple[str, Text, pl.DataFrame, Text, bool]]:
    yield (
        "reliability",
        Text("Stability and discrimination"),
        result.table,
        Text(
            "“Ties” is the proportion of ties at a minority rate of 5 %. “Absolute” is the smallest "
            "difference with a swap rate of at most 5 %, and “relative” is this difference divided by the "
            "largest mean. “Power” is the share of comparisons that reach this difference."
        ),
        True,
    )
    yield (
        "confidence",
        Text("Agreement between three methods of sorting pairs of runs"),
        result.confidence,
        Text(
            "Three methods sort the pairs of runs by how certain the difference between the two runs is. "
            "The first uses the sign test. The second uses the minority rate at a fuzziness of .05, and the "
            "third uses the number of swaps. Each number is τ_b between the orders of two methods."
        ),
        True,
    )
    yield (
        "stability",
        Text("Minority rate and ties"),
        result.stability,
        Text(
            "Two runs are tied if the difference between their means, divided by the larger mean, is below "
            "the fuzziness. In each pair of runs, one run is better in fewer draws of topics. The minority "
            "rate is the share of draws in which that run is better, over all pairs."
        ),
        False,
    )
    yield (
        "swaps",
        Text("Swap rates"),
        result.discrimination,
        Text(
            "A swap is a pair of runs that two halves of the topics put into different orders. Pairs are "
            "grouped by the difference between the two means on the first half, in steps of .01."
        ),
        False,
    )


def _rank_changes(data: ReportData) -> Content:
    choices = data.parameters
    measures = dict.fromkeys([*choices.measures, *choices.further_measures])
    scores = score(data.gains, data.runs, list(measures))
    content = Content()
    _add_rises(content, analyses.rank_changes(scores, by=scores.measures[0]), "", data.crowd)
    return content


def _add_rises(content: Content, changes: pl.DataFrame, ending: str, name: str) -> None:
    rises = analyses.inconsistencies(changes)
    first = rises["measure"][0]
    others = [row for row in rises.iter_rows() if row[0] != first]
    sentence = Text(
        "The ranking by {first} goes from the best run to the worst in {steps} steps. Number of steps at "
        "which another measure rises: {values}.",
        steps=rises["steps"][0],
        first=first,
        values=", ".join(f"{measure} {number}" for measure, number, _ in others[:_MOST_NAMED]),
    )
    caption = titled(Text("Number of rises for each measure"), name)
    content.tables.append(Numbers(f"rises{ending}", caption, rises, sentences=(sentence,)))
    draw = partial(figures.rank_changes, changes, by=first, width="page")
    content.figures.append(
        Drawn(f"rank-changes{ending}", titled(Text("Where measures disagree"), name), (sentence,), draw)
    )


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "reliability": _reliability,
    "battery": _battery,
    "rank-changes": _rank_changes,
}
