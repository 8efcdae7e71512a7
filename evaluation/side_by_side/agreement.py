"""Agreement within an arm: Krippendorff's α, with an interval by the jackknife over judges."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl
import scipy

from ..arrays import FloatArray, IntArray
from ..comparison.agreement import alpha_of_magnitudes
from ..frames import Judgments
from ..magnitudes import normalise
from ..means import ALL
from ..scales import scale_of
from .arm import Arm

AGREEMENT: Final = {
    "arm": pl.String,
    "level": pl.String,
    "judgments": pl.Int64,
    "alpha": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
GROUPS: Final = 40
"""The largest number of groups of judges. More of them would take longer, and say little more."""
_FEWEST: Final = 3


def agreement_table(arms: Sequence[Arm], *, level: float, seed: int) -> pl.DataFrame:
    """Return the columns of `AGREEMENT`, with a row for each arm.

    `level` is the level of measurement of α. α is computed from the normalised numbers of all documents with
    two or more judgments, without the anchors. For magnitudes, the logarithms are used. The interval says how
    far α depends on which judges took part.
    """
    rows = []
    for arm in arms:
        number, alpha = _alpha(arm, arm.judgments)
        rng = np.random.default_rng(seed)
        low, high = (None, None) if alpha is None else _interval(arm, alpha, level, rng)
        rows.append((arm.name, scale_of(arm.judgments).level, number, alpha, low, high))
    return pl.DataFrame(rows, schema=AGREEMENT, orient="row")


def _alpha(arm: Arm, judgments: Judgments) -> tuple[int, float | None]:
    """Return the number of judgments that α is about, and α."""
    values = normalise(judgments, arm.method)
    table = alpha_of_magnitudes(judgments, values, anchors=not judgments.has_anchors)
    row = table.row(by_predicate=pl.col("topic_id") == ALL, named=True)
    return row["judgments"], row["alpha"]


def _interval(
    arm: Arm, alpha: float, level: float, rng: np.random.Generator
) -> tuple[float | None, float | None]:
    """Return Student's interval of α by the delete-a-group jackknife.

    The judges are divided into g groups at random, and α is computed g times without one group. The variance
    is (g − 1)/g times the sum of the squared deviations of these values from their mean. A bootstrap would be
    biased here: a sample contains some judges twice, and they agree with themselves.
    """
    group = judge_groups(arm.judgments, rng)
    number = int(group.max()) + 1 if group.size else 0
    if number < _FEWEST:
        return None, None
    left_out = [
        _alpha(arm, arm.judgments.replaced(table=arm.judgments.table.filter(group != place)))[1]
        for place in range(number)
    ]
    known: FloatArray = np.array([value for value in left_out if value is not None])
    if known.size < _FEWEST:
        return None, None
    variance = (known.size - 1) / known.size * float(((known - known.mean()) ** 2).sum())
    half = float(scipy.stats.t.isf((1 - level) / 2, known.size - 1)) * math.sqrt(variance)
    return alpha - half, min(1.0, alpha + half)


def judge_groups(judgments: Judgments, rng: np.random.Generator) -> IntArray:
    """Return the group of each judgment's judge, from 0: at most `GROUPS` groups of about the same size.

    Judges are workers or, if the judgments do not name them, units.
    """
    keys = ["worker_id"] if "worker_id" in judgments.table.columns else judgments.unit_keys
    judges = judgments.table.select(pl.struct(keys).rank("dense").alias("judge"))["judge"].to_numpy() - 1
    number = int(judges.max()) + 1 if judges.size else 0
    groups = rng.permutation(number) % min(number, GROUPS) if number else np.empty(0, dtype=np.int64)
    of_judgments: IntArray = groups[judges]
    return of_judgments
