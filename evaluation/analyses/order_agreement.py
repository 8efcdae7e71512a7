"""Compare how magnitudes, grades and binary judgments order pairs of documents [T15]."""

import polars as pl

from ..frames import Gains
from ..magnitudes import agreement_by_pair, overall_agreement, pairwise_agreement
from ..magnitudes.agreement_of_pairs import Counted
from ..options import checked

COMPARISON = "comparison"


@checked
def order_agreement(
    values: Gains,
    grades: Gains,
    binary: Gains,
    *,
    by_pair: bool = False,
    counted: Counted = "untied",
) -> pl.DataFrame:
    """Compare magnitudes with grades, binary judgments with grades, and magnitudes with binary judgments.

    `values` has each document's median magnitude. In each comparison, the second kind of judgments is the
    reference. By default, a pair of documents counts if their grades differ and the reference does not tie
    them. The pair agrees if the first kind orders it in the same way as the reference. The columns `agree`,
    `half` and `disagree` have the share of agreeing pairs. A pair that the first kind ties counts as an
    agreement in `agree` (the rule in [T15]), as half an agreement in `half`, and as no agreement in
    `disagree`. All three shares are returned, because no single rule gives all the figures in [T15]. With
    `counted="all"`, every pair of documents with different grades counts, and a pair is tied if either kind
    of judgments ties it. Magnitudes are compared with binary judgments only for documents that also have a
    grade.

    Return `comparison` (`magnitudes-grades`, `binary-grades`, `magnitudes-binary`) and the columns of
    `overall_agreement`: `mean, cells, pairs, agree, half, disagree`. A cell is a pair of grades in one topic.
    `mean` is `cells` for the mean over cells, and `pooled` for the mean over all pairs of documents. With
    `by_pair`, return the columns of `agreement_by_pair` instead: `lower, higher, topics, pairs, agree, half,
    disagree`.

    Example: the grades 0, 0, 2, 2 with the magnitudes 2, 5, 5, 1 give an `agree` of .50, a `half` of .375 and
    a `disagree` of .25.
    """
    cells = {
        "magnitudes-grades": pairwise_agreement(values, grades, counted=counted),
        "binary-grades": pairwise_agreement(binary, grades, counted=counted),
        "magnitudes-binary": pairwise_agreement(values, binary, grades, counted=counted),
    }
    summary = agreement_by_pair if by_pair else overall_agreement
    parts = [
        summary(agreement).select(pl.lit(name).alias(COMPARISON), pl.all())
        for name, agreement in cells.items()
    ]
    return pl.concat(parts)
