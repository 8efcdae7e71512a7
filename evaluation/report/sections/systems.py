"""The section that compares systems, based on the crowd's gains and on known grades."""

from typing import Final

from ...text import Text
from .. import needs
from ..parts import MEASURES, FigureKind, Part, Section

SYSTEMS: Final = Section(
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
            (needs.judgments, needs.one_run),
        ),
        Part(
            "systems",
            Text("Systems by judgments and by grades"),
            "[T15]",
            Text(
                "Each point is a run, and τ is 1 if both kinds of judgments rank all runs in the same "
                "order. The overlap is 1 if both kinds of judgments give the same top set, which "
                "contains the best runs."
            ),
            (needs.judgments, needs.runs, needs.known),
            (
                FigureKind(
                    "systems",
                    Text("Systems by judgments and by grades"),
                    Text(
                        "Mean score of each run, computed from the crowd’s gains, against its mean score "
                        "from the known grades."
                    ),
                    MEASURES,
                ),
            ),
        ),
        Part(
            "top-sets",
            Text("Top sets"),
            "[T15]",
            Text(
                "The top set of a measure contains the best run and all runs that Wilcoxon’s test cannot "
                "tell apart from it. ERR appears in three forms: one by ratios of gains (“share”), and the "
                "form for grades with the largest gain of each topic and of all topics."
            ),
            (needs.judgments, needs.whole, needs.runs),
        ),
        Part(
            "sensitivity",
            Text("The best run under other choices"),
            "Plumbline",
            Text(
                "Each row changes one choice of the study, and ranks the runs again. If the best run stays "
                "the same and τ is near 1, the answer does not depend on this choice."
            ),
            (needs.judgments, needs.whole, needs.runs),
        ),
        Part(
            "simulated",
            Text("Simulated systems"),
            "[T15]",
            Text(
                "For each topic, a simulated system takes a random list from the lists whose top documents "
                "all have a grade. Missing grades therefore cannot lower the score of a list."
            ),
            (needs.judgments, needs.whole, needs.runs, needs.grades),
        ),
        Part(
            "tau",
            Text("τ with other workers"),
            "[T15]",
            Text(
                "Each draw ranks the runs by one randomly chosen judgment per document, and τ compares this "
                "ranking with the ranking by grades or medians. A narrow distribution means that τ hardly "
                "depends on which workers happened to judge."
            ),
            (needs.judgments, needs.whole, needs.runs),
            (
                FigureKind(
                    "tau",
                    Text("τ with other workers"),
                    Text("Distribution of Kendall’s τ over many draws, each with one judgment per document."),
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
            (needs.judgments, needs.runs, needs.grades),
        ),
        Part(
            "ranges",
            Text("Units with a narrow or a wide range"),
            "[T15]",
            Text(
                "A unit is wide if its H ÷ N is at least the median of all units, and narrow otherwise. If "
                "the rows are similar, the ranking hardly depends on how wide a range of numbers workers "
                "use."
            ),
            (needs.judgments, needs.whole, needs.runs, needs.ratios, needs.anchors, needs.grades),
        ),
    ),
)
