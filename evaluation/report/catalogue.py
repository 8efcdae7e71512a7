"""The sections of a report: each part of it and each of its figures is declared here, once.

This module computes nothing, and imports nothing that is slow to import. So the pages of a site can use it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from evaluation.report.text import Text

MEASURES: Final = ("nDCG@10", 'ERR(gmax="topic")@10')
"""The measures by which a report compares systems, unless others are given."""
ADAPTIVE: Final = Text(
    "This study is adaptive: its judgments decided which documents were judged further, and when to stop. "
    "Intervals are computed as if this had been fixed beforehand. So the interval of a gain contains the "
    "true gain less often than its level says."
)
"""A note on the intervals of an adaptive study."""


class Facts(NamedTuple):
    """What a study has, as far as the parts of a report need it.

    `units` is the number of units, `topics` the number of topics with judgments, and `graded` the number of
    judged or pooled documents with a known grade. `grade_sets` has the names of the sets of known grades.
    `anchors` says whether the judgments mark the anchors of their units, and `magnitudes` whether they are
    magnitudes. `levels` says whether a set has more than two of the grades 0, 1, 2 and 3, and `letters`
    whether these can stand for N, M, R and H in a set. `pay` says whether the pay is known.
    """

    units: int
    topics: int
    graded: int
    runs: int
    grade_sets: tuple[str, ...]
    anchors: bool = True
    magnitudes: bool = True
    levels: bool = True
    letters: bool = True
    pay: bool = True


Need = Callable[[Facts], Text | None]
"""A function that returns a sentence about what a study lacks, or None if it lacks nothing."""


@dataclass(frozen=True)
class FigureKind:
    """A figure that can be drawn by itself.

    `measures` are its default measures, or () if it does not depend on measures. If `of_grades` is True, it
    shows one set of known grades. `needs` come on top of the needs of its part.
    """

    key: str
    title: Text
    what: Text
    measures: tuple[str, ...] = ()
    of_grades: bool = False
    needs: Sequence[Need] = ()


@dataclass(frozen=True)
class Part:
    """A part of the report. `reading` has two sentences on how to read it, and `source` names its paper.

    `figures` are the figures that can be drawn by themselves. A part can have further figures.
    """

    key: str
    title: Text
    source: str
    reading: Text
    needs: Sequence[Need] = ()
    figures: Sequence[FigureKind] = ()

    def missing(self, facts: Facts) -> list[Text]:
        """Return the reasons why a study cannot have this part, each in one sentence."""
        return lacks(self.needs, facts)


@dataclass(frozen=True)
class Section:
    """A section of the report with its parts."""

    key: str
    title: Text
    parts: tuple[Part, ...]


def lacks(needs: Sequence[Need], facts: Facts) -> list[Text]:
    """Return a sentence for each need that a study does not meet."""
    return [reason for need in needs if (reason := need(facts)) is not None]


def _judgments(facts: Facts) -> Text | None:
    return None if facts.units else Text("No judgments count yet.")


def _grades(facts: Facts) -> Text | None:
    if not facts.graded and facts.grade_sets:
        return Text("No judged document has a known grade. Check that the ids of topics and documents match.")
    return None if facts.graded else Text("No document has a known grade. Add known grades.")


def _known(facts: Facts) -> Text | None:
    return None if facts.grade_sets else Text("There is no set of known grades. Add one.")


def _several_sets(facts: Facts) -> Text | None:
    if len(facts.grade_sets) > 1:
        return None
    return Text("This compares two or more sets of known grades. Add another set.")


def _levels(facts: Facts) -> Text | None:
    if facts.levels:
        return None
    return Text(
        "This needs a set of known grades that uses at least three of the grades 0, 1, 2 and 3, and no "
        "others. Add such a set."
    )


def _letters(facts: Facts) -> Text | None:
    return (
        None
        if facts.letters
        else Text("This needs a set of known grades with the grades N, M, R and H. Add such a set.")
    )


def _anchors(facts: Facts) -> Text | None:
    if facts.anchors:
        return None
    return Text("The judgments do not say which documents are anchors. Mark the anchors in the column gold.")


def _magnitudes(facts: Facts) -> Text | None:
    return (
        None
        if facts.magnitudes
        else Text("The judgments are ratings, and ratios of ratings have no meaning.")
    )


def _one_run(facts: Facts) -> Text | None:
    return None if facts.runs else Text("There are no runs. Add at least one.")


def _runs(facts: Facts) -> Text | None:
    if facts.runs > 1:
        return None
    return Text("This needs at least two runs, and the study has {runs}. Add more runs.", runs=facts.runs)


def _topics(facts: Facts) -> Text | None:
    if facts.topics > 1:
        return None
    return Text(
        "This needs at least two topics with judgments, and the study has {topics}. Collect more judgments.",
        topics=facts.topics,
    )


def _pay(facts: Facts) -> Text | None:
    return None if facts.pay else Text("The pay for a unit is unknown. Give the pay to see the cost.")


SECTIONS: Final = (
    Section(
        "judgments",
        Text("Judgments"),
        (
            Part(
                "topics",
                Text("Topics and units"),
                "[T15], Table 1",
                Text(
                    "Each row is a topic, and the last row is for all topics. A unit is the set of documents "
                    "that one worker judges together, usually with the two anchors of the topic."
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
                    "without the anchors: Plumbline accepts only units in which H is above N, so α with the "
                    "anchors is too large."
                ),
            ),
            Part(
                "cost",
                Text("Cost"),
                "[T15]",
                Text(
                    "Each worker is paid once for a unit. The cost per document is the total cost divided by "
                    "the number of documents, which includes the anchors."
                ),
                (_pay,),
            ),
        ),
    ),
    Section(
        "grades",
        Text("Magnitudes and known grades"),
        (
            Part(
                "magnitudes-by-grade",
                Text("Magnitudes by grade"),
                "[T15]",
                Text(
                    "Each box covers the middle half of the gains of the documents with one grade, and its "
                    "line is their median. If the crowd agrees with the grades, the boxes rise from left to "
                    "right."
                ),
                (_judgments, _grades),
                (
                    FigureKind(
                        "magnitudes-by-grade",
                        Text("Magnitudes by grade"),
                        Text("Box plots of the documents’ medians, by known grade."),
                        of_grades=True,
                    ),
                ),
            ),
            Part(
                "magnitudes-by-topic",
                Text("Magnitudes by grade and topic"),
                "[T15]",
                Text(
                    "Each panel shows the boxes of one topic, and all panels have the same scale. If the "
                    "boxes of a topic do not rise from left to right, read its documents again."
                ),
                (_judgments, _grades),
                (
                    FigureKind(
                        "magnitudes-by-topic",
                        Text("Magnitudes by grade and topic"),
                        Text(
                            "Box plots of the documents’ medians, by known grade, with one panel per topic."
                        ),
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
                    "Very large gains dominate the tests that do not use logarithms, and [T15] does not say "
                    "which test it used."
                ),
                (_judgments, _grades),
            ),
            Part(
                "exceptions",
                Text("Lower grades with a larger median"),
                "[T15]",
                Text(
                    "A pair of grades counts in a topic if the topic has judged documents of both grades. In "
                    "parentheses, “3·18” stands for three pairs of grades in 18 topics each, and “18” for "
                    "one pair in 18 topics."
                ),
                (_judgments, _grades),
            ),
            Part(
                "order-agreement",
                Text("Agreement with the grades"),
                "[T15]",
                Text(
                    "In a comparison A–B, a pair of documents counts if their grades differ and B does not "
                    "tie them. The mean “cells” weights each pair of grades in each topic equally, and the "
                    "mean “pooled” weights each pair of documents equally."
                ),
                (_judgments, _grades),
            ),
            Part(
                "disagreements",
                Text("Documents judged like documents of another grade"),
                "[T15]",
                Text(
                    "In their topic, these documents are closer to the median of another grade than to the "
                    "median of their own grade. For each set of grades, the documents that disagree most "
                    "come first, so read these again."
                ),
                (_judgments, _grades),
            ),
            Part(
                "gain-profile",
                Text("Gain of each grade"),
                "[T15]",
                Text(
                    "Each value is a magnitude divided by the magnitude of the N anchor in the same unit. "
                    "Use the rows without the anchors: Plumbline accepts only units in which H is above N, "
                    "so H with the anchors is too large."
                ),
                (_judgments, _magnitudes, _anchors, _grades),
                (
                    FigureKind(
                        "gain-profile",
                        Text("Gain of each grade"),
                        Text(
                            "Magnitudes divided by the magnitude of the unit’s N anchor, next to the usual "
                            "gains. The first panel leaves out the anchors, and the second includes them. "
                            "The check of the anchors accepts only units in which H is above N. With the "
                            "anchors, H therefore looks too large."
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
                (_judgments, _magnitudes, _anchors),
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
                (_judgments, _magnitudes, _grades, _letters),
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
                    "Each row counts the documents that have both grades. For each grade in the second set, "
                    "the shares add up to 1."
                ),
                (_several_sets,),
            ),
        ),
    ),
    Section(
        "systems",
        Text("Systems"),
        (
            Part(
                "means",
                Text("Means of the runs"),
                "[T15]",
                Text(
                    "Each row is a run with its mean score over topics, and the best run comes first. "
                    "Compare runs by the interval of their difference: two means can differ clearly even if "
                    "their own intervals overlap."
                ),
                (_judgments, _one_run),
            ),
            Part(
                "systems",
                Text("Systems by magnitudes and by grades"),
                "[T15]",
                Text(
                    "Each point is a run, and τ is 1 if both kinds of judgments rank all runs in the same "
                    "order. The overlap is 1 if both kinds of judgments give the same top set, which "
                    "contains the best runs."
                ),
                (_judgments, _runs, _known),
                (
                    FigureKind(
                        "systems",
                        Text("Systems by magnitudes and by grades"),
                        Text(
                            "Mean score of each run by the crowd’s gains, against its mean score by the "
                            "known grades."
                        ),
                        MEASURES,
                    ),
                ),
            ),
            Part(
                "top-sets",
                Text("Top sets"),
                "[T15], Tables 2 and 3",
                Text(
                    "The top set of a measure has the best run and all runs that Wilcoxon’s test cannot tell "
                    "apart from it. ERR appears twice: relative to the largest gain of each topic, and "
                    "relative to the largest gain of all topics."
                ),
                (_judgments, _runs),
            ),
            Part(
                "simulated",
                Text("Simulated systems"),
                "[T15]",
                Text(
                    "For each topic, a simulated system takes a random list from the lists whose top "
                    "documents all have a grade. So no list is scored low only because grades are missing."
                ),
                (_judgments, _runs, _grades),
            ),
            Part(
                "tau",
                Text("τ with other workers"),
                "[T15]",
                Text(
                    "Each draw ranks the runs by one randomly chosen magnitude for each document, and τ "
                    "compares this with the ranking by grades or by medians. A narrow distribution means "
                    "that τ hardly depends on which workers happened to judge."
                ),
                (_judgments, _runs),
                (
                    FigureKind(
                        "tau",
                        Text("τ with other workers"),
                        Text(
                            "Distribution of Kendall’s τ over many draws, each with one magnitude per "
                            "document."
                        ),
                        MEASURES,
                    ),
                ),
            ),
            Part(
                "transformations",
                Text("Other gains for the grades"),
                "[T15]",
                Text(
                    "C is the grade as a number, and each row compares the ranking by transformed grades, "
                    "such as 2^C, with the ranking by C. If τ is close to 1, the ranking hardly depends on "
                    "the numbers that stand for the grades."
                ),
                (_judgments, _runs, _grades),
            ),
            Part(
                "ranges",
                Text("Units with a narrow and a wide range"),
                "[T15]",
                Text(
                    "A unit is wide if its H ÷ N is at least the median of all units, and narrow otherwise. "
                    "If the rows are similar, it hardly matters for the ranking how wide a range of numbers "
                    "workers use."
                ),
                (_judgments, _runs, _magnitudes, _anchors, _grades),
            ),
        ),
    ),
    Section(
        "schemes",
        Text("Gain schemes"),
        (
            Part(
                "gain-curves",
                Text("Gain by rank"),
                "[JK02]",
                Text(
                    "Each curve shows the mean DCG or nDCG of a run down to each rank, and the thick line is "
                    "the ideal ranking. The closer a curve stays to this line, the better the run."
                ),
                (_judgments, _one_run),
                (
                    FigureKind(
                        "gain-curves",
                        Text("Gain by rank, based on magnitudes"),
                        Text("Cumulated gain of the runs and of the ideal ranking, by rank."),
                    ),
                    FigureKind(
                        "gain-curves-by-grades",
                        Text("Gain by rank, based on grades"),
                        Text(
                            "Cumulated gain of the runs and of the ideal ranking, with grades worth 0-1-2-3 "
                            "and 0-1-5-10."
                        ),
                        of_grades=True,
                        needs=(_known,),
                    ),
                ),
            ),
            Part(
                "scheme-means",
                Text("Means under gain schemes"),
                "[JK02], Table II",
                Text(
                    "Each scheme, such as 0-1-5-10, lists the gains of the grades N, M, R and H. If a run is "
                    "good under only some schemes, it finds documents of some grades better than documents "
                    "of other grades."
                ),
                (_runs, _known, _levels),
            ),
            Part(
                "scheme-correlations",
                Text("τ between measures and schemes"),
                "[K05], Tables 3–6",
                Text(
                    "The schemes are w1 (0-1-1-1), w3 (0-1-2-3), w10 (0-1-5-10) and w100 (0-1-10-100), and P "
                    "is precision. A value near 1 means that two measures rank the runs in nearly the same "
                    "order."
                ),
                (_runs, _known, _levels),
            ),
        ),
    ),
    Section(
        "reliability",
        Text("Reliability of measures"),
        (
            Part(
                "reliability",
                Text("Stability and discrimination"),
                "[S04]",
                Text(
                    "If the topics change, a good measure rarely reverses the order of two runs, and it "
                    "rarely ties them. Curves closer to the lower left corner are better."
                ),
                (_judgments, _runs, _topics),
                (
                    FigureKind(
                        "stability",
                        Text("Stability"),
                        Text("The minority rate against the proportion of ties, over subsets of topics."),
                        MEASURES,
                    ),
                    FigureKind(
                        "swap-rates",
                        Text("Swap rates"),
                        Text(
                            "How often two systems swap ranks on a different set of topics, by the "
                            "difference between their scores."
                        ),
                        MEASURES,
                    ),
                ),
            ),
            Part(
                "battery",
                Text("All measures"),
                "[S04]",
                Text(
                    "rel=1 counts documents with a grade of at least 1 as relevant, and rel=2 documents with "
                    "a grade of at least 2. Read all columns together, because a measure that ties most runs "
                    "also rarely reverses their order."
                ),
                (_judgments, _runs, _topics),
            ),
            Part(
                "rank-changes",
                Text("Where measures disagree"),
                "[S04]",
                Text(
                    "The runs are ordered from best to worst by the first measure. A rise is a place where "
                    "another measure puts two neighbouring runs in the opposite order."
                ),
                (_judgments, _runs),
                (
                    FigureKind(
                        "rank-changes",
                        Text("Where measures disagree"),
                        Text(
                            "The runs ranked by the first measure, with their scores by the other measures."
                        ),
                        (*MEASURES, "DCG@10"),
                    ),
                ),
            ),
        ),
    ),
    Section(
        "preferences",
        Text("Users’ preferences"),
        (
            Part(
                "preferences",
                Text("Runs by preferences and by gains"),
                "[ZY10], Table 2",
                Text(
                    "1-ndpm is the share of preferences between documents that a run keeps, and adm says how "
                    "close the run’s scores are to the gains. Higher is better in every column."
                ),
                (_judgments, _runs),
            ),
        ),
    ),
)
"""The sections in the order of the report."""
PARTS: Final = {part.key: part for section in SECTIONS for part in section.parts}
"""All parts by their keys."""
FIGURES: Final = {figure.key: figure for part in PARTS.values() for figure in part.figures}
"""The figures that can be drawn by themselves, by their keys."""
PART_OF: Final = {figure.key: part for part in PARTS.values() for figure in part.figures}
"""The part of each of these figures."""
