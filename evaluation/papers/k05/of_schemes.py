"""Compute Tables 4 to 6 of [K05]: correlations between measures, weights and cut-offs."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from ...analyses import correlation_table, scheme_correlations
from ...analyses.scheme_correlations import GRADED
from ...report import needs
from ...report.answers import MAGNITUDES
from ...report.building import Makers
from ...report.content import Content, Numbers
from ...report.data import ReportData
from ...text import Text
from .of_precision import PRECISION

CUTOFFS: Final = (10, 100)


def _tables_4_6(data: ReportData) -> Content:
    content = Content()
    if (reason := needs.levels(data.facts)) is not None:
        content.missing.append(reason)
    content.add_each(data.graded, lambda name: _add_graded(content, data, name))
    if not data.is_random:
        content.add_each([MAGNITUDES], lambda _: _add_judged(content, data))
    return content


def _add_graded(content: Content, data: ReportData, name: str) -> None:
    """Add the tables for a set of grades: by measure, by cut-off, for nDCG@R, and all pairs in one file."""
    gains, key = data.known[name], f"tables-4-6-{data.number_of(name)}"
    pairs = scheme_correlations(gains, data.runs, precision=PRECISION, cutoffs=CUTOFFS)
    names = pairs["first"].unique(maintain_order=True).to_list()
    precision = [ranking for ranking in names if ranking.startswith("P@")]
    for measure in GRADED:
        chosen = [*precision, *(ranking for ranking in names if ranking.startswith(f"{measure} "))]
        caption = Text("τ of precision and {measure}: {name}", measure=measure, name=name)
        content.tables.append(_numbers(f"{key}-{measure.lower()}", caption, pairs, chosen, data))
    for cutoff in CUTOFFS:
        chosen = [ranking for ranking in names if ranking.endswith(f"@{cutoff}")]
        caption = Text("τ at rank {cutoff}: {name}", cutoff=cutoff, name=name)
        content.tables.append(_numbers(f"{key}-{cutoff}", caption, pairs, chosen, data))
    at_r = scheme_correlations(
        gains, data.runs, precision=PRECISION, measures={"nDCG": GRADED["nDCG"]}, cutoffs=("R",)
    )
    caption = Text("τ of precision and nDCG@R: {name}", name=name)
    content.tables.append(_numbers(f"{key}-r", caption, at_r, None, data))
    every = pairs.rename({"first": "ranking", "second": "other_ranking", "value": "tau_b"})
    caption = Text("τ of all pairs of rankings: {name}", name=name)
    content.tables.append(Numbers(key, caption, every, heads=2, most=0))


def _add_judged(content: Content, data: ReportData) -> None:
    """Add the table for the crowd's judgments, which have no levels and so no weights."""
    pairs = scheme_correlations(
        data.gains, data.runs, precision=(), schemes={data.crowd: "linear"}, cutoffs=CUTOFFS
    )
    caption = Text("τ of CG, DCG and nDCG, based on judgments")
    content.tables.append(_numbers("tables-4-6-judgments", caption, pairs, None, data))


def _numbers(
    key: str, caption: Text, pairs: pl.DataFrame, names: Sequence[str] | None, data: ReportData
) -> Numbers:
    """Return the correlations between the named rankings, or between all rankings, as a matrix."""
    note = Text(
        "Each number is Kendall’s τ_b between two rankings of {runs} runs. There is no value if a "
        "measure ties all runs.",
        runs=len(data.runs),
    )
    return Numbers(key, caption, correlation_table(pairs, names), notes=(note,))


MAKERS: Final[Makers] = {"tables-4-6": _tables_4_6}
