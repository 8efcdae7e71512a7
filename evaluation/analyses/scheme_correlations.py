"""Correlations between the system rankings of different measures and gain schemes [K05, tables 3 to 6]."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from ..comparison.matrix import correlation_matrix, rankings
from ..conventions import Ties
from ..frames import Gains
from ..measures import Measure, parse
from ..measures.lists import Cutoff
from ..options import checked
from ..runs import Run
from ..scores import score
from .schemes import JK, W, refuse_empty, with_scheme

GRADED: Final = {"CG": "CG", "DCG": f"DCG({JK})", "nDCG": f"nDCG({JK})"}


@checked
def scheme_correlations(
    gains: Gains,
    runs: Sequence[Run],
    *,
    precision: Sequence[int] = (10, 100, 1000),
    measures: Mapping[str, str] = GRADED,
    schemes: Mapping[str, str] = W,
    cutoffs: Sequence[Cutoff] = (10, 100),
    statistic: str = "tau_b",
    ties: Ties = "trec_eval",
) -> pl.DataFrame:
    """Correlate each pair of system rankings.

    There is a ranking by precision at each cut-off, and one by each combination of a graded measure, a scheme
    and a cut-off.

    `gains` are grades from 0 to 3. `precision` lists the cut-offs of P, and `cutoffs` lists those of the
    graded measures: ranks, or "R" for the number of relevant documents of each topic. `measures` and
    `schemes` map short names to measures and schemes.

    Return a row for every pair of rankings, including each ranking with itself: `first, second, value` (null
    if all systems are tied). Rankings have names such as `P@10` and `nDCG w10 @100`. The rankings by
    precision come first. The others are sorted by measure, scheme and cut-off, in the order of the arguments.
    Each table in [K05] is a subset of these rows. Raise `InputError` for an unknown statistic, for a measure
    that takes no scheme, and for a grade that a scheme does not cover.
    """
    refuse_empty(runs=runs)
    named: dict[str, Measure] = {f"P@{k}": parse(f"P@{k}") for k in precision}
    for short, measure in measures.items():
        for label, scheme in schemes.items():
            named |= {f"{short} {label} @{k}": with_scheme(measure, scheme, k) for k in cutoffs}
    ranked = rankings(score(gains, runs, list(named.values()), ties=ties))
    return correlation_matrix({name: ranked[str(measure)] for name, measure in named.items()}, statistic)
