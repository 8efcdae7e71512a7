"""The cost of a unit, a document and a judgment."""

import math

import polars as pl

from evaluation.errors import InputError
from evaluation.frames import Judgments
from evaluation.means import ALL, refuse_topic_all


def cost(judgments: Judgments, pay: float, *, fee: float = 0.0) -> pl.DataFrame:
    """Return the cost of each topic's units, in total and per unit, document and judgment.

    `pay` is the worker's reward for a unit, in any currency. `fee` is the platform's charge on top, as a
    share of `pay` (.2 for 20 %). A worker gets `pay` once for each unit, however many documents it has. A
    document counts once in each of its topics.

    Return `topic_id, units, documents, judgments, total, per_unit, per_document, per_judgment`, sorted by
    topic. The last row, `all`, is for all topics together. Its last three columns are null if there are no
    judgments. Raise `InputError` if `pay` or `fee` is negative or not finite.

    Example: 7,059 units at .20 with a fee of .2 cost 7,059 · .24 = 1,694.16, which is .397 for each of 4,269
    documents.
    """
    for name, amount in (("pay", pay), ("fee", fee)):
        if not (math.isfinite(amount) and amount >= 0):
            raise InputError(
                "amount-out-of-bounds",
                "{argument} is {amount}; give a finite number that is at least 0",
                argument=name,
                amount=str(amount),
            )
    refuse_topic_all(judgments, may_be_alone=True)
    counts = (
        judgments.table.group_by("topic_id")
        .agg(
            units=pl.struct(judgments.unit_keys).n_unique().cast(pl.Int64),
            documents=pl.col("document_id").n_unique().cast(pl.Int64),
            judgments=pl.len().cast(pl.Int64),
        )
        .sort("topic_id")
    )
    totals = counts.select(pl.lit(ALL).alias("topic_id"), pl.exclude("topic_id").sum())
    total = pl.col("units") * (pay * (1 + fee))
    return (
        pl.concat([counts, totals])
        .with_columns(total=total)
        .with_columns(
            pl.when(pl.col(column) > 0).then(pl.col("total") / pl.col(column)).alias(f"per_{column[:-1]}")
            for column in ("units", "documents", "judgments")
        )
    )
