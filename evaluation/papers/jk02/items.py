"""The numbered tables and figures of [JK02], each with how Plumbline computes it."""

from typing import Final

from ..paper import Paper

JK02: Final = Paper(
    "JK02",
    "Järvelin & Kekäläinen, TOIS 2002",
    "Cumulated Gain-Based Evaluation of IR Techniques",
    (),
)
"""The paper."""
