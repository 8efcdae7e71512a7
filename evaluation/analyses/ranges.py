"""Compare rankings of systems by workers with a wide and with a narrow range of magnitudes [T15]."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from evaluation.analyses.systems import MEASURES, scores_by, system_agreement
from evaluation.arrays import FloatArray
from evaluation.comparison.topset import Overlap
from evaluation.frames import Gains, Judgments, Run
from evaluation.magnitudes import narrow_and_wide
from evaluation.measures import Measures
from evaluation.ranking import Ties

KINDS: Final = ("narrow", "wide", "all")


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
    """Return τ_b and top sets by the medians of narrow units, wide units and all, against known gains.

    `normalized` has a normalised magnitude for each judgment. `narrow_and_wide` says which units are wide,
    and what the gain is of a document that only one kind of units judged. `known` are binary judgments,
    grades, or both.

    Return a row for each kind, known gains and measure, in this order: `units` (narrow, wide or all), and the
    columns of `system_agreement`: `known, measure, systems, topics, tau_b, units_top, known_top, shared,
    overlap`.
    """
    kinds = gains_by_range(judgments, normalized)
    judged, references = (scores_by(gains, runs, measures, ties=ties) for gains in (kinds, known))
    table = system_agreement(judged, references, alpha=alpha, how=how)
    return table.rename({"judged": "units", "judged_top": "units_top"})


def gains_by_range(judgments: Judgments, normalized: FloatArray) -> dict[str, Gains]:
    """Return the three gain columns of `narrow_and_wide` as gains: narrow, wide and all."""
    table = narrow_and_wide(judgments, normalized)
    return {
        kind: Gains.from_columns(table["topic_id"], table["document_id"], table[kind].alias("gain"))
        for kind in KINDS
    }
