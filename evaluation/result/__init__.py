"""Which run is best, by how much, and how sure that is: one result, the same wherever it is shown.

`compute_result` computes a `Result` from scores. Comparisons, reports, the pages of a site and its API show
this object, and compute nothing of it themselves.
"""

from .basis import Basis, Warning
from .computing import compute_result, compute_results
from .result import Result

__all__ = ["Basis", "Result", "Warning", "compute_result", "compute_results"]
