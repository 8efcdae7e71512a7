"""Check the names of grade sets: some names cannot be used."""

from typing import Final

from judging.core.published.judgments import PUBLISHED_GRADES, is_column
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

MAGNITUDES: Final = "magnitudes"
"""The name of the gains computed from judgments, in a list with the names of the grade sets."""


def name_fault(grade_set: str) -> Sentence | None:
    """Return why a grade set cannot have a name, or None."""
    if is_column(grade_set) and grade_set not in PUBLISHED_GRADES:
        return Sentence(
            _("The name {name} is already the name of a column in exports. Choose another name."),
            {"name": grade_set},
        )
    if grade_set == MAGNITUDES:
        return Sentence(
            _("The name {name} already stands for the gains computed from judgments. Choose another name."),
            {"name": grade_set},
        )
    return None
