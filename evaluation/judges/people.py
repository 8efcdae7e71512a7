"""The judgments of people, as the judges are compared with them."""

from typing import NamedTuple

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..conventions import Statistic
from ..frames import Gains, Judgments
from ..magnitudes import gains, normalise
from ..magnitudes.gains_anew import judge_anew
from ..magnitudes.normalisation import Method
from ..options import checked
from ..pairs import PAIR
from ..sources import Source


class People(NamedTuple):
    """The documents that people judged.

    `table` has the columns `topic_id, document_id, gain` and `value`, sorted by topic and document. `value`
    is ln gain if `is_log` is true, and the gain otherwise. `noise` (resamples, documents) is how much the
    values change in resamples of the workers, with a mean of 0. It has no rows if the workers are unknown.
    `gains` has the gains of all documents, with anchors.
    """

    table: pl.DataFrame
    is_log: bool
    noise: FloatArray
    judgments: Judgments | None
    gains: Gains


@checked
def people_of(
    source: Source,
    *,
    method: Method | None = None,
    statistic: Statistic | None = None,
    resamples: int,
    seed: int,
) -> People:
    """Return what people say of the documents. `source` is `Judgments`, or anything that `Gains` accepts.

    The gains of judgments are computed by `normalise` with this `method` and by `gains` with this
    `statistic`. Documents that are anchors of a topic are left out, because the checks of the units have
    selected what is said of them. `resamples` is the number of resamples of the workers.
    """
    if not isinstance(source, Judgments):
        judged = Gains(source)
        table = judged.table.select(*PAIR, "gain").sort(PAIR).with_columns(value=pl.col("gain"))
        return People(table, False, np.empty((0, table.height)), None, judged)
    judged = gains(source, normalise(source, method), statistic)
    table = judged.table.select(*PAIR, "gain").sort(PAIR)
    anew = judge_anew(
        source, np.random.default_rng(seed), method=method, statistic=statistic, resamples=resamples
    )
    noise = np.nan_to_num(anew.deviations - anew.deviations.mean(axis=0))
    value = pl.col("gain").log() if anew.is_log else pl.col("gain")
    table = table.with_columns(value=value)
    if source.has_anchors:
        anchors = source.table.filter(pl.col("gold") != "").select(PAIR).unique()
        pairs = anchors.select(pl.struct(PAIR)).to_series().implode()
        kept = (~table.select(pl.struct(PAIR).is_in(pairs)).to_series()).to_numpy()
        table, noise = table.filter(kept), noise[:, kept]
    return People(table, anew.is_log, noise, source, judged)
