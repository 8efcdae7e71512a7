"""Compare system rankings from units that have a narrow or a wide range of magnitudes [T15]."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from evaluation.analyses.systems import MEASURES, scores_by, system_agreement
from evaluation.arrays import FloatArray
from evaluation.comparison.topset import Overlap
from evaluation.conventions import Ties
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import narrow_and_wide
from evaluation.measures import Measures
from evaluation.options import checked
from evaluation.runs import Run

KINDS: Final = ("narrow", "wide", "all")


@checked
def range_table(
    judgments: Judgments,
    normalized: FloatArray,
    known: Mapping[str, Gains],
    runs: Sequence[Run],
    *,
    measures: Measures = MEASURES,
    alpha: float = 0.05,
    how: Overlap = "jaccard",
    ties: Ties = "trec_eval",
) -> pl.DataFrame:
    """Compare system rankings from narrow, wide and all units with system rankings from known gains.

    `normalized` has a normalised magnitude for each judgment. Gains are medians of these magnitudes. A unit
    is narrow or wide, depending on the range of its magnitudes. `narrow_and_wide` gives the exact rule, and
    defines the gain of a document that has no narrow unit or no wide unit. `known` has binary judgments,
    grades, or both.

    Return a row for each combination of a kind of unit, a set of known gains and a measure. Rows are sorted
    by kind of unit, known gains and measure. The columns are `units` (narrow, wide or all) and, as in
    `system_agreement`, `known, measure, systems, topics, tau_b, units_top, known_top, shared, overlap`.
    """
    kinds = gains_by_range(judgments, normalized)
    judged, references = (scores_by(gains, runs, measures, ties=ties) for gains in (kinds, known))
    table = system_agreement(judged, references, alpha=alpha, how=how)
    return table.rename({"judged": "units", "judged_top": "units_top"})


def gains_by_range(judgments: Judgments, normalized: FloatArray) -> dict[str, Gains]:
    """Return the gains from narrow, wide and all units, as `narrow_and_wide` computes them.

    The keys are `narrow`, `wide` and `all`.
    """
    table = narrow_and_wide(judgments, normalized)
    return {
        kind: Gains.from_columns(table["topic_id"], table["document_id"], table[kind].alias("gain"))
        for kind in KINDS
    }
