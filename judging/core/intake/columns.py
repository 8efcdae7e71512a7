"""Check the names of grade sets against the names that exports use."""

from typing import Final

from judging.core.published.judgments import PUBLISHED_GRADES, is_column
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

MAGNITUDES: Final = "magnitudes"
"""The name for the gains computed from judgments, wherever people choose between gains and grade sets."""


def name_fault(grade_set: str) -> Sentence | None:
    """Return why a grade set cannot have this name, or None."""
    if is_column(grade_set) and grade_set not in PUBLISHED_GRADES:
        return Sentence(
            _("Exports already have a column called {name}. Choose another name for the set of grades."),
            {"name": grade_set},
        )
    if grade_set == MAGNITUDES:
        return Sentence(
            _("The name {name} is reserved for the gains from judgments. Choose another name."),
            {"name": grade_set},
        )
    return None
