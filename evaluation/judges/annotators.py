"""The alternative annotator test: whether a judge agrees with the other workers as well as a worker does."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import polars as pl
import scipy

from ..arrays import FloatArray
from ..comparison.item_resampling import percentiles, resampled_items
from ..frames import Judgments
from ..magnitudes import normalise
from ..magnitudes.normalisation import Method
from ..options import checked
from ..pairs import PAIR
from ..scales import scale_of
from .pairing import Drawing, Pairing
from .people import People

ANNOTATORS: Final = {
    "judge": pl.String,
    "workers": pl.Int64,
    "documents": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "winning": pl.Float64,
    "epsilon": pl.Float64,
    "passes": pl.Boolean,
}
EPSILON: Final = 0.1
"""What a judge may be worse than a worker, because it costs less: the paper's value for crowds."""
LEAST: Final = 5
"""Workers with fewer documents that others judged, too, are not tested."""
_MANY: Final = 30
"""With fewer documents, a test of ranks takes the place of Student's test."""
_RATE: Final = 0.05
"""The rate of false discoveries among the workers."""
_ENOUGH: Final = 0.5
"""The share of the workers whom a judge must be as good as."""


@checked
def annotators_table(
    pairings: Mapping[str, Pairing],
    people: People,
    drawing: Drawing,
    *,
    method: Method | None,
    epsilon: float,
) -> pl.DataFrame:
    """Return the columns of `ANNOTATORS`, or no rows if no worker can be tested.

    The test is that of Calderon, Reichart & Dror [ACL 2025, sections 3 and 4]. Each worker is left out in
    turn. On each document of the worker, the judge wins if the root mean square difference between its label
    and the numbers of the other workers is not larger than that of the worker's own number. `value` is the
    share of documents on which the judge wins, as a mean over workers. `winning` is the share of workers for
    whom a test says that the judge wins at least as often as the worker, less `epsilon`: Student's test, or
    Wilcoxon's for fewer than 30 documents. The rate of false discoveries is .05 [Benjamini & Yekutieli,
    Annals of Statistics 2001].
    The judge passes if `winning` is at least .5.

    The numbers are normalised, and logarithms where they have ratios. Labels are moved to people's scale
    (`Pairing.matched`). Anchors, and judgments that compare two documents, are left out. The interval of
    `value` comes from samples of workers.
    """
    numbers = worker_numbers(people.judgments, method)
    rows = []
    for name, pairing in pairings.items():
        label = pairing.documents.with_columns(label=pl.Series(pairing.matched))
        table = numbers.join(label, on=PAIR).filter(pl.len().over("worker_id") >= LEAST)
        workers = [part for _, part in table.group_by("worker_id", maintain_order=True)]
        if workers:
            rows.append((name, *_tested(workers, drawing, epsilon)))
    return pl.DataFrame(rows, schema=ANNOTATORS, orient="row")


@checked
def worker_numbers(judgments: Judgments | None, method: Method | None) -> pl.DataFrame:
    """Return a row for each worker and document that other workers judged, too.

    The columns are `topic_id, document_id, unit, worker_id, number`, and `others`, `mean` and `square`: how
    many other workers there are, and the means of their numbers and of their squares. There are no rows
    without workers, and for judgments that compare two documents.
    """
    keys = [*PAIR, "worker_id"]
    if judgments is None or "worker_id" not in judgments.table.columns or scale_of(judgments).compares_pairs:
        numbers = dict.fromkeys(("number", "others", "mean", "square"), pl.Float64)
        return pl.DataFrame(schema={**dict.fromkeys(keys, pl.String), "unit": pl.UInt32, **numbers})
    normalised = normalise(judgments, method)
    number = np.log(normalised) if scale_of(judgments).has_ratios else normalised
    unit = judgments.table.select(pl.struct(judgments.unit_keys).rank("dense").alias("unit"))["unit"]
    table = judgments.table.with_columns(pl.Series("number", number), unit)
    table = table.filter(~judgments.is_of_anchors, pl.col("worker_id") != "")
    own = table.group_by(keys, maintain_order=True).agg(pl.col("number").mean(), pl.col("unit").first())
    others = pl.len().over(PAIR) - 1
    square = pl.col("number") ** 2
    return (
        own.with_columns(
            others=others,
            mean=(pl.col("number").sum().over(PAIR) - pl.col("number")) / others,
            square=(square.sum().over(PAIR) - square) / others,
        )
        .filter(pl.col("others") > 0)
        .sort("worker_id", *PAIR)
    )


def _tested(workers: list[pl.DataFrame], drawing: Drawing, epsilon: float) -> tuple[object, ...]:
    won, p = [], []
    for table in workers:
        judge, worker = (_apart(table, column) for column in ("label", "number"))
        is_won, is_lost = judge <= worker, worker <= judge
        won.append(float(is_won.mean()))
        p.append(_p_value(is_lost.astype(np.float64) - is_won, epsilon))
    advantage = np.array(won)
    winning = float((scipy.stats.false_discovery_control(p, method="by") < _RATE).mean())
    rng = np.random.default_rng(drawing.seed)
    number = len(workers)
    drawn = resampled_items(number, rng, drawing.resamples, lambda counts: counts @ advantage / number)
    bounds = percentiles(drawn, drawing.level) if number > 1 else (None, None)
    documents = sum(table.height for table in workers)
    return number, documents, float(advantage.mean()), *bounds, winning, epsilon, winning >= _ENOUGH


def _apart(table: pl.DataFrame, column: str) -> FloatArray:
    """Return the mean square difference between a column and the numbers of the other workers."""
    value, mean, square = (table[name].to_numpy() for name in (column, "mean", "square"))
    apart: FloatArray = value**2 - 2 * value * mean + square
    return np.maximum(apart, 0.0)


def _p_value(differences: FloatArray, epsilon: float) -> float:
    """Return p of the hypothesis that the worker is better than the judge by `epsilon` or more."""
    shifted = differences - epsilon
    if not shifted.any():
        return 1.0
    if len(shifted) >= _MANY:
        if shifted.std() == 0:
            return float(shifted[0] > 0)
        return float(scipy.stats.ttest_1samp(shifted, 0, alternative="less").pvalue)
    # Nearly all differences are tied, for which there is only the normal approximation.
    return float(scipy.stats.wilcoxon(shifted, alternative="less", method="approx").pvalue)
