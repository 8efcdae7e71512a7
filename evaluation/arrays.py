"""Array types that are used throughout the library."""

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def mean_over_topics(values: FloatArray) -> float:
    """Return the mean of the values except NaN. The order of the topics does not change it."""
    known = np.sort(values[~np.isnan(values)])
    return float(known.mean())
