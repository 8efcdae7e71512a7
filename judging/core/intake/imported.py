"""The outcome of an import."""

from collections.abc import Callable
from dataclasses import dataclass

from judging.models import Study
from judging.protocol.words import Sentence


@dataclass(frozen=True)
class Imported:
    """The study that was written, notices on data that was left out, and the number of rows by kind."""

    study: Study
    notices: list[Sentence | str]
    topics: int
    documents: int
    runs: int
    units_planned: int = 0
    judgments: int = 0


Written = Callable[[Imported], None]
"""Called inside the transaction of the import; an exception undoes the import."""
