"""Compute the intervals of gains, by a bootstrap over magnitudes of the document or of its topic."""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt
import polars as pl

from ..arguments import refuse_level, refuse_resamples
from ..arrays import FloatArray, IntArray
from ..conventions import SpreadOf, Statistic
from ..errors import InputError
from ..frames import Judgments
from ..options import checked
from ..pairwise.worths import topic_fits
from ..scales import scale_of
from .document_gains import (
    KEYS,
    TRIM,
    Median,
    gains,
    middle,
    statistic_of,
    trimmed_away,
)
from .groups import Groups
from .studentised import DRAWS_AT_ONCE, bounds_by_topic

Picks = npt.NDArray[np.int32]


@checked
def intervals(
    judgments: Judgments,
    normalized: FloatArray,
    rng: np.random.Generator,
    *,
    statistic: Statistic | None = None,
    median: Median = "arithmetic",
    trim: float = TRIM,
    level: float = 0.95,
    resamples: int = 2000,
    spread: SpreadOf = "document",
) -> pl.DataFrame:
    """Return each document's gain with its interval.

    If judgments compare two documents, the interval comes from the fit, as in `pairwise.worths`, and
    `judgments` counts the comparisons of the document. Otherwise, it comes from a bootstrap.

    `spread` says which magnitudes show how much a gain can be off:

    - `"document"`, the default: those of the document. The method comes from Efron & Tibshirani (1993,
      chapter 13). It draws `resamples` samples from a document's n normalised magnitudes. Each sample has n
      magnitudes, drawn with replacement. The method then computes the document's gain from each sample, as
      `gains` does. `low` is the quantile (1 − `level`)/2 of these gains, and `high` is the quantile
      (1 + `level`)/2. Quantiles are interpolated linearly. With few magnitudes, the interval is too narrow:
      with three, it contains the true gain in at most 75 % of the cases if the gain is a median.
    - `"topic"`: those of all documents of its topic. The interval holds with few magnitudes too. Use it for
      magnitudes that are normalised with `"additive"`, such as those of an adaptive study.

    With the spread of the topic, a sample for a document with n judgments has n residuals. Each comes from a
    random document of the same topic with two or more judgments. A residual is the difference between a log
    magnitude and the mean of its document, multiplied by √(c·m/(m − 1)). Here m is the number of judgments of
    that document, and c is the correction that `spread_of` explains. The log gain of the sample is divided by
    its standard deviation, which is shrunk as in `spread_of`. The quantiles of this ratio say how many
    standard deviations of the document its log gain can be off [bootstrap-t: Efron & Tibshirani, section
    12.5]. The offsets of the units have errors too. They multiply the variance of a log gain by about
    (1 − 1/D)/(1 − 1/k), for D documents in a topic and k in a unit. This is the inverse of the efficiency of
    balanced incomplete blocks [Yates, Annals of Eugenics 7, 1936]. If no topic has enough judgments to show a
    spread, the intervals are those of `"document"`.

    The same state of `rng` gives the same table, whatever the order of the judgments.

    Return the columns `topic_id, document_id, judgments, gain, low, high`, sorted by topic and document.
    Raise `InputError` for a `level` outside (0, 1), and for fewer than one resample. Also raise it for the
    statistic `"model"`, because its gains depend on the judgments of other documents too, and for ratings
    with the spread of the topic.

    Example: a document has the magnitudes 1 and 9. A quarter of the samples have a median of 1, half
    have a median of 5, and a quarter have a median of 9. The gain is 5, and its interval is from 1 to 9.
    """
    refuse_level(level)
    refuse_resamples(resamples)
    if statistic == "model":
        known = [name for name in scale_of(judgments).statistics if name != statistic]
        raise InputError(
            "model-without-intervals",
            "with the statistic “model”, a gain also depends on other documents, so resampling one document "
            "gives no interval; choose from {known}",
            known=", ".join(known),
        )
    statistic = statistic_of(judgments, statistic)
    document_gains = gains(judgments, normalized, statistic, median, trim)
    if scale_of(judgments).compares_pairs:
        return _of_pairs(judgments, normalized, statistic, level)
    groups = Groups.by(judgments.table, KEYS)
    in_order = judgments.table.select(KEYS)[groups.row].with_row_index("group").sort(KEYS)
    documents = in_order["group"].to_numpy().astype(np.int64)
    shares = ((1 - level) / 2, (1 + level) / 2)
    bounds = None
    if spread == "topic":
        judgments.refuse_without_ratios()
        summarise = partial(_of_sorted_logs, statistic=statistic, median=median, trim=trim)
        bounds = bounds_by_topic(
            judgments, normalized, document_gains.values, documents, rng, summarise, shares, resamples
        )
    if bounds is None:
        draw: Callable[[FloatArray, Picks], FloatArray] = partial(_medians, median=median)
        if statistic == "mean":
            draw = _means
        elif statistic != "median":
            draw = partial(_gmeans, trim=trim if statistic == "trimmed" else 0.0)
        bounds = _bounds_by_document(groups, normalized, documents, rng, draw, shares, resamples)
    table = document_gains.table.with_columns(
        judgments=groups.sizes[documents], low=bounds[0], high=bounds[1]
    )
    return table.select(*KEYS, "judgments", "gain", "low", "high")


