"""Ratings: numbers of 0 or more on a scale that all workers share, such as 0 to 3 or 0 to 100."""

from typing import Final

from judging.protocol.scales.scale import Scale, Words
from judging.protocol.words import gettext_noop as _

SCALE: Final = Scale(
    name="rating",
    library="rating",
    words=Words(
        description=_(
            "rating: numbers from 0 to 1000 on a scale that all workers share, such as 0 to 3 or 0 to 100."
        ),
        number=_("Rating"),
        numbers=_("Ratings"),
        normalised=_("Normalised rating"),
        documents=_(
            "For each document: the median of the normalised ratings, its 95 % bootstrap interval, the "
            "width of the interval, the spread, and the smallest and largest rating."
        ),
        disagreement=_(
            "Disagreement is the difference between a document’s median and the median of all judged "
            "documents in this topic that have the same known grade."
        ),
        invalid=_("{value} is not a rating. Write a number from 0 to 1000."),
        alpha="understanding/_alpha_of_ratings.html",
        file_only=_(
            'Workers can give only magnitudes, not ratings. Write purpose = "analysis" to '
            "analyse ratings from a file."
        ),
    ),
    smallest=0.0,
    largest=1000.0,
    has_ratios=False,
    axis="linear",
)
