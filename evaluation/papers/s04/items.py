"""The numbered tables and figures of [S04], each with how Plumbline computes it."""

from typing import Final

from ..paper import Paper

S04: Final = Paper(
    "S04",
    "Sakai, AIRS 2005",
    "The Reliability of Metrics Based on Graded Relevance",
    (),
)
"""The paper."""
