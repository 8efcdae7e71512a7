"""Workers whose numbers follow stored labels: they may have asked a model in place of reading."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import polars as pl
import scipy

from ..arrays import FloatArray
from ..distances.ratings import Ratings
from ..errors import InputError
from ..frames import Judgments
from ..labels import labels_of
from ..magnitudes.normalisation import Method
from ..options import checked
from ..pairs import PAIR
from ..scales import scale_of
from ..sources import Source
from .annotators import worker_numbers
from .people import People

FOLLOWERS: Final = {
    "worker_id": pl.String,
    "documents": pl.Int64,
    "value": pl.Float64,
    "z": pl.Float64,
    "flagged": pl.Boolean,
}
LEAST: Final = 10
"""Workers with fewer documents that others judged, too, are never flagged."""
LARGEST: Final = 3.0
"""Workers with a larger z are flagged, if there is one set of labels."""
_NORMAL: Final = float(1 / scipy.stats.norm.ppf(0.75))
"""The standard deviation of a normal distribution, divided by its median absolute deviation."""
_ALMOST: Final = 1 - 1e-9


@checked
def followers_table(labels: Mapping[str, Ratings], people: People, *, method: Method | None) -> pl.DataFrame:
    """Return the flagged workers of `followers` for each judge, with its name in the column `judge`.

    There are no rows if the workers are unknown, or compare documents.
    """
    numbers = worker_numbers(people.judgments, method)
    parts = []
    for name, ratings in labels.items():
        if numbers.height:
            labelled = _comparable(ratings, people.judgments)
            found = _followers(numbers, labelled, len(labels)).filter("flagged")
            parts.append(found.select(pl.lit(name).alias("judge"), *FOLLOWERS))
    return pl.concat([pl.DataFrame(schema={"judge": pl.String, **FOLLOWERS}), *parts])


@checked
def followers(
    judgments: Judgments, labels: Source, *, sets: int = 1, method: Method | None = None
) -> pl.DataFrame:
    """Return how closely each worker follows the labels, beyond what other workers say of the documents.

    The columns are those of `FOLLOWERS`. `value` is the partial correlation of the worker's numbers with the
    labels, given the mean of the numbers of the other workers. All three are centred in each unit, so neither
    the worker's level nor the worker's spread matters. Where numbers have ratios, logarithms are compared,
    and those of labels if all of them are positive. Even workers who read everything have a positive partial
    correlation, because the mean of a few numbers does not tell all that there is to know.
    So a worker is compared with the crowd: `z` is Fisher's transform of `value` minus its median over the
    workers, divided by its standard error and, if the workers below the median vary more than that, by how
    much they vary. A worker is `flagged` if z is above 3 and at least 10 documents could be compared. Workers
    who are compared with several `sets` of labels have more chances to be flagged, so z must then be larger
    (Šidák, JASA 1967).

    A flag is a reason to look at a worker, never proof. Raise `InputError` for judgments without workers, for
    those that compare two documents, and for labels that cannot be read.
    """
    numbers = worker_numbers(judgments, method)
    if numbers.is_empty():
        raise InputError(
            "no-workers-to-compare",
            "no document was judged by two known workers on a scale for single documents; there is nobody "
            "to compare",
        )
    return _followers(numbers, _comparable(labels_of(labels), judgments), sets)


def _comparable(labels: Ratings, judgments: Judgments | None) -> pl.DataFrame:
    """Return the table of labels, as logarithms if the numbers have ratios and all labels are positive."""
    has_logarithms = judgments is not None and scale_of(judgments).has_ratios
    if has_logarithms and not (labels.table["score"] <= 0).any():
        return labels.table.with_columns(pl.col("score").log())
    return labels.table


def _followers(numbers: pl.DataFrame, labels: pl.DataFrame, sets: int) -> pl.DataFrame:
    table = numbers.join(labels, on=PAIR).sort("worker_id", "unit", *PAIR)
    rows = [
        (str(worker), part.height, *_partial(part))
        for (worker,), part in table.group_by("worker_id", maintain_order=True)
    ]
    names, documents, values, freedom = zip(*rows, strict=True) if rows else ((), (), (), ())
    z = _beside_crowd(np.array(values, dtype=np.float64), np.array(freedom, dtype=np.float64))
    one_sided = float(scipy.stats.norm.sf(LARGEST))
    largest = float(scipy.stats.norm.isf(-np.expm1(np.log1p(-one_sided) / sets)))
    flagged = [bool(each > largest and number >= LEAST) for each, number in zip(z, documents, strict=True)]
    known = [None if np.isnan(value) else value for value in values]
    return pl.DataFrame(
        {
            "worker_id": names,
            "documents": documents,
            "value": known,
            "z": [None if np.isnan(each) else float(each) for each in z],
            "flagged": flagged,
        },
        schema=FOLLOWERS,
    ).sort("z", "worker_id", descending=[True, False], nulls_last=True)


def _partial(table: pl.DataFrame) -> tuple[float, float]:
    """Return a worker's partial correlation, or NaN, and its degrees of freedom."""
    unit = table["unit"].rank("dense").to_numpy().astype(np.int64) - 1
    size = np.bincount(unit)
    columns = []
    for name in ("number", "score", "mean"):
        values = table[name].to_numpy()
        columns.append(values - (np.bincount(unit, values) / size)[unit])
    number, label, crowd = columns
    freedom = float(len(unit) - len(size) - 2)
    if freedom < 2:
        return np.nan, freedom
    left = [_without(values, crowd) for values in (number, label)]
    spread = np.prod([np.sqrt(values @ values) for values in left])
    if spread <= 1e-12 * max(1.0, float(np.sqrt((number @ number) * (label @ label)))):
        return np.nan, freedom
    return float(np.clip(left[0] @ left[1] / spread, -_ALMOST, _ALMOST)), freedom


def _without(values: FloatArray, other: FloatArray) -> FloatArray:
    """Return what a regression on `other` leaves of values."""
    total = float(other @ other)
    left: FloatArray = values - (values @ other / total if total > 0 else 0.0) * other
    return left


def _beside_crowd(values: FloatArray, freedom: FloatArray) -> FloatArray:
    """Return z of each worker: how far Fisher's transform is above the crowd's median, in standard errors."""
    known = ~np.isnan(values)
    z = np.full(len(values), np.nan)
    if not known.any():
        return z
    transformed = np.arctanh(values[known])
    away = (transformed - np.median(transformed)) * np.sqrt(np.maximum(freedom[known] - 1, 1))
    # Those who follow are above the median, so the others are seen below it.
    varies = max(1.0, _NORMAL * float(np.median(-away[away <= 0])))
    z[known] = away / varies
    return z
