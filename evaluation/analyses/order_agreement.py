"""Whether magnitudes, grades and binary judgments order pairs of documents alike [T15]."""

import polars as pl

from evaluation.frames import Gains
from evaluation.magnitudes import agreement_by_pair, overall_agreement, pairwise_agreement

COMPARISON = "comparison"


def order_agreement(values: Gains, grades: Gains, binary: Gains, *, by_pair: bool = False) -> pl.DataFrame:
    """Pairwise agreement of magnitudes with grades, binary judgments with grades, magnitudes with binary.

    `values` are the medians of the documents. Cells are topics by pairs of grades; the second of each two is
    the reference, whose strict orders are looked for in the first. Ties of the first `agree`, as the source
    words it, count `half`, or `disagree`: all three are given, as the source's own figures cannot all come
    from one of them.

    Returns `comparison` (`magnitudes-grades`, `binary-grades`, `magnitudes-binary`) and what
    `overall_agreement` does: `mean` (of `cells`, or of all pairs, `pooled`), `cells, pairs, agree, half,
    disagree`; with `by_pair` what `agreement_by_pair` does: `lower, higher, topics, pairs, agree, half,
    disagree`. Only documents that all three judge take part in the last comparison.

    Example: grades 0, 0, 2, 2 with the magnitudes 2, 5, 5, 1: .50, .375 and .25.
    """
    cells = {
        "magnitudes-grades": pairwise_agreement(values, grades),
        "binary-grades": pairwise_agreement(binary, grades),
        "magnitudes-binary": pairwise_agreement(values, binary, grades),
    }
    summary = agreement_by_pair if by_pair else overall_agreement
    parts = [summary(found).select(pl.lit(name).alias(COMPARISON), pl.all()) for name, found in cells.items()]
    return pl.concat(parts)
