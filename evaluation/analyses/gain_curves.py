"""Cumulated gain by rank, with the ideal curve, under several gain schemes [JK02, section 4]."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..conventions import Average, Ties
from ..errors import InputError, shown
from ..frames import Gains
from ..measures import Curves, Measures, curves, several
from ..options import checked
from ..ranking import rank
from ..runs import Run
from .schemes import JK, SCHEMES, refuse_empty, with_scheme

CURVES: Final = ("CG", f"DCG({JK})", "nCG", f"nDCG({JK})")
NORMALISED: Final = ("nCG", "nDCG", "SR", "MSR", "AnCG", "AnDCG")


@checked
def gain_curves(
    gains: Gains,
    runs: Sequence[Run],
    *,
    measures: Measures = CURVES,
    schemes: Sequence[str] = SCHEMES,
    depth: int = 100,
    average: Average = "mean_of_ratios",
    ties: Ties = "trec_eval",
) -> pl.DataFrame:
    """Return each run's mean curve over topics, down to rank `depth`.

    `gains` are grades; each of the `schemes` replaces the grades with gains. `measures` must belong to the
    cumulated gain family and have no cut-off. By default, a normalised curve is the mean of the topics'
    normalised curves. With `average="ratio_of_means"`, it is the run's mean curve divided by the mean ideal
    curve. If no document of a topic has a gain above 0 under a scheme, the topic is left out of the means for
    that scheme.

    Return `scheme, measure, run, rank, value, ideal`. Rows are in the order of `schemes`, `measures` and
    `runs`, and ranks are counted from 1. `ideal` is the mean curve of the ideal lists; for normalised
    measures, it is 1 at every rank. Raise `InputError` for a measure outside the cumulated gain family, for a
    grade that a scheme does not cover, and if no document has a gain above 0 under a scheme.

    Example: a list has the gains ⟨3, 2, 3⟩, and the ideal list has ⟨3, 3, 3⟩. CG is ⟨3, 5, 8⟩, the ideal CG
    is ⟨3, 6, 9⟩, and nCG is ⟨1, .83, .89⟩.
    """
    refuse_empty(runs=runs, measures=measures, schemes=schemes)
    lists = rank(gains, runs, ties=ties).lists  # only once, because schemes do not change the order
    parts = []
    for scheme in schemes:
        for measure in several(measures):
            scored = with_scheme(measure, scheme, depth)
            run_curves = curves(scored, lists)
            if run_curves.empty.all():
                raise InputError(
                    "no-gain-under-scheme",
                    "no document has a gain above 0 under the scheme {scheme}; remove this scheme",
                    scheme=shown(scheme),
                )
            own, ideal = _means(run_curves, average if scored.name in NORMALISED else None)
            for run, *both in zip(runs, own, ideal, strict=True):
                value, best = (_down_to(depth, curve) for curve in both)
                labels = {"scheme": scheme, "measure": str(measure), "run": run.tag}
                vectors = {"rank": np.arange(1, depth + 1), "value": value, "ideal": best}
                named = [pl.lit(label).alias(column) for column, label in labels.items()]
                parts.append(pl.DataFrame(vectors).select(*named, *vectors))
    return pl.concat(parts)


def _means(vectors: Curves, average: Average | None) -> tuple[FloatArray, FloatArray]:
    """Return the mean curves of the runs and the mean ideal curves, each of shape (runs, ranks)."""
    if average is None:
        means = vectors.over_topics()
        return means.own[:, 0], np.broadcast_to(means.ideal[:, 0], means.own[:, 0].shape)
    own = vectors.ratio_of_means() if average == "ratio_of_means" else vectors.mean_of_ratios()
    return own, np.ones_like(own)


def _down_to(depth: int, curve: FloatArray) -> FloatArray:
    """Return the curve, extended down to rank `depth` by repeating its last value."""
    return np.pad(curve, (0, depth - len(curve)), mode="edge")
