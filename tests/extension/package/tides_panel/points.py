from judging.protocol.scales.scale import Scale, Words
from judging.protocol.words import gettext_noop as _

POINTS = Scale(
    name="points",
    library="points",
    words=Words(
        description=_("points: numbers from 0 to 10."),
        number=_("Points"),
        numbers=_("Points"),
        normalised=_("Normalised points"),
        documents=_("For each document: the median of the points, its interval, and the spread."),
        disagreement=_(
            "Disagreement is the difference from the median of documents with the same known grade."
        ),
        invalid=_("{value} is not a number of points. Write a number from 0 to 10."),
        file_only=_('Workers cannot give points. Write purpose = "analysis" to analyse points from a file.'),
    ),
    smallest=0,
    largest=10,
    has_ratios=False,
    axis="linear",
)
