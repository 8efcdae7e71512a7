"""Correlations between many rankings of systems, such as rankings by different measures or gains."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..errors import InputError, shown
from ..score_table import Scores
from .results import Values
from .statistics import parse_statistic

_LABEL: Final = "{measure}"


def rankings(scores: Scores, label: str = _LABEL) -> dict[str, FloatArray]:
    """Return a dict from each measure's label to an array of the runs' means.

    The keys come from `label`, in which `{measure}` stands for the name of the measure. To compare rankings
    by different gains, merge several dicts, each with its own label, such as `rankings(by_grades,
    "{measure} of grades")`. A run without a mean has NaN. Raise `InputError` for a label without `{measure}`,
    which would give all measures the same name.
    """
    if _LABEL not in label:
        raise InputError(
            "label-without-measure",
            "the label {label} would give all measures the same name; add {place} where the measure's"
            " name should appear",
            label=shown(label),
            place=_LABEL,
        )
    rows = scores.means()
    return {
        label.format(measure=measure): np.array(
            [np.nan if row.value is None else row.value for row in rows if row.measure == measure]
        )
        for measure in scores.measures
    }


def correlation_matrix(columns: Mapping[str, FloatArray], statistic: str = "tau_b") -> pl.DataFrame:
    """Return the correlation of every ranking with every other ranking and with itself.

    Each of the `columns` is a ranking, with one value for every system. All columns have the same systems in
    the same order. The result has the columns `first, second, value`, and its rows are in the order of
    `columns`. `value` is null if the correlation is undefined, for example if all systems are tied. Two
    rankings are compared over the systems that have a value in both. For `"tau_ap"`, the first ranking is the
    truth, so swapping the two gives a different value. A statistic can have parameters, such as
    `"rbo(p=0.8)"`. Raise `InputError` for an unknown statistic and for columns of different lengths.
    """
    correlate = parse_statistic(statistic)
    rows = [
        (first, second, _correlation(correlate, x, y))
        for first, x in columns.items()
        for second, y in columns.items()
    ]
    return pl.DataFrame(
        rows, schema={"first": pl.String, "second": pl.String, "value": pl.Float64}, orient="row"
    )


def _correlation(
    correlate: Callable[[Values, Values], float | None], x: FloatArray, y: FloatArray
) -> float | None:
    if x.shape != y.shape:
        raise InputError(
            "rankings-differ-in-length",
            "two rankings have the shapes {first} and {second}; rank the same systems in both",
            first=str(x.shape),
            second=str(y.shape),
        )
    both = ~(np.isnan(x) | np.isnan(y))
    return correlate(x[both], y[both])
