"""Agreement between arms: whether the gains of two arms put the same documents into the same order."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..comparison.correlation import rho, tau_b
from ..comparison.intervals import bootstrap_interval
from .arm import Arm

KEYS: Final = ["topic_id", "document_id"]
STATISTICS: Final = ("tau_b", "rho", "order")
BETWEEN: Final = {
    "first": pl.String,
    "second": pl.String,
    "statistic": pl.String,
    "topics": pl.Int64,
    "documents": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


def between_table(arms: Sequence[Arm], *, level: float, resamples: int, seed: int) -> pl.DataFrame:
    """Return the columns of `BETWEEN`, with three rows for each pair of arms.

    The statistics are means over topics, because gains of different topics need not be comparable: Kendall's
    `tau_b` and Spearman's `rho` of the gains of the documents that both arms judged, and `order`, the share
    of pairs of documents that both arms put into the same order (see `same_order`). Anchors are left out,
    because the checks of both arms have selected their order. The intervals come from the bootstrap over
    topics.
    """
    gains = {arm.name: _without_anchors(arm, arms) for arm in arms}
    rows = [
        row
        for first, second in combinations(gains, 2)
        for row in _rows(first, second, gains[first].join(gains[second], on=KEYS), level, resamples, seed)
    ]
    return pl.DataFrame(rows, schema=BETWEEN, orient="row")


def _without_anchors(arm: Arm, arms: Sequence[Arm]) -> pl.DataFrame:
    table = arm.gains().table.select(*KEYS, "gain")
    for other in arms:
        if other.judgments.has_anchors:
            anchors = other.judgments.table.filter(pl.col("gold") != "").select(KEYS).unique()
            table = table.join(anchors, on=KEYS, how="anti")
    return table


def _rows(
    first: str, second: str, both: pl.DataFrame, level: float, resamples: int, seed: int
) -> Iterator[tuple[str | float | None, ...]]:
    topics = both.sort(KEYS).partition_by("topic_id", maintain_order=True)
    gains = [(part["gain"].to_numpy(), part["gain_right"].to_numpy()) for part in topics]
    functions = {"tau_b": tau_b, "rho": rho, "order": same_order}
    for statistic in STATISTICS:
        values = np.array([_or_nan(functions[statistic](x, y)) for x, y in gains], dtype=np.float64)
        known = values[~np.isnan(values)]
        rng = np.random.default_rng(seed)
        bounds = bootstrap_interval(known, rng, level=level, resamples=resamples) if known.size else None
        low, high = bounds or (None, None)
        mean = float(known.mean()) if known.size else None
        yield first, second, statistic, int(known.size), both.height, mean, low, high


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def same_order(x: FloatArray, y: FloatArray) -> float | None:
    """Return the share of pairs of documents that x and y put into the same order.

    A pair that only one of them ties counts half. A pair that both tie counts as the same order. Return None
    for fewer than two documents.

    Example: x is 1, 2, 3 and y is 1, 3, 3. Two of the three pairs are in the same order, and only y ties the
    third. So the share is 2.5/3 = .83.
    """
    if len(x) < 2:
        return None
    first, second = np.triu_indices(len(x), 1)
    one, other = (np.sign(values[first] - values[second]) for values in (x, y))
    same = (one == other) + 0.5 * ((one == 0) != (other == 0))
    return float(same.mean())
