"""The numbered tables and figures of [ZY10], each with how Plumbline computes it."""

from typing import Final

from ..paper import Paper

ZY10: Final = Paper(
    "ZY10",
    "Zhou & Yao, 2010",
    "Evaluating Information Retrieval System Performance Based on User Preference",
    (),
)
"""The paper."""
