"""Stability and discrimination of the battery, and orders of the pairs of runs ([S04], 4.1, 4.2 and 5)."""

from collections.abc import Callable
from functools import partial
from typing import Final

import polars as pl

from ... import analyses, figures
from ...comparison import Discrimination, Stability, confidence_orders, discrimination
from ...comparison.subsets import caution
from ...report.content import Content, Drawn, Numbers, titled
from ...report.data import ReportData
from ...score_table import Scores
from ...text import Text
from .battery import battery_scores, describe_runs, measure_subsets

FUZZINESS: Final = 0.05
LEVELS: Final = (0.05, 0.1, 0.2)
"""The highest swap rates for which the needed difference is given. [S04] uses the first."""
_COLUMNS: Final = ("measure", "absolute", "maximum", "relative", "power")
_Add = Callable[[Content, ReportData, str, Scores, Stability, Discrimination], None]


def stability_of(data: ReportData) -> Content:
    """Return the minority rates and the proportions of ties: curves, and a table at one fuzziness."""
    return _each(data, _add_stability)


def discrimination_of(data: ReportData) -> Content:
    """Return the swap rates, the differences needed and the discriminative power, by several rules."""
    return _each(data, _add_discrimination)


def orders_of(data: ReportData) -> Content:
    """Return the correlations between three orders of the pairs of runs."""
    return _each(data, _add_orders)


def needed_differences(stable: Stability, discriminating: Discrimination, rate: float) -> pl.DataFrame:
    """Return the columns of the paper for each measure: `measure, absolute, maximum, relative, power`."""
    table = analyses.reliability_table(stable, discriminating, rate=rate)
    return table.rename({"largest": "maximum"}).select(_COLUMNS)


def _each(data: ReportData, add_content: _Add) -> Content:
    content = Content()

    def add(name: str) -> None:
        scores = battery_scores(data, name)
        add_content(content, data, name, scores, *measure_subsets(data, scores))

    content.add_each(data.all_gains, add)
    return content


def _add_stability(
    content: Content, data: ReportData, name: str, scores: Scores, stable: Stability, _: Discrimination
) -> None:
    curves = analyses.stability_curves(stable)
    table = curves.filter(fuzziness=FUZZINESS).select("measure", "minority_rate", "proportion_of_ties")
    table = table.with_columns(ties=pl.Series(stable.ties_at(), dtype=pl.Float64))
    note = Text(
        "The minority rate and the proportion of ties are those at a fuzziness of {fuzziness}. “Ties” is "
        "the proportion of ties at a minority rate of 5 %.",
        fuzziness=f"{FUZZINESS:g}",
    )
    shown, place, drawn = data.shown(name), data.number_of(name), _drawn(data, name, scores, stable)
    caption = titled(Text("Minority rate and ties"), shown)
    content.sentences.append(drawn)
    content.tables += [
        Numbers(f"stability-{place}", caption, table, notes=(note,)),
        Numbers(f"stability-curves-{place}", titled(Text("All values of the curves"), shown), curves, most=0),
    ]
    draw = partial(figures.stability_curves, curves, width="page")
    content.figures.append(Drawn(f"stability-{place}", caption, (drawn,), draw))


def _add_discrimination(
    content: Content, data: ReportData, name: str, scores: Scores, stable: Stability, found: Discrimination
) -> None:
    shown, place, drawn = data.shown(name), data.number_of(name), _drawn(data, name, scores, stable)
    content.sentences.append(drawn)
    caption = titled(Text("Differences needed"), shown)
    note = Text(
        "“Absolute” is the smallest difference with a swap rate of at most 5 %, “maximum” is the largest "
        "mean of a run in any subset, and “relative” is the first divided by the second. “Power” is the "
        "share of comparisons that reach the difference."
    )
    table = needed_differences(stable, found, LEVELS[0])
    content.tables.append(Numbers(f"discrimination-{place}", caption, table, notes=(note,)))
    by_level = table.select("measure")
    for column in ("absolute", "power"):
        by_level = by_level.with_columns(
            needed_differences(stable, found, rate)[column].alias(f"{column}_at_{rate:.0%}")
            for rate in LEVELS
        )
    caption = titled(Text("Differences needed at several swap rates"), shown)
    content.tables.append(Numbers(f"discrimination-levels-{place}", caption, by_level))
    drawn_again = discrimination(
        scores,
        rng=data.parameters.random,
        trials=data.parameters.trials,
        size=stable.topics,
        replacement=True,
    )
    caption = titled(Text("Differences needed with replacement"), shown)
    note = Text(
        "The two subsets of each draw are drawn separately, each with replacement, so they have as many "
        "topics as the study: {topics}.",
        topics=stable.topics,
    )
    table = needed_differences(stable, drawn_again, LEVELS[0])
    content.tables.append(Numbers(f"discrimination-replacement-{place}", caption, table, notes=(note,)))
    bins = analyses.discrimination_curves(found)
    caption = titled(Text("Swap rates"), shown)
    content.tables.append(Numbers(f"swap-rates-{place}", caption, bins, most=0))
    draw = partial(figures.swap_rate_curves, bins, width="page")
    content.figures.append(Drawn(f"swap-rates-{place}", caption, (drawn,), draw))


def _add_orders(
    content: Content, data: ReportData, name: str, scores: Scores, stable: Stability, found: Discrimination
) -> None:
    table = analyses.confidence_table(scores.measures, confidence_orders(scores, stable, found))
    content.sentences.append(_drawn(data, name, scores, stable))
    caption = titled(Text("Agreement between three orders of the pairs of runs"), data.shown(name))
    content.tables.append(Numbers(f"orders-{data.number_of(name)}", caption, table))


def _drawn(data: ReportData, name: str, scores: Scores, stable: Stability) -> Text:
    """Return a sentence about the subsets and the runs, with a warning if there are few topics."""
    warning = caution(stable.topics, stable.size)
    return Text(
        "For {name}, each of the {trials} draws contains {size} of the {topics} topics; {runs}{warning}",
        name=data.shown(name),
        trials=stable.trials,
        size=stable.size,
        topics=stable.topics,
        runs=describe_runs(data, scores),
        warning=Text(" {warning}.", warning=warning) if warning else "",
    )
