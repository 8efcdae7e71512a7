"""The magnitudes of each grade: gain profiles, and ratios of the highest grade to lower grades."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..errors import InputError, shown
from ..frames import Gains, Judgments
from ..means import ALL, refuse_topic_all
from ..origin import first
from .document_gains import KEYS, SAME
from .normalisation import normalise


def gain_profile(judgments: Judgments, grades: Gains, *, limit: float = 20.0) -> pl.DataFrame:
    """Return, for each grade, the distribution of magnitudes relative to the N anchor [Turpin et al. 2015].

    Each value is a magnitude divided by the magnitude of the N anchor in the same unit, or by the geometric
    mean of its N anchors. The table has two parts. The first part leaves out the anchors and shows what a
    grade is worth. The second part includes the anchors, as the paper does. In the second part, the value of
    an only N anchor is always 1, and the values of H anchors are too large. The check of the anchors causes
    this, because it accepts a unit only if the H anchor is above the N anchor.

    The columns are `anchors` (whether the anchors are included), `grade`, `judgments`, `above` (the number of
    values above `limit`), `low, q1, median, q3` and `high`. In each part, the rows are sorted by grade.
    The row for documents without a grade comes last, and its grade is null. Two more columns have the gains
    that are commonly used for the grade: `linear` is grade + 1, and `exponential` is 2^(grade + 1). For the
    grades 0 to 3, these are 1-2-3-4 and 2-4-8-16.

    Quartiles are interpolated linearly. A whisker (`low`, `high`) ends at the last value that is no farther
    from the box than 1.5 times the interquartile range. If that value lies inside the box, the whisker ends
    at the box. Raise `InputError` in the same cases as `normalise` with the method `"n"`.
    """
    value = pl.col("value")
    table = judgments.table.with_columns(value=normalise(judgments, "n"))
    table = table.join(grades.table.rename({"gain": "grade"}), on=KEYS, how="left", maintain_order="left")
    q1, q3 = (value.quantile(share, "linear") for share in (0.25, 0.75))
    within = value.is_between(q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1))
    parts = {False: table.filter(pl.col("gold") == ""), True: table}
    return pl.concat(
        part.group_by("grade")
        .agg(
            judgments=pl.len().cast(pl.Int64),
            above=(value > limit * (1 + SAME)).sum().cast(pl.Int64),
            low=pl.min_horizontal(value.filter(within).min(), q1),
            q1=q1,
            median=value.median(),
            q3=q3,
            high=pl.max_horizontal(value.filter(within).max(), q3),
        )
        .sort("grade", nulls_last=True)
        .with_columns(linear=pl.col("grade") + 1, exponential=2.0 ** (pl.col("grade") + 1))
        .select(pl.lit(anchors).alias("anchors"), pl.all())
        for anchors, part in parts.items()
    )


def grade_ratios(
    values: Gains,
    grades: Gains,
    *,
    high: Sequence[float] = (3,),
    low: Sequence[float] = (1, 2),
    limit: float = 3.5,
) -> pl.DataFrame:
    """Return, for each topic, the median ratio between the values of high-graded and low-graded documents.

    Each ratio divides the value of a document graded `high` by the value of a document graded `low` in the
    same topic. By default, these are the ratios of grade 3 (H) to grades 2 (R) and 1 (M). `values` has the
    documents' gains, which are the medians of their magnitudes.

    Return a row for every topic with graded documents. The rows are sorted by topic. The last row, `all`,
    covers the pairs of all topics. The columns are `topic_id, pairs, median` and `above` (the number of
    ratios above `limit`). If there are no pairs, the median is null. Raise `InputError` if a document graded
    `low` has the value 0.

    Example: two H documents have the values 8 and 12, an R document has 4, and an M document has 2. The
    ratios are 2, 3, 4 and 6. The median is 3.5, and two of the ratios are above 3.5.
    """
    ratios = ratios_of_pairs(values, grades, high=high, low=low)
    rows = [
        (
            topic,
            len(values_of_topic),
            float(np.median(values_of_topic)) if len(values_of_topic) else None,
            int((values_of_topic > limit * (1 + SAME)).sum()),
        )
        for topic, values_of_topic in ratios.items()
    ]
    schema = {"topic_id": pl.String, "pairs": pl.Int64, "median": pl.Float64, "above": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def ratios_of_pairs(
    values: Gains, grades: Gains, *, high: Sequence[float] = (3,), low: Sequence[float] = (1, 2)
) -> dict[str, FloatArray]:
    """Return the ratios whose medians `grade_ratios` returns, for each topic, and last for `all` topics.

    A topic with graded documents but without a pair has an empty array. Raise `InputError` if a document
    graded `low` has the value 0.
    """
    refuse_topic_all(values, grades, may_be_alone=True)
    both = values.table.join(grades.table.rename({"gain": "grade"}), on=KEYS).sort(KEYS)
    above, below = (both.filter(pl.col("grade").is_in([float(grade) for grade in of])) for of in (high, low))
    if (row := first((below["gain"] == 0).to_numpy())) is not None:
        raise InputError(
            "no-ratio-to-zero",
            "document {document} of topic {topic} has a value of 0, so ratios to this document are undefined;"
            " leave the document out",
            document=shown(below["document_id"][row]),
            topic=shown(below["topic_id"][row]),
        )
    topics = both["topic_id"].unique(maintain_order=True).to_list()
    ratios: dict[str, FloatArray] = {}
    for topic in topics:
        upper, lower = (part.filter(pl.col("topic_id") == topic)["gain"] for part in (above, below))
        ratios[topic] = np.divide.outer(upper.to_numpy(), lower.to_numpy()).ravel()
    return {**ratios, ALL: np.concatenate([np.empty(0), *ratios.values()])}
