"""The names that a set of known grades cannot take."""

from typing import Final

from judging.core.published.judgments import PUBLISHED_GRADES, is_column

MAGNITUDES: Final = "magnitudes"
"""The name of the gains that come from the judgments, beside the names of the grade sets."""


def taken(grade_set: str) -> str | None:
    """Why a grade set cannot bear a name, or None: it would be lost among columns, or among gains."""
    if is_column(grade_set) and grade_set not in PUBLISHED_GRADES:
        return f"{grade_set} is a column that exports have already"
    if grade_set == MAGNITUDES:
        return f"{grade_set} is the name of the gains that come from the judgments"
    return None
