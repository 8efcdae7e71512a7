"""What a ranking of systems owes to the numbers chosen for the grades [T15]."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from evaluation.analyses.systems import MEASURES, scores_by, system_agreement
from evaluation.frames import Gains, Run
from evaluation.measures import Measures
from evaluation.ranking import Ties
from evaluation.transformations import Transformation

TRANSFORMATIONS: Final = ("10C", "100C", "C+1", "C+10", "C^2", "2^C", "10^C")
"""The rows of the table; which, the source leaves open."""


def transformation_table(
    grades: Gains,
    runs: Sequence[Run],
    *,
    transformations: Sequence[str] = TRANSFORMATIONS,
    measures: Measures = MEASURES,
    alpha: float = 0.05,
    ties: Ties = "trec_eval",
) -> pl.DataFrame:
    """τ_b between systems ranked by the gains G = C, the grades themselves, and by transformed ones.

    The largest gain that ERR looks for is that of the transformed gains. What is relevant is told from the
    grades, whatever they are turned into.

    Returns `transformation` and, as in `system_agreement`, `measure, systems, topics, tau_b`, the sizes of
    both top sets as `transformed_top, top`, and `shared, overlap`, in the given order. Raises `InputError`
    for what is no transformation and for a gain that is too large for one.

    nDCG does not change when all gains are multiplied by one number: 10C has τ = 1 for it.
    """
    transformed = {name: Transformation(name)(grades) for name in transformations}
    judged = scores_by(transformed, runs, measures, rel=grades, ties=ties)
    plain = scores_by({"C": grades}, runs, measures, rel=grades, ties=ties)
    table = system_agreement(judged, plain, alpha=alpha)
    names = {"judged": "transformation", "judged_top": "transformed_top", "known_top": "top"}
    return table.drop("known").rename(names)
