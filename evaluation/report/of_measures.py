"""The parts that compare measures, gain schemes and preferences [JK02, K05, S04, ZY10]."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import polars as pl

from .. import analyses, figures
from ..analyses.gain_curves import CURVES
from ..analyses.preferences import GAIN_MEASURES
from ..analyses.schemes import JK, W, declared_scheme, schemes_with_gain
from ..figures.gain_curves import IDEAL
from ..text import Text
from .answers import MAGNITUDES
from .content import Content, Drawn, Numbers, suffix, titled
from .data import ReportData

RANKS: Final = (1, 5, 10, 20, 50, 100)
CUTOFFS: Final = (10, 100)
DISTANCES: Final = ("ndpm", "adm")


def _curves(data: ReportData) -> Content:
    content = Content()
    depth = data.parameters.curve_depth
    table = analyses.gain_curves(data.gains, data.runs, measures=CURVES, schemes=("linear",), depth=depth)
    add_curves(content, data, table, "gain-curves", Text("Gain by rank, based on judgments"))
    place = 0

    def add(name: str) -> None:
        nonlocal place
        has_schemes = name in data.graded or name in data.with_letters
        schemes = schemes_with_gain(data.known[name]) if has_schemes else ("linear",)
        table = analyses.gain_curves(
            data.known[name], data.runs, measures=CURVES, schemes=schemes, depth=depth
        )
        caption = titled(Text("Gain by rank, based on grades"), name)
        add_curves(content, data, table, f"gain-curves-by-grades{suffix(place)}", caption)
        place += 1

    content.add_each(data.known, add)
    return content


def add_curves(
    content: Content,
    data: ReportData,
    table: pl.DataFrame,
    key: str,
    caption: Text,
    *,
    head: str = "scheme",
    with_ideal: bool = False,
) -> None:
    """Add the figure of a table of `gain_curves`, and a table of its last measure at some ranks.

    `head` is the name of the first column of that table, for tables in which `scheme` is not a gain scheme.
    With `with_ideal`, the table also has the ideal lists.
    """
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
    if with_ideal:
        ideal = at_ranks.unique(["scheme", "rank"]).with_columns(run=pl.lit(IDEAL), value="ideal")
        schemes = at_ranks["scheme"].unique(maintain_order=True)
        at_ranks = pl.concat(
            part.filter(scheme=scheme).sort("rank", maintain_order=True)
            for scheme in schemes
            for part in (at_ranks, ideal)
        )
    wide = at_ranks.pivot("rank", index=["scheme", "run"], values="value", maintain_order=True)
    note = Text(
        "Each column is a rank, and each number is the {measure} of a run over all topics, down to this "
        "rank.",
        measure=measure,
    )
    wide = wide.rename({"scheme": head})
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
            key = f"scheme-means-{data.number_of(name)}-{number}"
            content.tables.append(Numbers(key, caption, table, heads=2, notes=(note,), most=60))

    content.add_each(data.graded, add)
    return content


def _scheme_correlations(data: ReportData) -> Content:
    content = Content()

    def add(name: str) -> None:
        pairs = analyses.scheme_correlations(data.known[name], data.runs)
        names = pairs["first"].unique(maintain_order=True).to_list()
        key = f"scheme-correlations-{data.number_of(name)}"
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


def _declared(data: ReportData, name: str) -> str:
    """Return the scheme that lists every level of a set of known grades, including those no document has."""
    return W["w3"] if name in data.with_letters else declared_scheme(data.known[name])


def preference_measures(data: ReportData, name: str) -> list[str]:
    """Return the gain measures of [ZY10] for these gains. AGR knows every level of known grades."""
    scheme = "linear" if name == MAGNITUDES else _declared(data, name)
    return [
        f'AGR(gain="{scheme}")' if measure == "AGR" and scheme != "linear" else measure
        for measure in GAIN_MEASURES
    ]


def _preferences(data: ReportData) -> Content:
    content = Content()

    def add(name: str) -> None:
        scores = analyses.preference_scores(
            data.all_gains[name],
            data.runs,
            distances=DISTANCES,
            measures=preference_measures(data, name),
            scale="minmax",
        )
        place = data.number_of(name)
        note = Text(
            "1-ndpm uses only the order of the documents, and a tie in the run counts as half a preference. "
            "adm compares the run’s scores with the gains, both scaled to the range from 0 to 1. It covers "
            "the documents that have a score or a gain; in [ZY10], it covers the whole collection. The other "
            "measures use the gains. The means cover {topics} topics.",
            topics=len(scores.topics),
        )
        caption = titled(Text("Runs by preferences and by gains"), data.shown(name))
        table = analyses.preference_table(scores)
        content.tables.append(Numbers(f"preferences-{place}", caption, table, notes=(note,)))
        taus = analyses.correlation_table(analyses.preference_correlations(scores))
        of_taus = Text(
            "Each number is Kendall’s τ_b between the rankings of {runs} runs by two measures.",
            runs=len(data.runs),
        )
        caption = titled(Text("τ between preferences and gains"), data.shown(name))
        content.tables.append(Numbers(f"preference-taus-{place}", caption, taus, notes=(of_taus,)))

    content.add_each(data.all_gains, add)
    return content


MAKERS: Final[Mapping[str, Callable[[ReportData], Content]]] = {
    "gain-curves": _curves,
    "scheme-means": _scheme_means,
    "scheme-correlations": _scheme_correlations,
    "preferences": _preferences,
}
