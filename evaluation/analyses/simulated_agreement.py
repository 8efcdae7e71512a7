"""Compare rankings of simulated systems, for studies in which few documents have a grade [T15]."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from ..comparison.topset import Overlap
from ..conventions import Ties
from ..frames import Gains
from ..measures import Measures
from ..options import checked
from ..runs import Run
from .ranked import choose_systems
from .systems import MEASURES, scores_by, system_agreement


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
    chosen = choose_systems(
        known,
        runs,
        measures,
        rng=rng,
        ranked="simulated",
        topics=judged.table["topic_id"].unique(),
        number=systems,
        depth=depth,
        ties=ties,
    )
    judged_scores, known_scores = (
        scores_by(gains, runs, measures, ties=ties) for gains in ({"judged": judged}, known)
    )
    parts = []
    for name, simulated in chosen.items():
        by_judged, by_known = (
            {kind: simulated.of(scores)}
            for kind, scores in (("judged", judged_scores["judged"]), (name, known_scores[name]))
        )
        table = system_agreement(by_judged, by_known, alpha=alpha, how=how)
        sub_runs = pl.lit(simulated.sub_runs, dtype=pl.Int64).alias("sub_runs")
        parts.append(table.select("known", sub_runs, pl.exclude("judged", "known")))
    return pl.concat(parts)
