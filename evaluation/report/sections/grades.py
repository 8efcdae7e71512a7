"""The section that compares magnitudes with known grades."""

from typing import Final

from ...text import Text
from .. import needs
from ..parts import FigureKind, Part, Section

GRADES: Final = Section(
    "grades",
    Text("Magnitudes and known grades"),
    (
        Part(
            "magnitudes-by-grade",
            Text("Judgments by grade"),
            "[T15]",
            Text(
                "Each box covers the middle half of the gains of the documents with one grade, and its "
                "line is their median. If the crowd agrees with the grades, the boxes rise from left to "
                "right."
            ),
            (needs.judgments, needs.grades),
            (
                FigureKind(
                    "magnitudes-by-grade",
                    Text("Judgments by grade"),
                    Text("Box plots of the documents’ medians, by known grade."),
                    of_grades=True,
                ),
            ),
        ),
        Part(
            "magnitudes-by-topic",
            Text("Judgments by grade and topic"),
            "[T15]",
            Text(
                "Each panel shows the boxes of one topic, and all panels have the same scale. If the "
                "boxes of a topic do not rise from left to right, read its documents again."
            ),
            (needs.judgments, needs.grades),
            (
                FigureKind(
                    "magnitudes-by-topic",
                    Text("Judgments by grade and topic"),
                    Text("Box plots of the documents’ medians, by known grade, with one panel per topic."),
                    of_grades=True,
                ),
            ),
        ),
        Part(
            "adjacent",
            Text("Comparison of neighbouring grades"),
            "[T15]",
            Text(
                "A positive t means that the documents of the higher grade have larger gains on average. "
                "Very large gains dominate the tests that do not use logarithms."
            ),
            (needs.judgments, needs.grades),
            readings=(
                (
                    needs.gain_ratios,
                    Text(
                        "A positive t means that the documents of the higher grade have larger gains on "
                        "average. The tests use the gains as they are."
                    ),
                ),
            ),
        ),
        Part(
            "exceptions",
            Text("Lower grades with larger medians than higher grades"),
            "[T15]",
            Text(
                "A pair of grades counts in a topic if the topic has judged documents of both grades. For "
                "example, “3·18” in parentheses means three pairs of grades in 18 topics each, and “18” "
                "means one pair in 18 topics."
            ),
            (needs.judgments, needs.grades),
        ),
        Part(
            "order-agreement",
            Text("Agreement with the grades"),
            "[T15]",
            Text(
                "“A–B” compares the order by A with the order by B, for all pairs of documents that have "
                "different grades and are not tied in B. The mean “cells” gives equal weight to each pair of "
                "grades in each topic, and the mean “pooled” gives equal weight to each pair of documents."
            ),
            (needs.judgments, needs.grades),
        ),
        Part(
            "disagreements",
            Text("Documents judged like documents of another grade"),
            "[T15]",
            Text(
                "Each of these documents has a gain closer to the median of another grade in its topic than "
                "to its own grade’s median. For each set of grades, read the first documents again, because "
                "their gains disagree most with their grades."
            ),
            (needs.judgments, needs.grades),
        ),
        Part(
            "gain-profile",
            Text("Gain of each grade"),
            "[T15]",
            Text(
                "Each value is a magnitude divided by the magnitude of the N anchor in the same unit. Use "
                "the rows without the anchors: Plumbline accepts only units in which H is above N, so the "
                "anchors make H look too large."
            ),
            (needs.judgments, needs.ratios, needs.anchors, needs.grades),
            (
                FigureKind(
                    "gain-profile",
                    Text("Gain of each grade"),
                    Text(
                        "Magnitudes divided by the magnitude of the unit’s N anchor. Two lines show linear "
                        "and exponential gains of the grades. The first panel leaves out the anchors, and "
                        "the second includes them. Plumbline accepts only units in which H is above N, so "
                        "the anchors make H look too large."
                    ),
                    of_grades=True,
                ),
            ),
        ),
        Part(
            "anchor-ratios",
            Text("H ÷ N of the units"),
            "[T15]",
            Text(
                "H ÷ N, the ratio of the two anchors’ magnitudes, shows how wide a range of numbers the "
                "worker used in a unit. Usually, most units are near the median, and a few are much "
                "wider."
            ),
            (needs.judgments, needs.ratios, needs.anchors),
            (
                FigureKind(
                    "anchor-ratios",
                    Text("H ÷ N of the units"),
                    Text("A histogram of the ratio between the two anchors in each unit."),
                ),
            ),
        ),
        Part(
            "grade-ratios",
            Text("H against R and M"),
            "[T15]",
            Text(
                "Each ratio divides the gain of an H document by the gain of an R or M document in the "
                "same topic. A median of 1 would mean that the crowd sees no difference."
            ),
            (needs.judgments, needs.gain_ratios, needs.grades, needs.letters),
            (
                FigureKind(
                    "grade-ratios",
                    Text("H against R and M"),
                    Text(
                        "How many times larger the magnitudes of H documents are than those of R and M "
                        "documents, by topic."
                    ),
                    of_grades=True,
                ),
            ),
        ),
        Part(
            "cross",
            Text("Agreement between the sets of grades"),
            "[JK02], Table I",
            Text(
                "Each row is a pair of grades, one from each set, and counts the documents that have both. "
                "For each grade in the second set, the shares add up to 1."
            ),
            (needs.several_sets,),
        ),
    ),
)
