"""The sections that compare gain schemes, measures and preferences."""

from typing import Final

from ...text import Text
from .. import needs
from ..parts import MEASURES, FigureKind, Part, Section

SCHEMES: Final = Section(
    "schemes",
    Text("Gain schemes"),
    (
        Part(
            "gain-curves",
            Text("Gain by rank"),
            "[JK02]",
            Text(
                "Each curve shows the mean CG, DCG, nCG or nDCG of a run down to each rank, and the thick "
                "line is the ideal ranking. The closer a curve stays to this line, the better the run."
            ),
            (needs.judgments, needs.whole, needs.one_run),
            (
                FigureKind(
                    "gain-curves",
                    Text("Gain by rank, based on judgments"),
                    Text("Cumulated gain of the runs and of the ideal ranking, by rank."),
                ),
                FigureKind(
                    "gain-curves-by-grades",
                    Text("Gain by rank, based on grades"),
                    Text(
                        "Cumulated gain of the runs and of the ideal ranking, with several gains for the "
                        "grades, from 0-1-1-1 to 0-1-10-100 and 0-0-0-1."
                    ),
                    of_grades=True,
                    needs=(needs.known,),
                ),
            ),
        ),
        Part(
            "scheme-means",
            Text("Means under gain schemes"),
            "[JK02], Table II",
            Text(
                "Each scheme, such as 0-1-5-10, lists the gains of the grades N, M, R and H. If a run is "
                "good under only some schemes, it is better at finding documents of some grades than of "
                "others."
            ),
            (needs.runs, needs.known, needs.levels),
        ),
        Part(
            "scheme-correlations",
            Text("τ between measures and schemes"),
            "[K05], Tables 3–6",
            Text(
                "P stands for precision, and w1, w3, w10 and w100 stand for the schemes 0-1-1-1, 0-1-2-3, "
                "0-1-5-10 and 0-1-10-100. A value near 1 means that two measures rank the runs in nearly the "
                "same order."
            ),
            (needs.runs, needs.known, needs.levels),
        ),
    ),
)
RELIABILITY: Final = Section(
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
            (needs.judgments, needs.whole, needs.runs, needs.topics),
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
                "With rel=1, documents with a grade of at least 1 count as relevant, and with rel=2, the "
                "grade must be at least 2. Read all columns together, because a measure that ties most runs "
                "also rarely reverses their order."
            ),
            (needs.judgments, needs.whole, needs.runs, needs.topics),
        ),
        Part(
            "rank-changes",
            Text("Where measures disagree"),
            "[S04]",
            Text(
                "The runs are ordered from best to worst by the first measure. A rise is a place where "
                "another measure puts two neighbouring runs in the opposite order."
            ),
            (needs.judgments, needs.whole, needs.runs),
            (
                FigureKind(
                    "rank-changes",
                    Text("Where measures disagree"),
                    Text("The runs ranked by the first measure, with their scores by the other measures."),
                    (*MEASURES, "DCG@10"),
                ),
            ),
        ),
    ),
)
PREFERENCES: Final = Section(
    "preferences",
    Text("Users’ preferences"),
    (
        Part(
            "preferences",
            Text("Runs by preferences and by gains"),
            "[ZY10], Table 2",
            Text(
                "1-ndpm is the share of the users’ preferences that a run keeps, and adm says how close the "
                "run’s scores are to the gains. Higher is better in every column."
            ),
            (needs.judgments, needs.whole, needs.runs),
        ),
    ),
)
