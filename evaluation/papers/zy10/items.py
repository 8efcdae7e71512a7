"""The numbered tables and examples of [ZY10], each with how Plumbline computes it."""

from typing import Final

from ...text import Text
from ..paper import Item, Paper

_OTHER_RANKINGS: Final = Text(
    "This table compares systems on other rankings than Table 2. Those rankings are data of the paper "
    "alone. For measures of your own runs, see Table 2."
)

ZY10: Final = Paper(
    "ZY10",
    "Zhou & Yao, 2010",
    "Evaluating Information Retrieval System Performance Based on User Preference",
    (
        Item(
            "example-2",
            "Example 2",
            Text("Spearman’s ρ of two rankings"),
            Text(
                "The ranks of five documents are 1 5 4 2 3 and 2 1 3 4 5. For a run, ρ compares the order "
                "of the run’s documents with that of their gains, over the documents that have both."
            ),
            where=("distances.rho",),
        ),
        Item(
            "example-3",
            "Example 3",
            Text("Kendall’s τ of two rankings"),
            Text(
                "The two rankings are d1 d3 d2 d4 and d1 d3 d4 d2. Without ties, all forms of τ are "
                "equal. The gains of a study have ties, so its runs have both τ_a and τ_b."
            ),
            where=("distances.tau_a", "distances.tau_b"),
        ),
        Item(
            "example-5",
            "Example 5",
            Text("WAP does not see how late a document comes, and Q does"),
            Text(
                "The gains 3, 2 and 1 are relevant, and each system retrieves only the document with the "
                "gain 2: one at rank 3 and the other at rank 5. From rank 3 on, the ideal list is "
                "complete, so WAP is the same."
            ),
            where=("WAP", "Q"),
        ),
        Item(
            "table-2",
            "Table 2",
            Text("Four systems compared by eight measures"),
            Text(
                "The first two tables use the paper’s own rankings: there, the scores of a system are "
                "also the gains of its list, and the user’s judgments are the ideal list. Real runs score "
                "documents on other scales, so the tables of your runs use the user’s gains for both. "
                "ndpm is 1 − NDPM. The printed agr counts the documents of a level in each ranking "
                "itself. The row “agr [S04]” counts them in the user’s judgments, as AGR does for your "
                "runs. adm covers the whole collection, as in the paper: all documents that your data "
                "name. The last table compares the runs with the workers’ rankings, combined by the "
                "methods of Borda and Copeland."
            ),
            "differs",
            where=("preferences", "analyses.preference_table", "analyses.combine_preferences"),
        ),
        Item(
            "table-3",
            "Table 3",
            Text("Systems compared on other rankings"),
            _OTHER_RANKINGS,
            "absent",
            where=("analyses.preference_table",),
            misprints=(Text("the wap of IRS2 is printed as .97, and the formula gives .98."),),
        ),
        Item(
            "table-4",
            "Table 4",
            Text("Systems compared on other rankings"),
            _OTHER_RANKINGS,
            "absent",
            where=("analyses.preference_table",),
            misprints=(
                Text("the ndpm of IRS1 is printed as .89, and the formula gives .875."),
                Text("the ndpm of IRS3 is printed as .19, and the formula gives .25."),
            ),
        ),
    ),
)
"""The paper."""
