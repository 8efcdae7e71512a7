"""The figures of a study, and the data that each needs. This module draws nothing, so pages can import it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.understanding.selectors.reports import Facts

FORMATS: Final = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
    "csv": "text/csv; charset=utf-8",
}
"""Maps the file extension of each format of a figure to its media type."""
WHOLE_ZIP: Final = "report.zip"
"""The file of the report with all analyses."""
MEASURES: Final = ("nDCG@10", 'ERR(gmax="topic")@10')
"""The default measures of a report. A request can name other measures."""
ALPHA: Final = 0.05
"""The test separates a run from the best run if p is below this limit. The other runs are the top set."""
Need = Callable[[Facts], str | Sentence]
"""A function that returns a sentence about what a study lacks, or "" if the study lacks nothing."""


def judgments(facts: Facts) -> str:
    return "" if facts.units else _("The figure needs judgments, but no judgments count yet.")


def grades(facts: Facts) -> str:
    return (
        ""
        if facts.graded
        else _("The figure needs known grades, but no document in the pools has a known grade.")
    )


def grade_sets(facts: Facts) -> str:
    if facts.grade_sets:
        return ""
    return _("The figure needs a set of known grades. Name one in the study file.")


def one_run(facts: Facts) -> str:
    return "" if facts.runs else _("The figure needs at least one run. Name runs in the study file.")


def two_runs(facts: Facts) -> str | Sentence:
    if facts.runs > 1:
        return ""
    text = _("The figure needs at least two runs, but the study has {runs}. Name runs in the study file.")
    return Sentence(text, {"runs": facts.runs})


def two_topics(facts: Facts) -> str | Sentence:
    if facts.topics > 1:
        return ""
    text = _("The figure needs at least two topics with judgments, but the study has {topics}.")
    return Sentence(text, {"topics": facts.topics})


@dataclass(frozen=True)
class FigureKind:
    """A figure. `measures` are the default measures, or () if the figure does not depend on measures.

    If `of_grades` is True, the figure shows one set of known grades, by default the first set of the study.
    """

    name: str
    title: str
    what: str
    needs: tuple[Need, ...]
    measures: tuple[str, ...] = ()
    of_grades: bool = False

    def missing(self, facts: Facts) -> list[str | Sentence]:
        """Return the reasons why the study cannot have the figure, each in one sentence."""
        return [reason for need in self.needs if (reason := need(facts))]


@dataclass(frozen=True)
class Section:
    """A section of the report `systems`. The keys of its tables start with its name and a slash."""

    name: str
    title: str
    what: str


SECTIONS: Final = {
    section.name: section
    for section in (
        Section(
            "top-sets",
            _("Top sets"),
            _("For each measure, the best run and all runs that Wilcoxon’s test cannot tell apart from it."),
        ),
        Section(
            "grades",
            _("Judgments against grades"),
            _(
                "How well the ranking of the runs by the crowd’s judgments agrees with their ranking by "
                "known grades, and how much this depends on the workers, the grades and the runs."
            ),
        ),
        Section(
            "schemes",
            _("Gain schemes"),
            _("How the results depend on the gains that stand for the grades, on measures and on cut-offs."),
        ),
        Section(
            "reliability",
            _("Reliability of measures"),
            _("How often other topics would put two runs into another order, for each measure."),
        ),
        Section(
            "preferences",
            _("Users’ preferences"),
            _(
                "How well the order of documents in each run fits the order that the judgments or the "
                "grades give."
            ),
        ),
    )
}
"""The sections of the report `systems`, in the order of the page."""

FIGURES: Final = {
    figure.name: figure
    for figure in (
        FigureKind(
            "magnitudes-by-grade",
            _("Magnitudes by grade"),
            _("Box plots of the documents’ medians, by known grade."),
            (judgments, grades),
            of_grades=True,
        ),
        FigureKind(
            "magnitudes-by-topic",
            _("Magnitudes by grade and topic"),
            _("Box plots of the documents’ medians, by known grade, with one panel per topic."),
            (judgments, grades),
            of_grades=True,
        ),
        FigureKind(
            "gain-profile",
            _("Gain of each grade"),
            _(
                "Magnitudes divided by the magnitude of the unit’s N anchor, next to the usual gains. The "
                "first panel leaves out the anchors, and the second includes them. The check of the anchors "
                "accepts only units in which H is above N. With the anchors, H therefore looks too large."
            ),
            (judgments, grades),
            of_grades=True,
        ),
        FigureKind(
            "anchor-ratios",
            _("H ÷ N of the units"),
            _("A histogram of the ratio between the two anchors in each unit."),
            (judgments,),
        ),
        FigureKind(
            "grade-ratios",
            _("H against R and M"),
            _(
                "How many times larger the magnitudes of H documents are than those of R and M "
                "documents, by topic."
            ),
            (judgments, grades),
            of_grades=True,
        ),
        FigureKind(
            "gain-curves",
            _("Gain by rank, based on magnitudes"),
            _("Cumulated gain of the runs and of the ideal ranking, by rank."),
            (judgments, one_run),
        ),
        FigureKind(
            "gain-curves-by-grades",
            _("Gain by rank, based on grades"),
            _("Cumulated gain of the runs and of the ideal ranking, with grades worth 0-1-2-3 and 0-1-5-10."),
            (judgments, one_run, grade_sets),
            of_grades=True,
        ),
        FigureKind(
            "systems",
            _("Systems by magnitudes and by grades"),
            _("Mean score of each run by the crowd’s gains, against its mean score by the known grades."),
            (judgments, two_runs, grade_sets),
            MEASURES,
        ),
        FigureKind(
            "tau",
            _("τ with other workers"),
            _("Distribution of Kendall’s τ over 1,000 draws, each with one magnitude per document."),
            (judgments, two_runs),
            MEASURES,
        ),
        FigureKind(
            "rank-changes",
            _("Where measures disagree"),
            _("The runs ranked by the first measure, with their scores by the other measures."),
            (judgments, two_runs),
            (*MEASURES, "DCG@10"),
        ),
        FigureKind(
            "stability",
            _("Stability"),
            _("The minority rate against the proportion of ties, over subsets of topics."),
            (judgments, two_runs, two_topics),
            MEASURES,
        ),
        FigureKind(
            "swap-rates",
            _("Swap rates"),
            _(
                "How often two systems swap ranks on a different set of topics, by the "
                "difference between their scores."
            ),
            (judgments, two_runs, two_topics),
            MEASURES,
        ),
    )
}