def _of_pairs(judgments: Judgments, points: FloatArray, statistic: Statistic, level: float) -> pl.DataFrame:
    """Return the table of `intervals` for judgments that compare two documents."""
    prefix = "" if statistic == "worth" else f"{statistic}_"
    table = pl.concat([of_topic.table(level) for of_topic in topic_fits(judgments, points)])
    return table.select(
        *KEYS, judgments="comparisons", gain=statistic, low=f"{prefix}low", high=f"{prefix}high"
    )


def _bounds_by_document(
    groups: Groups,
    normalized: FloatArray,
    documents: IntArray,
    rng: np.random.Generator,
    draw: Callable[[FloatArray, Picks], FloatArray],
    shares: tuple[float, float],
    resamples: int,
) -> FloatArray:
    """Return the quantiles `shares` of each document's resampled gains, as an array (2, documents)."""
    values = groups.sorted(normalized)
    bounds = np.empty((2, len(documents)))
    for size in np.unique(groups.sizes):
        places = np.flatnonzero(groups.sizes[documents] == size)
        at_once = max(1, DRAWS_AT_ONCE // (resamples * int(size)))
        for start in range(0, len(places), at_once):
            part = places[start : start + at_once]
            magnitudes = values.values[values.starts[documents[part], None] + np.arange(size)]
            picks = rng.integers(size, size=(len(part), resamples, size), dtype=np.int32)
            bounds[:, part] = np.quantile(draw(magnitudes, picks), shares, axis=1)
    return bounds


def _of_sorted_logs(logs: FloatArray, statistic: Statistic, median: Median, trim: float) -> FloatArray:
    """Return the log gain of each sample of log magnitudes (samples, n), which is sorted in each row."""
    size = logs.shape[1]
    if statistic == "median":
        result: FloatArray = np.log(
            middle(np.exp(logs[:, (size - 1) // 2]), np.exp(logs[:, size // 2]), median)
        )
        return result
    dropped = int(trimmed_away(np.array([size]), trim)[0]) if statistic == "trimmed" else 0
    means: FloatArray = logs[:, dropped : size - dropped].mean(axis=1)
    return means


def _gmeans(magnitudes: FloatArray, picks: Picks, trim: float) -> FloatArray:
    """Return the trimmed geometric mean of each sample (documents, resamples).

    `magnitudes` (documents, n) is sorted in each row. `picks` (documents, resamples, n) has the magnitudes of
    each sample, as indexes in the document's row. `trim` is the share that is dropped at each end.
    """
    size = picks.shape[2]
    dropped = int(trimmed_away(np.array([size]), trim)[0])
    if dropped:
        picks = np.sort(picks, axis=2)[:, :, dropped : size - dropped]
    logs = np.take_along_axis(np.log(magnitudes)[:, None, :], picks, axis=2)
    means: FloatArray = np.exp(logs.mean(axis=2))
    return means


def _means(magnitudes: FloatArray, picks: Picks) -> FloatArray:
    """Return the mean of each sample (documents, resamples). The arguments are as in `_gmeans`."""
    means: FloatArray = np.take_along_axis(magnitudes[:, None, :], picks, axis=2).mean(axis=2)
    return means


def _medians(magnitudes: FloatArray, picks: Picks, median: Median) -> FloatArray:
    """Return the median of each sample (documents, resamples). The arguments are as in `_gmeans`.

    The magnitudes of a document are sorted, so the middle indexes of a sample give its median.
    """
    size = picks.shape[2]
    places = np.partition(picks, ((size - 1) // 2, size // 2), axis=2)
    low, high = (
        np.take_along_axis(magnitudes, places[:, :, at], axis=1) for at in ((size - 1) // 2, size // 2)
    )
    return middle(low, high, median)
