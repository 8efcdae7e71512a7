"""The numbered tables and figures of [K05], each with how Plumbline computes it."""

from typing import Final

from ...report import needs
from ...text import Text
from ..paper import Item, Paper

K05: Final = Paper(
    "K05",
    "Kekäläinen, IP&M 2005",
    "Binary and Graded Relevance in IR Evaluations: Comparison of the Effects on Ranking of IR Systems",
    (
        Item(
            "example",
            "Example G′",
            Text("The worked example with the normalised vector nDCG′"),
            Text(
                "Each row is a vector, from the formula or as the paper prints it. Each column is a rank. "
                "The numbers do not come from the study."
            ),
            where=("analyses.gain_curves",),
        ),
        Item(
            "table-3",
            "Table 3",
            Text("τ between rankings by precision, with two sets of judgments at three cut-offs"),
            Text(
                "The runs are ranked by P@10, P@100 and P@1000 with each set of grades, over the topics that "
                "both sets have. A document is relevant if its grade is above 0."
            ),
            needs=(needs.runs, needs.several_sets),
            where=("comparison.correlation_matrix",),
        ),
        Item(
            "figure-1a",
            "Figure 1a",
            Text("Precision by rank"),
            Text(
                "Each curve is the mean precision of a run down to each rank, with a panel for each set of "
                "grades. A document is relevant if its grade is above 0."
            ),
            needs=(needs.one_run, needs.known),
            where=("analyses.gain_curves",),
        ),
        Item(
            "tables-4-6",
            "Tables 4–6",
            Text("τ between rankings by precision and by CG, DCG and nDCG with the weights w1 to w100"),
            Text(
                "Each number is τ between two rankings of the runs. Plumbline arranges the numbers by "
                "measure and by cut-off, so a number can be in another table than in the paper. The weights "
                "are w1 0-1-1-1, w3 0-1-2-3, w10 0-1-5-10 and w100 0-1-10-100, and @R is the number of "
                "relevant documents of each topic."
            ),
            "differs",
            (needs.judgments, needs.whole, needs.runs),
            ("scheme-correlations", "analyses.scheme_correlations", "analyses.correlation_table"),
        ),
    ),
)
"""The paper."""
