"""The numbered tables and figures of [K05], each with how Plumbline computes it."""

from typing import Final

from ..paper import Paper

K05: Final = Paper(
    "K05",
    "Kekäläinen, IP&M 2005",
    "Binary and Graded Relevance in IR Evaluations: Comparison of the Effects on Ranking of IR Systems",
    (),
)
"""The paper."""
