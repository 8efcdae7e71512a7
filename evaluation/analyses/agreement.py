"""Agreement at a glance: among the workers, and between the crowd and known grades."""

from collections.abc import Iterator

import polars as pl

from ..arrays import FloatArray
from ..comparison.agreement import alpha_of_magnitudes
from ..frames import Gains, Judgments
from ..magnitudes.agreement_of_pairs import RULES, overall_agreement, pairwise_agreement
from ..magnitudes.document_gains import gains
from ..magnitudes.normalisation import normalise
from ..means import ALL
from ..parsing.judgment_table import read_table
from ..sources import Source, is_path

SCHEMA = {"statistic": pl.String, "of": pl.String, "number": pl.Int64, "value": pl.Float64}


def agreement(judgments: Source, grades: Source | None = None) -> pl.DataFrame:
    """Return how much workers agree with each other and, if `grades` are given, with the grades.

    `judgments` can be anything that `Judgments` accepts, and `grades` anything that `Gains` accepts. The
    columns are `statistic`, `of`, `number` (of judgments, or of pairs of documents) and `value` (null if
    there is no value). The statistics are:

    - `alpha`: Krippendorff's α at the level of the scale: for magnitudes, at interval level on their
      logarithms. `of` says which numbers: `normalised` or `raw`. α covers all documents (or pairs) with two
      or more judgments, except the anchors that the column `gold` marks (see
      `comparison.alpha_of_magnitudes`).
    - `alpha_with_anchors`: the same with the anchors. If no document is marked, there are no such rows.
    - `agree`, `half` and `disagree`: the share of pairs of documents that the crowd orders in the same way as
      the grades. The crowd's order comes from the medians of the normalised magnitudes. Only pairs of
      documents with different grades count. A tie counts as agreement (`agree`), as half an agreement
      (`half`) or as disagreement (`disagree`). If `of` is `cells`, there is one share for each topic and
      pair of grades, and the value is their mean. If `of` is `pooled`, the value is the share among all pairs
      of documents (see `magnitudes.overall_agreement`).

    Raise `InputError` for judgments or grades that cannot be read, and for an invalid column `gold`.

    Example: one worker gives two documents the magnitudes 1 and 10, and another worker gives them 2 and 20.
    After normalisation, the workers agree exactly, so α of the normalised magnitudes is 1.
    """
    judged = _with_gold(judgments)
    normalised = normalise(judged)
    rows: list[tuple[str, str, int, float | None]] = []
    for every in worker_agreement(judged, normalised).filter(topic_id=ALL).iter_rows(named=True):
        statistic = "alpha_with_anchors" if every["anchors"] else "alpha"
        rows += [
            (statistic, of, every["judgments"], every[column])
            for of, column in (("normalised", "alpha"), ("raw", "raw"))
        ]
    if grades is not None:
        rows.extend(_with_grades(pairwise_agreement(gains(judged, normalised), Gains(grades))))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _with_gold(source: Source) -> Judgments:
    """Return the judgments with the column `gold`, if they have one."""
    if not is_path(source):
        return Judgments(source, gold=True)
    table = read_table(source)
    return Judgments(table, gold=table.has_anchors)


def worker_agreement(judgments: Judgments, normalised: FloatArray) -> pl.DataFrame:
    """Return Krippendorff's α among the workers, first without the anchors and then with them.

    `normalised` has a normalised magnitude for each judgment. The columns are `anchors` (whether the anchors
    are included) and, as in `comparison.alpha_of_magnitudes`, `topic_id, documents, judgments, alpha`. The
    last column, `raw`, has α of the raw magnitudes. If no document is marked as an anchor, only the first
    set of rows is returned, because both sets would be the same. Use the rows without the anchors: Plumbline
    accepts only units in which H is above N, so with the anchors, α is too large.
    """
    has_anchors = judgments.has_anchors
    parts = []
    for anchors in (False, True) if has_anchors else (False,):
        every = anchors or not has_anchors
        raw, alpha = (
            alpha_of_magnitudes(judgments, magnitudes, anchors=every)
            for magnitudes in (judgments.magnitudes, normalised)
        )
        parts.append(alpha.with_columns(raw=raw["alpha"]).select(pl.lit(anchors).alias("anchors"), pl.all()))
    return pl.concat(parts)


def _with_grades(cells: pl.DataFrame) -> Iterator[tuple[str, str, int, float | None]]:
    for overall in overall_agreement(cells).iter_rows(named=True):
        yield from ((rule, overall["mean"], overall["pairs"], overall[rule]) for rule in RULES)
