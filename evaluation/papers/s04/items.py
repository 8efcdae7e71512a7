"""The tables and figures of [S04], each with how Plumbline computes it."""

from typing import Final

from ...report import needs
from ...text import Text
from ..paper import Item, Paper

_SUBSETS: Final = (needs.judgments, needs.whole, needs.runs, needs.topics)

S04: Final = Paper(
    "S04",
    "Sakai, AIRS 2005",
    "The Reliability of Metrics Based on Graded Relevance",
    (
        Item(
            "section-2",
            "Section 2",
            Text("Where nCG stops changing"),
            Text(
                "Once the ideal list is complete, nCG at a cut-off only counts what a run has found. It "
                "does not see at which rank. The first table has an example, and the second counts the "
                "topics of the study in which this happens."
            ),
            where=("nCG",),
            needs=(needs.judgments,),
        ),
        Item(
            "section-4-1",
            "Section 4.1",
            Text("Stability of the 24 measures"),
            Text(
                "Curves closer to the lower left corner are better: the measure rarely reverses two runs, "
                "and rarely ties them. Relaxed measures count grades of 1 or more as relevant, and rigid "
                "ones grades of 2 or more. The gains of the crowd have no level of relevance, so they "
                "have only the 12 measures that use gains at a cut-off."
            ),
            needs=_SUBSETS,
            where=("battery", "comparison.stability", "analyses.stability_curves"),
        ),
        Item(
            "section-4-2",
            "Section 4.2",
            Text("Discrimination of the 24 measures"),
            Text(
                "The better a measure tells runs apart, the smaller is the difference that it needs, and "
                "the larger is its power. The first table uses a swap rate of 5 %. The others use further "
                "rates, and subsets that are drawn with replacement."
            ),
            needs=_SUBSETS,
            where=("battery", "comparison.discrimination", "analyses.reliability_table"),
        ),
        Item(
            "table-4",
            "Table 4",
            Text("τ between the rankings of the runs by 24 measures"),
            Text(
                "A value near 1 means that two measures rank the runs in nearly the same order. The "
                "grades of the study take the place of the first test collection of the paper."
            ),
            needs=(needs.known, needs.runs),
            where=("comparison.correlation_matrix", "analyses.correlation_table"),
        ),
        Item(
            "table-5",
            "Table 5",
            Text("The same for a second set of judgments"),
            Text(
                "The paper repeats Table 4 for a second test collection. A study has one collection, so "
                "this table uses its second set of judgments: those of the crowd. The gains of the crowd "
                "have no level of relevance, so they have only the 12 measures that use gains at a "
                "cut-off."
            ),
            "differs",
            needs=(needs.judgments, needs.whole, needs.runs),
            where=("comparison.correlation_matrix", "analyses.correlation_table"),
        ),
        Item(
            "runs",
            "The runs by relaxed AP",
            Text("Where other measures disagree with AP"),
            Text(
                "The runs are numbered from best to worst by relaxed AP. A rise is a place where another "
                "measure puts two neighbouring runs in the opposite order."
            ),
            needs=(needs.known, needs.runs),
            where=("rank-changes", "analyses.rank_changes", "figures.rank_changes"),
        ),
        Item(
            "tables-6-9",
            "Tables 6–9",
            Text("Measures under other gain values"),
            Text(
                "The gains of the grades H, R and M are 3:2:1, 1:1:1 or 10:5:1, or 3:2:1 adjusted to how "
                "common each grade is in the topic. Each of these has a table with everything that the "
                "paper compares: stability, discrimination, and τ with relaxed AP and with 3:2:1. So the "
                "rows of the four tables can be compared."
            ),
            "differs",
            needs=(needs.topics, needs.runs, needs.known, needs.levels),
            where=("comparison.battery", 'adjust="agr"'),
        ),
        Item(
            "section-5",
            "Section 5",
            Text("Three orders of the pairs of runs"),
            Text(
                "Three methods sort the pairs of runs by how certain the difference between the two runs "
                "is: the sign test, the minority rate at a fuzziness of .05, and the number of swaps. "
                "Each number is τ_b between the orders of two methods."
            ),
            needs=_SUBSETS,
            where=("comparison.confidence_orders", "analyses.confidence_table"),
        ),
    ),
)
"""The paper."""
