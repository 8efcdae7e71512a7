"""The result of an import."""

from collections.abc import Callable
from dataclasses import dataclass

from judging.models import Study
from judging.protocol.words import Sentence


@dataclass(frozen=True)
class Imported:
    """The imported study, notices about ignored data, and the numbers of imported rows."""

    study: Study
    notices: list[Sentence | str]
    topics: int
    documents: int
    runs: int
    units_planned: int = 0
    judgments: int = 0


Written = Callable[[Imported], None]
"""A function to call inside the transaction of the import. If it raises an error, the import is undone."""
