"""The range of magnitudes in a unit, given by the ratio of its anchors, H/N."""

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..errors import InputError
from ..frames import Judgments
from ..options import checked
from .anchors import anchor_magnitudes
from .document_gains import KEYS, SAME, Median, gains
from .groups import Groups


def unit_ratios(judgments: Judgments) -> pl.DataFrame:
    """Return the ratio H/N of every unit, from its raw magnitudes.

    The first columns identify the unit. `n` and `h` are the magnitudes of its anchors, and `ratio` is their
    ratio h/n. In a unit with several pairs of anchors, they are geometric means. The rows are sorted by unit.
    Raise `InputError` for ratings, and for a unit without an anchor of each kind.
    """
    units, low, high = _anchored(judgments)
    table = judgments.table.select(judgments.unit_keys)[units.row]
    return table.with_columns(n=low, h=high, ratio=high / low).sort(judgments.unit_keys)


def ratio_histogram(ratios: FloatArray | pl.Series, *, width: float = 5.0, fewest: int = 4) -> pl.DataFrame:
    """Count units by their ratio, rounded to the nearest multiple of `width`. Halves are rounded up.

    Return the columns `ratio` (the multiple), `units` and `hidden`, which is true for bars with fewer than
    `fewest` units. As in [Turpin et al. 2015], these bars are counted but not drawn. Multiples without units
    have no row. Raise `InputError` for a `width` that is not above 0.

    Example: 2.4, 2.5 and 7.4 make a bar of one unit at 0 and a bar of two units at 5.
    """
    if not width > 0:
        raise InputError(
            "width-not-positive",
            "the width {width} is not above 0; give a positive number",
            width=f"{width:g}",
        )
    bars, units = np.unique(np.floor(np.asarray(ratios) * (1 + SAME) / width + 0.5), return_counts=True)
    return pl.DataFrame({"ratio": bars * width, "units": units, "hidden": units < fewest})


@checked
def narrow_and_wide(
    judgments: Judgments, normalized: FloatArray, median: Median = "arithmetic"
) -> pl.DataFrame:
    """Return each document's gains from units with a narrow range, units with a wide range, and all units.

    A unit is wide if its ratio H/N is at least the median ratio of all units of all topics. Otherwise, it is
    narrow. A document's narrow gain is its median over narrow units, and its wide gain is its median over
    wide units. If a document has no narrow unit, its narrow gain is its smallest normalised magnitude. If a
    document has no wide unit, its wide gain is its largest normalised magnitude. The magnitudes are not
    normalised again.

    Return the columns `topic_id, document_id, narrow, wide, all` and `narrow_judgments, wide_judgments`,
    sorted by topic and document. The last two columns count the judgments in narrow and in wide units. If a
    count is 0, the gain is not a median, but the document's smallest or largest magnitude. `all` is the
    result of `gains`. Raise `InputError` for ratings, and for a unit without an anchor of each kind.
    """
    units, low, high = _anchored(judgments)
    ratios = high / low
    is_wide = (
        (ratios >= np.median(ratios) * (1 - SAME))[units.member]
        if len(ratios)
        else np.zeros(0, dtype=np.bool_)
    )
    table = gains(judgments, normalized, "median", median).table.rename({"gain": "all"})
    for kind, is_kind, extreme_of in (("narrow", ~is_wide, pl.min), ("wide", is_wide, pl.max)):
        of_kind = Judgments.from_checked(judgments.table.filter(is_kind))
        medians = gains(of_kind, normalized[is_kind], "median", median).table.rename({"gain": kind})
        counts = of_kind.table.group_by(KEYS).agg(pl.len().alias(f"{kind}_judgments"))
        extremes = judgments.table.select(KEYS).with_columns(extreme=normalized).group_by(KEYS)
        table = (
            table.join(medians, on=KEYS, how="left")
            .join(counts, on=KEYS, how="left")
            .join(extremes.agg(extreme_of("extreme")), on=KEYS, how="left")
            .with_columns(pl.col(kind).fill_null(pl.col("extreme")), pl.col(f"{kind}_judgments").fill_null(0))
        ).drop("extreme")
    return table.select(*KEYS, "narrow", "wide", "all", "narrow_judgments", "wide_judgments").sort(KEYS)


def _anchored(judgments: Judgments) -> tuple[Groups, FloatArray, FloatArray]:
    """Return the units with the magnitudes of their N and H anchors. Raise `InputError` for ratings."""
    judgments.refuse_without_ratios()
    units = Groups.by(judgments.table, judgments.unit_keys)
    low, high = (anchor_magnitudes(judgments, units, mark) for mark in "NH")
    return units, low, high
