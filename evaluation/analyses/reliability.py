"""Tables and curves of stability, discrimination and confidence orders [S04]."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from ..comparison.confidence import ConfidenceOrders, confidence_orders
from ..comparison.discrimination import BINS, Discrimination, discrimination
from ..comparison.stability import Stability, stability
from ..errors import InputError
from ..score_table import Scores


class Reliability(NamedTuple):
    """The tables that [S04] prints for a set of measures. `measure_reliability` computes them.

    `table` comes from `reliability_table`, `stability` from `stability_curves`, `discrimination` from
    `discrimination_curves` and `confidence` from `confidence_table`. `topics` is the number of topics with
    values for all runs and measures, and `size` the number of topics in each random subset.
    """

    table: pl.DataFrame
    stability: pl.DataFrame
    discrimination: pl.DataFrame
    confidence: pl.DataFrame
    topics: int
    size: int


def measure_reliability(scores: Scores, *, rng: np.random.Generator, trials: int = 1000) -> Reliability:
    """Compute the stability, the discrimination and the confidence orders of every measure in `scores` [S04].

    Each random subset has half of the topics. `scores` can have any measures; `comparison.battery()` returns
    those of [S04]. The same state of `rng` gives the same result. Raise `InputError` if there are fewer than
    two runs, or fewer than two topics with values for all runs and measures.
    """
    stable = stability(scores, rng=rng, trials=trials)
    discriminating = discrimination(scores, rng=rng, trials=trials)
    orders = confidence_orders(scores, stable, discriminating)
    return Reliability(
        reliability_table(stable, discriminating),
        stability_curves(stable),
        discrimination_curves(discriminating),
        confidence_table(scores.measures, orders),
        stable.topics,
        stable.size,
    )


def stability_curves(stable: Stability) -> pl.DataFrame:
    """Return the minority rate and the proportion of ties for each measure and fuzziness [S04, section 4.1].

    The fuzziness is the relative difference of means below which two systems are tied. The columns are
    `measure, fuzziness, minority_rate, proportion_of_ties, topics` (the number of topics) and `size` (the
    number of topics in each random subset).
    """
    steps = len(stable.fuzziness)
    return pl.DataFrame(
        {
            "measure": np.repeat(stable.measures, steps).tolist(),
            "fuzziness": list(stable.fuzziness) * len(stable.measures),
            "minority_rate": stable.minority_rate().ravel(),
            "proportion_of_ties": stable.proportion_of_ties().ravel(),
        }
    ).with_columns(topics=pl.lit(stable.topics), size=pl.lit(stable.size))


def discrimination_curves(discriminating: Discrimination) -> pl.DataFrame:
    """Return the swap rate for each measure and each bin of differences [S04, section 4.2].

    A swap is a pair of systems that two subsets of topics rank in different orders. The columns are `measure,
    difference` (the lower edge of the bin; the last bin has no upper edge), `comparisons, swaps, swap_rate`
    (null for an empty bin), `topics` (the number of topics) and `size` (the number of topics in each random
    subset).
    """
    return pl.DataFrame(
        {
            "measure": np.repeat(discriminating.measures, BINS).tolist(),
            "difference": [place / 100 for place in range(BINS)] * len(discriminating.measures),
            "comparisons": discriminating.comparisons.ravel(),
            "swaps": discriminating.swaps.ravel(),
            "swap_rate": discriminating.swap_rate().ravel(),
        }
    ).with_columns(
        pl.col("swap_rate").fill_nan(None),
        topics=pl.lit(discriminating.topics),
        size=pl.lit(discriminating.size),
    )


def reliability_table(
    stable: Stability, discriminating: Discrimination, *, minority: float = 0.05, rate: float = 0.05
) -> pl.DataFrame:
    """Summarise the stability and the discrimination of each measure in one row [S04].

    The columns are:

    - `measure`
    - `ties`: the proportion of ties at a minority rate of `minority`
    - `absolute`: how far apart two means must be for a swap rate of at most `rate`
    - `relative`: `absolute` divided by `largest`
    - `largest`: the largest mean observed
    - `power`: the share of comparisons whose difference is at least `absolute`

    A cell without a value is null. Raise `InputError` if `stable` and `discriminating` cover different
    measures.
    """
    if stable.measures != discriminating.measures:
        raise InputError(
            "reliability-of-other-measures",
            "the stability and discrimination results cover different measures; compute both from the same "
            "scores",
        )
    columns = {
        "ties": stable.ties_at(minority),
        "absolute": discriminating.absolute_difference(rate),
        "relative": discriminating.relative_difference(rate),
        "largest": discriminating.largest.tolist(),
        "power": discriminating.power(rate),
    }
    schema = {"measure": pl.String, **dict.fromkeys(columns, pl.Float64)}
    return pl.DataFrame({"measure": list(stable.measures), **columns}, schema=schema)


def confidence_table(measures: Sequence[str], orders: Sequence[ConfidenceOrders]) -> pl.DataFrame:
    """Return a row for each measure with the correlations of its confidence orders [S04, section 5].

    The columns are `measure, sign_and_minority, sign_and_swaps, minority_and_swaps`. Each of the last three
    has τ_b between two orders (see `confidence_orders`), or null if there is no value. Raise `InputError`
    unless there is one entry in `orders` for each measure.
    """
    if len(measures) != len(orders):
        raise InputError(
            "orders-differ-in-number",
            "orders= has {orders} entries, but there are {measures} measures; give one entry for each "
            "measure",
            measures=len(measures),
            orders=len(orders),
        )
    names = ("sign_and_minority", "sign_and_swaps", "minority_and_swaps")
    rows = [
        (name, *(getattr(order, each) for each in names))
        for name, order in zip(measures, orders, strict=True)
    ]
    schema = {"measure": pl.String, **dict.fromkeys(names, pl.Float64)}
    return pl.DataFrame(rows, schema=schema, orient="row")
