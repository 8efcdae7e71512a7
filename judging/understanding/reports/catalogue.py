"""The figures that a study may have, and what each needs: read by pages, without drawing anything."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from judging.understanding.selectors.reports import Facts

FORMATS: Final = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv; charset=utf-8",
}
"""Ending → media type of the files of a figure."""
MEASURES: Final = ("nDCG@10", 'ERR(gmax="topic")@10')
"""What a report is made by unless others are asked for."""
Need = Callable[[Facts], str]
"""What of it is missing, in one sentence; "" where it is there."""


def judgments(facts: Facts) -> str:
    return "" if facts.units else "It needs judgments: none count yet."


def grades(facts: Facts) -> str:
    return "" if facts.graded else "It needs known grades of documents in the pools: there are none."


def grade_sets(facts: Facts) -> str:
    return "" if facts.grade_sets else "It needs a set of known grades: the study file names none."


def one_run(facts: Facts) -> str:
    return "" if facts.runs else "It needs runs: the study names none."


def two_runs(facts: Facts) -> str:
    return "" if facts.runs > 1 else f"It needs two runs or more: the study names {facts.runs or 'none'}."


def two_topics(facts: Facts) -> str:
    return "" if facts.topics > 1 else f"It needs two judged topics or more: there are {facts.topics}."


@dataclass(frozen=True)
class FigureKind:
    """A figure: `measures` are those it is drawn for unless others are asked for; empty where it has none.

    `of_grades`: it is drawn for one set of known grades, the study's first unless another is asked for.
    """

    name: str
    title: str
    what: str
    needs: tuple[Need, ...]
    measures: tuple[str, ...] = ()
    of_grades: bool = False

    def missing(self, facts: Facts) -> list[str]:
        """Why the study cannot have it, a sentence for each reason."""
        return [said for need in self.needs if (said := need(facts))]


FIGURES: Final = {
    figure.name: figure
    for figure in (
        FigureKind(
            "magnitudes-by-grade",
            "Magnitudes by grade",
            "Box plots of the documents’ medians, by known grade.",
            (judgments, grades),
            of_grades=True,
        ),
        FigureKind(
            "magnitudes-by-topic",
            "Magnitudes by grade and topic",
            "The same, each topic in a panel of its own.",
            (judgments, grades),
            of_grades=True,
        ),
        FigureKind(
            "gain-profile",
            "What a grade is worth",
            "Magnitudes divided by that of the unit’s N anchor, without the anchors and with them, beside "
            "the usual gains.",
            (judgments, grades),
            of_grades=True,
        ),
        FigureKind(
            "anchor-ratios",
            "H ÷ N of the units",
            "How widely units spread their numbers: a histogram.",
            (judgments,),
        ),
        FigureKind(
            "grade-ratios",
            "H against R and M",
            "How many times a lower grade the highest is worth, topic by topic.",
            (judgments, grades),
            of_grades=True,
        ),
        FigureKind(
            "gain-curves",
            "Gain by rank, by magnitudes",
            "Cumulated gain of the runs down the ranks, with the ideal.",
            (judgments, one_run),
        ),
        FigureKind(
            "gain-curves-by-grades",
            "Gain by rank, by grades",
            "The same by known grades, worth 0-1-2-3 and 0-1-5-10.",
            (judgments, one_run, grade_sets),
            of_grades=True,
        ),
        FigureKind(
            "systems",
            "Systems by magnitudes and by grades",
            "Means of the runs by the crowd’s gains against those by known grades.",
            (judgments, two_runs, grade_sets),
            MEASURES,
        ),
        FigureKind(
            "tau",
            "τ when other workers had judged",
            "Kendall’s τ over 1,000 draws of one magnitude a document.",
            (judgments, two_runs),
            MEASURES,
        ),
        FigureKind(
            "rank-changes",
            "Where measures disagree",
            "Runs in the order of the first measure, by each of the others.",
            (judgments, two_runs),
            (*MEASURES, "DCG@10"),
        ),
        FigureKind(
            "stability",
            "Stability",
            "Minority rate by proportion of ties, over subsets of topics.",
            (judgments, two_runs, two_topics),
            MEASURES,
        ),
        FigureKind(
            "swap-rates",
            "Swap rates",
            "How often other topics turn two systems round, by their difference.",
            (judgments, two_runs, two_topics),
            MEASURES,
        ),
    )
}
