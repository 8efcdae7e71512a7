"""The numbered tables and figures of [JK02], each with how Plumbline computes it."""

from collections.abc import Iterator
from typing import Final

from ...report import needs
from ...text import Text
from ..paper import Item, Paper

_DISCOUNT: Final = Text(
    " The discount is log₂ from rank 2 on, so the gains at the ranks 1 and 2 count in full."
)
_MEANS: Final = Text("Each curve is the mean over the topics, and the thick line is the mean ideal curve.")
_RATIOS: Final = Text(
    "Each curve is the run’s mean curve divided by the mean ideal curve, so the ideal is 1 at every rank."
)


def _figures() -> Iterator[Item]:
    for number, (title, mean, is_discounted) in enumerate(
        (
            (Text("Cumulated gain (CG) by rank"), _MEANS, False),
            (Text("Discounted cumulated gain (DCG) by rank"), _MEANS, True),
            (Text("Normalised cumulated gain (nCG) by rank"), _RATIOS, False),
            (Text("Normalised discounted cumulated gain (nDCG) by rank"), _RATIOS, True),
        ),
        start=1,
    ):
        yield Item(
            f"figure-{number}",
            f"Figure {number}",
            title,
            Text(
                "The panels are (a) binary weights, 0-1-1-1, and (b) nonbinary weights, 0-1-10-100, for each "
                "set of grades. Another figure uses the crowd’s judgments as gains. {mean}{discount}",
                mean=mean,
                discount=_DISCOUNT if is_discounted else "",
            ),
            needs=(needs.judgments, needs.whole, needs.one_run),
            where=("gain-curves", "analyses.gain_curves"),
        )


JK02: Final = Paper(
    "JK02",
    "Järvelin & Kekäläinen, TOIS 2002",
    "Cumulated Gain-Based Evaluation of IR Techniques",
    (
        Item(
            "example",
            "Example G′",
            Text("The vectors of the worked example in Section 2"),
            Text(
                "Each row is a vector, from the formula or as the paper prints it. Each column is a rank. "
                "The numbers do not come from the study."
            ),
            where=("analyses.gain_curves",),
            misprints=(
                Text("DCG′I has 10.52 at rank 6 and 11.21 at rank 8; the formula gives 10.53 and 11.22."),
            ),
        ),
        Item(
            "table-1",
            "Table I",
            Text("Graded judgments against binary judgments, with totals"),
            Text(
                "Each row is a grade, with its number of documents among those that the binary set calls "
                "relevant or irrelevant. A percentage is the share of all documents in its column. Only "
                "documents in both sets count."
            ),
            needs=(needs.judgments, needs.several_sets, needs.levels),
            where=("cross", "comparison.cross_table"),
        ),
        *_figures(),
        Item(
            "table-2",
            "Table II",
            Text("Mean nCG and nDCG over the first 200 ranks, with significant differences"),
            Text(
                "Each column is a gain scheme, and a run’s stars show which runs it is better than: * for p "
                "< .05, and ** for p < .01. The test is Friedman’s, with Conover’s comparison of pairs. "
                "Another table shows which differences between means reach 5 % and 10 %."
            ),
            needs=(needs.judgments, needs.whole, needs.runs),
            where=("scheme-means", "analyses.scheme_means", "analyses.scheme_table"),
        ),
    ),
)
"""The paper."""
