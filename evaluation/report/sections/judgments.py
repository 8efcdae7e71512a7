"""The section on the judgments themselves."""

from typing import Final

from ...text import Text
from .. import needs
from ..parts import Part, Section


def _distribution_reading(facts: needs.Facts) -> Text:
    """Return how to read the distribution of gains whose ratios have no meaning."""
    assert facts.scale.without_ratios is not None
    return facts.scale.without_ratios.gains


JUDGMENTS: Final = Section(
    "judgments",
    Text("Judgments"),
    (
        Part(
            "topics",
            Text("Topics and units"),
            "[T15], Table 1",
            Text(
                "Each row is a topic, and the last row is for all topics. A unit is the set of documents "
                "that one worker judges together, usually with the anchors of the topic."
            ),
            readings=(
                (
                    needs.anchors,
                    Text(
                        "Each row is a topic, and the last row is for all topics. A unit is the set of "
                        "documents that one worker judges together."
                    ),
                ),
            ),
        ),
        Part(
            "distribution",
            Text("Distribution of the gains"),
            "[T15]",
            Text(
                "The gain of a document summarises its normalised judgments. Usually, most documents "
                "have small gains, and a few have very large gains."
            ),
            readings=(
                (
                    needs.gain_ratios,
                    _distribution_reading,
                ),
            ),
        ),
        Part(
            "gains",
            Text("Gains of the documents"),
            "[T15]",
            Text(
                "Each row is a document with its gain. A narrow interval means that other workers of the "
                "same kind would give the document nearly the same gain."
            ),
        ),
        Part(
            "alpha",
            Text("Agreement among workers"),
            "Krippendorff, 2011",
            Text(
                "α is 1 if all workers agree, and 0 if they agree no more than by chance. Use the rows "
                "without the anchors: Plumbline accepts only units in which H is above N, so the anchors "
                "make α too large."
            ),
            readings=(
                (
                    needs.anchors,
                    Text(
                        "α is 1 if all workers agree, and 0 if they agree no more than by chance. The last "
                        "row is for all topics together."
                    ),
                ),
            ),
        ),
        Part(
            "cost",
            Text("Cost"),
            "[T15]",
            Text(
                "A worker is paid once for each unit. The cost per document is the total cost divided by "
                "the number of documents, which includes the anchors."
            ),
            (needs.pay,),
            readings=(
                (
                    needs.anchors,
                    Text(
                        "A worker is paid once for each unit. The cost per document is the total cost "
                        "divided by the number of documents."
                    ),
                ),
            ),
        ),
    ),
)
