"""How τ scatters when other workers might have judged [T15]: distributions over resampled magnitudes."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from evaluation.analyses.schemes import refuse_empty
from evaluation.analyses.systems import MEASURES
from evaluation.arrays import FloatArray
from evaluation.compare.resampling import Progress, resample
from evaluation.errors import InputError
from evaluation.frames import Gains, Judgments, Run
from evaluation.measures import Measures, several
from evaluation.ranking import Ties

MEDIANS = "medians"
TAU = pl.col("tau_b")


def tau_distributions(
    judgments: Judgments,
    normalized: FloatArray,
    runs: Sequence[Run],
    known: Mapping[str, Gains],
    *,
    rng: np.random.Generator,
    measures: Measures = MEASURES,
    times: int = 1000,
    ties: Ties = "trec_eval",
    processes: int = 1,
    progress: Progress | None = None,
) -> pl.DataFrame:
    """τ_b of the systems' ranking by one magnitude a document with a ranking that stays, draw after draw.

    `normalized` holds a normalised magnitude per judgment. The ranking that stays is by each of the `known`
    gains, over the topics that these judge too, and last by the medians of the magnitudes, named `medians`.
    The other parameters are those of `resample`; its progress is told anew for each distribution.

    Returns `measure, known, draw` (from 1), `tau_b` (null where a draw ties all systems), in the given order.
    Raises what `resample` raises, and `InputError` for known gains that share no topic with the judgments.
    """
    if MEDIANS in known:
        raise InputError(
            "gains-named-medians",
            'known gains are named "medians", as the medians of the magnitudes are; rename them',
        )
    refuse_empty(measures=measures)
    parts = []
    for measure in several(measures):
        for name, reference in {**known, MEDIANS: None}.items():
            found = resample(
                judgments,
                normalized,
                runs,
                measure,
                rng=rng,
                reference=reference,
                times=times,
                ties=ties,
                processes=processes,
                progress=progress,
            )
            draws = pl.DataFrame({"draw": np.arange(1, times + 1), "tau_b": found.taus})
            labels = pl.lit(found.measure).alias("measure"), pl.lit(name).alias("known")
            parts.append(draws.select(*labels, "draw", TAU.fill_nan(None)))
    return pl.concat(parts)


def tau_summary(table: pl.DataFrame, *, level: float = 0.95) -> pl.DataFrame:
    """Of each distribution of `tau_distributions` the middle and the spread.

    Returns `measure, known, draws` (those with a value), `mean, low, q1, median, q3, high`: quartiles by
    linear interpolation, and between `low` and `high` the middle `level` of all draws.
    """
    if not 0 < level < 1:
        raise InputError(
            "level-out-of-bounds",
            "level {level} is out of bounds; give a number between 0 and 1",
            level=str(level),
        )
    shares = {"low": (1 - level) / 2, "q1": 0.25, "median": 0.5, "q3": 0.75, "high": (1 + level) / 2}
    return table.group_by("measure", "known", maintain_order=True).agg(
        draws=TAU.count().cast(pl.Int64),
        mean=TAU.mean(),
        **{name: TAU.quantile(share, "linear") for name, share in shares.items()},
    )
