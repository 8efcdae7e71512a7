"""The numbered tables and figures of [T15], each with how Plumbline computes it."""

from typing import Final

from ..paper import Paper

T15: Final = Paper(
    "T15",
    "Turpin, Scholer, Mizzaro & Maddalena, SIGIR 2015",
    "The Benefits of Magnitude Estimation Relevance Assessments for Information Retrieval Evaluation",
    (),
)
"""The paper."""
