"""The columns in which judgments are exchanged, and the names that a set of known grades cannot take."""

from typing import Final

PUBLISHED_GRADES: Final = ("trec", "sormunen")
"""Grade sets of these names have a column of their own among the published ones."""
PUBLISHED: Final = (
    "topic_id",
    "unit_id",
    "document_id",
    "gold",
    "doc_pos",
    "worker_id",
    "relevance_score",
    "normalized_relevance_score",
    "cumulative_time",
    "comment",
    *PUBLISHED_GRADES,
    "relevance_scale",
)
"""The columns in which judgments of this kind are published."""
OWN: Final = (
    "raw_input",
    "visible_time",
    "visits",
    "revisions",
    "completed_at",
    "simulated",
    "excluded",
)
"""What this platform adds; the columns of further grade sets stand between the two."""

MAGNITUDES: Final = "magnitudes"
"""The name of the gains that come from the judgments, beside the names of the grade sets."""


def taken(grade_set: str) -> str | None:
    """Why a grade set cannot bear a name, or None: it would be lost among columns, or among gains."""
    if grade_set in (*PUBLISHED, *OWN) and grade_set not in PUBLISHED_GRADES:
        return f"{grade_set} is a column that exports have already"
    if grade_set == MAGNITUDES:
        return f"{grade_set} is the name of the gains that come from the judgments"
    return None
