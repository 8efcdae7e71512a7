"""The distribution of τ over resampled magnitudes: how much τ depends on which workers judged [T15]."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from ..arguments import refuse_level
from ..arrays import FloatArray
from ..comparison.resampling import Progress, resample
from ..conventions import Ties
from ..errors import InputError
from ..frames import Gains, Judgments
from ..measures import Measures, several
from ..options import checked
from ..runs import Run
from .ranked import Ranked, choose_systems, warn_of
from .schemes import refuse_empty
from .systems import MEASURES

MEDIANS = "medians"
TAU = pl.col("tau_b")


@checked
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
    ranked: Ranked | Mapping[str, Ranked] = "auto",
    medians: bool = True,
) -> pl.DataFrame:
    """Return τ_b between fixed rankings of the systems and rankings from randomly drawn magnitudes.

    Each draw takes one magnitude for each document. `normalized` has a normalised magnitude for each
    judgment. Each set of `known` gains gives a fixed ranking. It covers the topics for which there are both
    known gains and judgments. One more fixed ranking, `medians`, uses the medians of the magnitudes;
    `medians=False` leaves it out. The other parameters are the same as in `resample`. `progress` counts the
    draws separately for each measure and fixed ranking.

    `ranked` says, for all sets of known gains or for each of them, whether the runs or simulated systems are
    ranked. With `"auto"`, simulated systems are ranked if few of the runs' top documents have a grade, as in
    [T15]; a warning says so. The ranking by `medians` is always a ranking of the runs.

    Return `measure, known, ranked` (`runs` or `simulated`), `draw` (counted from 1) and `tau_b` (null if the
    draw or the fixed ranking ties all systems). Rows are in the order of `measures` and `known`, with
    `medians` last. Raise `InputError` if there is no fixed ranking, for known gains that share no topic with
    the judgments, for known gains named `medians`, and in the same cases as `resample`.
    """
    if MEDIANS in known:
        raise InputError(
            "gains-named-medians",
            'the name "medians" is reserved for the medians of the magnitudes; give these known gains'
            " another name",
        )
    if not (known or medians):
        raise InputError(
            "no-fixed-ranking",
            "there is no ranking to compare the draws with; give known gains or medians=True",
        )
    refuse_empty(measures=measures)
    topics = judgments.table["topic_id"].unique()
    chosen = choose_systems(known, runs, measures, ranked=ranked, rng=rng, topics=topics, ties=ties)
    warn_of(chosen, ranked)
    references: dict[str, Gains | None] = {**known, **({MEDIANS: None} if medians else {})}
    parts = []
    for measure in several(measures):
        for name, reference in references.items():
            resampled = resample(
                judgments,
                normalized,
                runs,
                measure,
                rng=rng,
                reference=reference,
                simulated=None if reference is None else chosen[name].simulated,
                times=times,
                ties=ties,
                processes=processes,
                progress=progress,
            )
            draws = pl.DataFrame({"draw": np.arange(1, times + 1), "tau_b": resampled.taus})
            kind = "runs" if reference is None else chosen[name].kind
            labels = {"measure": resampled.measure, "known": name, "ranked": kind}
            columns = [pl.lit(label).alias(column) for column, label in labels.items()]
            parts.append(draws.select(*columns, "draw", TAU.fill_nan(None)))
    return pl.concat(parts)


def tau_summary(table: pl.DataFrame, *, level: float = 0.95) -> pl.DataFrame:
    """Return the centre and the spread of each distribution in a table from `tau_distributions`.

    The columns are `measure, known, ranked, draws` (the number of draws with a value), `mean, low, q1,
    median, q3, high`. Quartiles are interpolated linearly. `level` is the share of the draws between `low`
    and `high`: if it is .95, they enclose the middle 95 %. Raise `InputError` for a `level` outside (0, 1).
    """
    refuse_level(level)
    shares = {"low": (1 - level) / 2, "q1": 0.25, "median": 0.5, "q3": 0.75, "high": (1 + level) / 2}
    return table.group_by("measure", "known", "ranked", maintain_order=True).agg(
        draws=TAU.count().cast(pl.Int64),
        mean=TAU.mean(),
        **{name: TAU.quantile(share, "linear") for name, share in shares.items()},
    )
