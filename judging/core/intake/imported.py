"""What came of an import."""

from collections.abc import Callable
from dataclasses import dataclass

from judging.models import Study


@dataclass(frozen=True)
class Imported:
    """What was written: the study, what was passed over, and how much there is of each kind."""

    study: Study
    notices: list[str]
    topics: int
    documents: int
    runs: int
    units_planned: int = 0
    judgments: int = 0


Written = Callable[[Imported], None]
"""Told what was written, inside the transaction that writes it: what it raises takes everything back."""
