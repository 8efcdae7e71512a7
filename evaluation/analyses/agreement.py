"""Agreement at a glance: among the workers, and between the crowd and known grades."""

from collections.abc import Iterator

import polars as pl

from evaluation.comparison.agreement import alpha_of_magnitudes
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes.documents import gains
from evaluation.magnitudes.normalisation import normalise
from evaluation.magnitudes.pairs import RULES, overall_agreement, pairwise_agreement
from evaluation.sources import Source

SCHEMA = {"statistic": pl.String, "of": pl.String, "number": pl.Int64, "value": pl.Float64}


def agreement(judgments: Source, grades: Source | None = None) -> pl.DataFrame:
    """Return how much workers agree with each other and, if grades are given, with these.

    `judgments` is whatever `Judgments` takes, `grades` whatever `Gains` takes. The columns are `statistic`,
    `of`, `number` (of judgments, or of pairs of documents) and `value` (null if there is none):

    - `alpha` of the magnitudes `normalised` and `raw`: Krippendorff's α at interval level on their
      logarithms, over all documents with two or more judgments (see `comparison.alpha_of_magnitudes`).
    - `agree`, `half` and `disagree` of `cells` and `pooled`: the share of pairs of documents with different
      grades that the medians of the normalised magnitudes order as the grades do. A tie counts as agreement,
      as half or not at all. The share is a mean over topics and pairs of grades, or pooled over all pairs
      (see `magnitudes.overall_agreement`).

    Raise `InputError` for judgments or grades that cannot be read.

    Example: two workers give a document 1 and 2 and another 10 and 20. After normalisation they agree
    exactly, so α of the normalised magnitudes is 1.
    """
    judged = Judgments(judgments)
    normalised = normalise(judged)
    rows: list[tuple[str, str, int, float | None]] = []
    for of, magnitudes in (("normalised", normalised), ("raw", judged.magnitudes)):
        every = alpha_of_magnitudes(judged, magnitudes).row(-1, named=True)
        rows.append(("alpha", of, every["judgments"], every["alpha"]))
    if grades is not None:
        rows.extend(_with_grades(pairwise_agreement(gains(judged, normalised), Gains(grades))))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _with_grades(cells: pl.DataFrame) -> Iterator[tuple[str, str, int, float | None]]:
    for overall in overall_agreement(cells).iter_rows(named=True):
        yield from ((rule, overall["mean"], overall["pairs"], overall[rule]) for rule in RULES)
