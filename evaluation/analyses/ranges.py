"""Compare system rankings from units that have a narrow or a wide range of magnitudes [T15]."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..comparison.topset import Overlap
from ..conventions import Ties
from ..frames import Gains, Judgments
from ..magnitudes import narrow_and_wide
from ..measures import Measures
from ..options import checked
from ..runs import Run
from ..score_table import Scores
from .ranked import Ranked, Systems, choose_systems, warn_of
from .systems import MEASURES, scores_by, system_agreement

KINDS: Final = ("narrow", "wide", "all")


@checked
def range_table(
    judgments: Judgments,
    normalized: FloatArray,
    known: Mapping[str, Gains],
    runs: Sequence[Run],
    *,
    measures: Measures = MEASURES,
    alpha: float = 0.05,
    how: Overlap = "jaccard",
    ties: Ties = "trec_eval",
    ranked: Ranked | Mapping[str, Ranked] = "auto",
    rng: np.random.Generator | None = None,
) -> pl.DataFrame:
    """Compare system rankings from narrow, wide and all units with system rankings from known gains.

    `normalized` has a normalised magnitude for each judgment. Gains are medians of these magnitudes. A unit
    is narrow or wide, depending on the range of its magnitudes. `narrow_and_wide` gives the exact rule, and
    defines the gain of a document that has no narrow unit or no wide unit. `known` has binary judgments,
    grades, or both.

    `ranked` says, for all sets of known gains or for each of them, whether the runs or simulated systems are
    ranked. With `"auto"`, simulated systems are ranked if few of the runs' top documents have a grade, as in
    [T15]; a warning says so. `rng` draws these systems; by default, its seed is 0.

    Return a row for each combination of a kind of unit, a set of known gains and a measure. Rows are sorted
    by kind of unit, known gains and measure. The columns are `units` (narrow, wide or all), `known, ranked`
    (`runs` or `simulated`) and, as in `system_agreement`, `measure, systems, topics, tau_b, units_top,
    known_top, shared, overlap`. Raise `InputError` in the same cases as `choose_systems`.
    """
    topics = judgments.table["topic_id"].unique()
    chosen = choose_systems(known, runs, measures, ranked=ranked, rng=rng, topics=topics, ties=ties)
    warn_of(chosen, ranked)
    kinds = gains_by_range(judgments, normalized)
    judged, references = (scores_by(gains, runs, measures, ties=ties) for gains in (kinds, known))
    parts = [
        ranked_agreement(
            {kind: systems.of(scores) for kind, scores in judged.items()},
            {name: systems.of(references[name])},
            systems,
            alpha=alpha,
            how=how,
        )
        for name, systems in chosen.items()
    ]
    table = pl.concat(part.filter(judged=kind) for kind in KINDS for part in parts)
    return table.rename({"judged": "units", "judged_top": "units_top"})


def ranked_agreement(
    judged: Mapping[str, Scores],
    known: Mapping[str, Scores],
    systems: Systems,
    *,
    alpha: float = 0.05,
    how: Overlap = "jaccard",
) -> pl.DataFrame:
    """Return `system_agreement` of the scores of these systems, with the column `ranked` after `known`."""
    table = system_agreement(judged, known, alpha=alpha, how=how)
    return table.select(
        "judged", "known", pl.lit(systems.kind).alias("ranked"), pl.exclude("judged", "known")
    )


def gains_by_range(judgments: Judgments, normalized: FloatArray) -> dict[str, Gains]:
    """Return the gains from narrow, wide and all units, as `narrow_and_wide` computes them.

    The keys are `narrow`, `wide` and `all`.
    """
    table = narrow_and_wide(judgments, normalized)
    return {
        kind: Gains.from_columns(table["topic_id"], table["document_id"], table[kind].alias("gain"))
        for kind in KINDS
    }
