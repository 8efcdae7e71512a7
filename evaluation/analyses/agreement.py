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
    """Return how much workers agree with each other and, if `grades` are given, with the grades.

    `judgments` can be anything that `Judgments` accepts, and `grades` anything that `Gains` accepts. The
    columns are `statistic`, `of`, `number` (of judgments, or of pairs of documents) and `value` (null if
    there is no value). The statistics are:

    - `alpha`: Krippendorff's α at interval level on the logarithms of the magnitudes. `of` says which
      magnitudes: `normalised` or `raw`. α covers all documents with two or more judgments (see
      `comparison.alpha_of_magnitudes`).
    - `agree`, `half` and `disagree`: the share of pairs of documents that the crowd orders in the same way as
      the grades. The crowd's order comes from the medians of the normalised magnitudes. Only pairs of
      documents with different grades count. A tie counts as agreement (`agree`), as half an agreement
      (`half`) or as disagreement (`disagree`). If `of` is `cells`, there is one share for each topic and
      pair of grades, and the value is their mean. If `of` is `pooled`, the value is the share among all pairs
      of documents (see `magnitudes.overall_agreement`).

    Raise `InputError` for judgments or grades that cannot be read.

    Example: one worker gives two documents the magnitudes 1 and 10, and another worker gives them 2 and 20.
    After normalisation, the workers agree exactly, so α of the normalised magnitudes is 1.
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
