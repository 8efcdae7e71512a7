"""The parts that compare measures, gain schemes and preferences [JK02, K05, S04, ZY10]."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

import polars as pl

from evaluation import analyses, figures
from evaluation.analyses.gain_curves import CURVES
from evaluation.analyses.preferences import GAIN_MEASURES
from evaluation.analyses.schemes import JK, W, declared_scheme, schemes_with_gain
from evaluation.comparison import battery
from evaluation.comparison.subsets import caution
from evaluation.report.content import Content, Drawn, Numbers, suffix
from evaluation.report.data import MAGNITUDES, ReportData
from evaluation.score_table import Scores
from evaluation.scores import score
from evaluation.text import Text

RANKS: Final = (1, 5, 10, 20, 50, 100)
CUTOFFS: Final = (10, 100)
DISTANCES: Final = ("ndpm", "adm")
RIGID: Final = 2
BATTERY: Final = tuple(battery())
_MOST_NAMED: Final = 5
GRADED_BATTERY: Final = BATTERY[12:]
"""The measures of the battery that use gains. The others count relevant documents, and no magnitude is 0."""


def _by(text: Text, name: str) -> Text:
    return Text("{title}: {name}", title=text, name=name)


def _curves(data: ReportData) -> Content:
    content = Content()
    depth = data.parameters.curve_depth
    table = analyses.gain_curves(data.gains, data.runs, measures=CURVES, schemes=("linear",), depth=depth)
    _add_curves(content, data, table, "gain-curves", Text("Gain by rank, based on judgments"))
    place = 0

    def add(name: str) -> None:
        nonlocal place
        has_schemes = name in data.graded or name in data.with_letters
        schemes = schemes_with_gain(data.known[name]) if has_schemes else ("linear",)
        table = analyses.gain_curves(
            data.known[name], data.runs, measures=CURVES, schemes=schemes, depth=depth
        )
        caption = _by(Text("Gain by rank, based on grades"), name)
        _add_curves(content, data, table, f"gain-curves-by-grades{suffix(place)}", caption)
        place += 1

    content.add_each(data.known, add)
    return content


def _add_curves(content: Content, data: ReportData, table: pl.DataFrame, key: str, caption: Text) -> None:
    alt = Text.plural(
        "Curves of {number} run down to rank {depth}.",
        "Curves of {number} runs down to rank {depth}.",
        number=len(data.runs),
        depth=data.parameters.curve_depth,
    )
    draw = partial(figures.gain_curves, table, width="page")
    content.figures.append(Drawn(key, caption, (alt,), draw))
    measure = table["measure"].unique(maintain_order=True)[-1]
    at_ranks = table.filter(pl.col("rank").is_in(RANKS), pl.col("measure") == measure)
    wide = at_ranks.pivot("rank", index=["scheme", "run"], values="value", maintain_order=True)
    note = Text(
        "Each column is a rank, and each number is the mean {measure} of a run down to this rank.",
        measure=measure,
    )
    content.tables.append(Numbers(f"{key}-at-ranks", caption, wide, heads=2, notes=(note,)))


def _scheme_means(data: ReportData) -> Content:
    content = Content()
    cutoff = data.parameters.scheme_cutoff
    measures = (f"AnCG@{cutoff}", f"AnDCG({JK})@{cutoff}")
    note = Text(
        "In each row, “differs” lists the letters of the runs that differ significantly from the run in "
        "that row (Conover’s comparison, p < {alpha}). If Friedman’s p in the last row is {alpha} or more, "
        "no runs are compared.",
        alpha=f"{data.parameters.alpha:g}",
    )

    def add(name: str) -> None:
        means = analyses.scheme_means(
            data.known[name], data.runs, measures=measures, alpha=data.parameters.alpha
        )
        for number, measure in enumerate(means["measure"].unique(maintain_order=True), start=1):
            caption = Text("{measure} under gain schemes: {name}", measure=measure, name=name)
            table = analyses.scheme_table(means, measure)
            key = f"scheme-means-{_place(data, name)}-{number}"
            content.tables.append(Numbers(key, caption, table, heads=2, notes=(note,), most=60))

    content.add_each(data.graded, add)
    return content


def _place(data: ReportData, name: str) -> int:
    """Return the number that stands for the gains with this name in the keys of tables.

    The crowd's gains have the number 0. The sets of known grades have the numbers 1, 2 and so on.
    """
    return list(data.all_gains).index(name)


def _scheme_correlations(data: ReportData) -> Content:
    content = Content()

    def add(name: str) -> None:
        pairs = analyses.scheme_correlations(data.known[name], data.runs)
        names = pairs["first"].unique(maintain_order=True).to_list()
        key = f"scheme-correlations-{_place(data, name)}"
        note = Text(
            "Each number is Kendall’s τ_b between two rankings of {runs} runs. There is no value if a "
            "measure ties all runs.",
            runs=len(data.runs),
        )
        for cutoff in CUTOFFS:
            at_cutoff = [ranking for ranking in names if ranking.endswith(f"@{cutoff}")]
            caption = Text(
                "τ between measures and schemes at rank {cutoff}: {name}", cutoff=cutoff, name=name
            )
            table = analyses.correlation_table(pairs, at_cutoff)
            content.tables.append(Numbers(f"{key}-{cutoff}", caption, table, notes=(note,)))
        precision = [ranking for ranking in names if ranking.startswith("P@")]
        caption = Text("τ between cut-offs of precision: {name}", name=name)
        table = analyses.correlation_table(pairs, precision)
        content.tables.append(Numbers(f"{key}-precision", caption, table, notes=(note,)))
        caption = Text("τ between all measures, schemes and cut-offs: {name}", name=name)
        every = pairs.rename({"first": "ranking", "second": "other_ranking", "value": "tau_b"})
        content.tables.append(Numbers(key, caption, every, heads=2, notes=(note,), most=0))
        others = every.filter(pl.col("ranking") != pl.col("other_ranking")).drop_nulls("tau_b")
        if others.height:
            first, second, tau = others.sort("tau_b", maintain_order=True).row(0)
            content.sentences.append(
                Text(
                    "For {name}, the two rankings that agree least are {first} and {second}, with τ = {tau} "
                    "(n = {runs} runs).",
                    name=name,
                    first=first,
                    second=second,
                    tau=f"{tau:.2f}",
                    runs=len(data.runs),
                )
            )

    content.add_each(data.graded, add)
    return content


def _reliability(data: ReportData) -> Content:
    return _reliable(data, data.judged_scores, "", data.crowd)


def _battery(data: ReportData) -> Content:
    content = Content()

    def add(name: str) -> None:
        gains = data.all_gains[name]
        is_rigid = bool((gains.table["gain"] >= RIGID).any())
        by_grades = [measure for measure in BATTERY if is_rigid or f"rel={RIGID}" not in measure]
        scores = score(gains, data.runs, GRADED_BATTERY if name == MAGNITUDES else by_grades)
        of_gains = _reliable(data, scores, f"-battery-{_place(data, name)}", data.shown(name))
        content.sentences += of_gains.sentences
        content.tables += of_gains.tables
        if name in data.graded:
            content.figures += of_gains.figures
            changes = analyses.rank_changes(scores, by="AP(rel=1)")
            _add_rises(content, data, changes, f"-battery-{_place(data, name)}", name)

    content.add_each(data.all_gains, add)
    return content


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
    _add_rises(content, data, analyses.rank_changes(scores, by=scores.measures[0]), "", data.crowd)
    return content


def _add_rises(content: Content, data: ReportData, changes: pl.DataFrame, ending: str, name: str) -> None:
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
    caption = _by(Text("Number of rises for each measure"), name)
    content.tables.append(Numbers(f"rises{ending}", caption, rises, sentences=(sentence,)))
    draw = partial(figures.rank_changes, changes, by=first, width="page")
    content.figures.append(
        Drawn(f"rank-changes{ending}", _by(Text("Where measures disagree"), name), (sentence,), draw)
    )


def _declared(data: ReportData, name: str) -> str:
    """Return the scheme that lists every level of a set of known grades, including those no document has."""
    return W["w3"] if name in data.with_letters else declared_scheme(data.known[name])


def _preferences(data: ReportData) -> Content:
    content = Content()

    def add(name: str) -> None:
        gains = data.all_gains[name]
        scheme = "linear" if name == MAGNITUDES else _declared(data, name)
        measures = [
            f'AGR(gain="{scheme}")' if measure == "AGR" and scheme != "linear" else measure
            for measure in GAIN_MEASURES
        ]
        scores = analyses.preference_scores(
            gains, data.runs, distances=DISTANCES, measures=measures, scale="minmax"
        )
        place = _place(data, name)
        note = Text(
            "1-ndpm uses only the order of the documents, and a tie in the run counts as half a preference. "
            "adm compares the run’s scores with the gains, both scaled to the range from 0 to 1. It covers "
            "the documents that have a score or a gain; in [ZY10], it covers the whole collection. The other "
            "measures use the gains. The means cover {topics} topics.",
            topics=len(scores.topics),
        )
        caption = _by(Text("Runs by preferences and by gains"), data.shown(name))
        table = analyses.preference_table(scores)
        content.tables.append(Numbers(f"preferences-{place}", caption, table, notes=(note,)))
        taus = analyses.correlation_table(analyses.preference_correlations(scores))
        of_taus = Text(
            "Each number is Kendall’s τ_b between the rankings of {runs} runs by two measures.",
            runs=len(data.runs),
        )
        caption = _by(Text("τ between preferences and gains"), data.shown(name))
        content.tables.append(Numbers(f"preference-taus-{place}", caption, taus, notes=(of_taus,)))

    content.add_each(data.all_gains, add)
    return content


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "gain-curves": _curves,
    "scheme-means": _scheme_means,
    "scheme-correlations": _scheme_correlations,
    "reliability": _reliability,
    "battery": _battery,
    "rank-changes": _rank_changes,
    "preferences": _preferences,
}
