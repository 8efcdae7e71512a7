"""How much a ranking of systems depends on the numbers chosen for the grades [T15]."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl

from ..conventions import Ties
from ..frames import Gains
from ..measures import Measures
from ..options import checked
from ..runs import Run
from ..transformations import Transformation
from .ranked import Ranked, choose_systems, warn_of
from .systems import MEASURES, scores_by, system_agreement

TRANSFORMATIONS: Final = ("10C", "100C", "C+1", "C+10", "C^2", "2^C", "10^C")
"""The transformations that `transformation_table` uses by default. [T15] does not say which ones it used."""


@checked
def transformation_table(
    grades: Gains,
    runs: Sequence[Run],
    *,
    transformations: Sequence[str] = TRANSFORMATIONS,
    measures: Measures = MEASURES,
    alpha: float = 0.05,
    ties: Ties = "trec_eval",
    ranked: Ranked = "auto",
    rng: np.random.Generator | None = None,
) -> pl.DataFrame:
    """Compare the system ranking by the original grades with the rankings by transformed grades.

    In the names of the transformations, such as `C+1`, C is the original grade. ERR takes its largest gain
    from the transformed gains. The original grades always decide which documents are relevant.

    `ranked` says whether the runs or simulated systems are ranked. With `"auto"`, simulated systems are
    ranked if few of the runs' top documents have a grade, as in [T15]; a warning says so. `rng` draws these
    systems; by default, its seed is 0.

    Return a row for each transformation and measure, in the order of the arguments. The columns are
    `transformation, ranked` (`runs` or `simulated`) and, as in `system_agreement`, `measure, systems, topics,
    tau_b, transformed_top, top, shared, overlap`. `transformed_top` and `top` are the sizes of the two top
    sets. Raise `InputError` for an unknown transformation, for a gain that is too large to transform, and in
    the same cases as `choose_systems`.

    nDCG does not change if all gains are multiplied by the same number, so its τ is 1 for 10C.
    """
    transformed = {name: Transformation(name)(grades) for name in transformations}
    judged = scores_by(transformed, runs, measures, rel=grades, ties=ties)
    plain = scores_by({"C": grades}, runs, measures, rel=grades, ties=ties)
    chosen = choose_systems({"grades": grades}, runs, measures, ranked=ranked, rng=rng, ties=ties)
    warn_of(chosen, ranked)
    systems = chosen["grades"]
    by_transformed, by_grades = (
        {name: systems.of(scores) for name, scores in of_all.items()} for of_all in (judged, plain)
    )
    table = system_agreement(by_transformed, by_grades, alpha=alpha)
    names = {"judged": "transformation", "judged_top": "transformed_top", "known_top": "top"}
    kind = pl.lit(systems.kind).alias("ranked")
    return table.rename(names).select("transformation", kind, pl.exclude("transformation", "known"))
