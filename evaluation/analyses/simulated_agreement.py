"""Compare rankings of simulated systems, for studies in which few documents have a grade [T15]."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from evaluation.analyses.systems import MEASURES, scores_by, system_agreement
from evaluation.comparison.simulated import simulate_systems
from evaluation.comparison.topset import Overlap
from evaluation.conventions import Ties
from evaluation.frames import Gains
from evaluation.measures import Measures
from evaluation.options import checked
from evaluation.runs import Run


@checked
def simulated_agreement(
    judged: Gains,
    known: Mapping[str, Gains],
    runs: Sequence[Run],
    *,
    rng: np.random.Generator,
    systems: int = 100,
    depth: int = 10,
    measures: Measures = MEASURES,
    alpha: float = 0.05,
    how: Overlap = "jaccard",
    ties: Ties = "trec_eval",
) -> pl.DataFrame:
    """Compare two rankings of simulated systems: one from the `judged` gains, and one from known gains.

    If few documents have a grade, most runs retrieve ungraded documents, so scores based on grades say little
    about these runs. A run's list for a topic is complete if all its documents down to rank `depth` have a
    grade. `simulate_systems` puts together systems from complete lists only. Each set of `known` gains has
    its own simulated systems. Topics without `judged` gains are left out.

    Return `known, sub_runs` (the number of complete lists from which systems are drawn) and the columns of
    `system_agreement` from `measure` on. Raise `InputError` if no topic has two complete lists, and in the
    same cases as `simulate_systems` and `SimulatedSystems.scores`.
    """
    parts = []
    topics = judged.table["topic_id"].unique()
    for name, gains in known.items():
        gains = Gains(gains.table.filter(pl.col("topic_id").is_in(topics.implode())))
        simulated = simulate_systems(gains, runs, rng=rng, systems=systems, depth=depth, ties=ties)
        by_judged, by_known = (
            {
                kind: simulated.scores(scores)
                for kind, scores in scores_by(of, runs, measures, ties=ties).items()
            }
            for of in ({"judged": judged}, {name: gains})
        )
        table = system_agreement(by_judged, by_known, alpha=alpha, how=how)
        sub_runs = pl.lit(sum(simulated.complete), dtype=pl.Int64).alias("sub_runs")
        parts.append(table.select("known", sub_runs, pl.exclude("judged", "known")))
    return pl.concat(parts)
