"""What a unit, a document and a judgment cost."""

import math

import polars as pl

from evaluation.errors import InputError
from evaluation.frames import Judgments


def cost(judgments: Judgments, pay: float, *, fee: float = 0.0) -> pl.DataFrame:
    """What was paid for the units of each topic, and by unit, document and judgment.

    `pay` is what a worker gets for a unit, in any currency, and `fee` the platform's share on top of it (.2
    for 20 %). Every unit counts once, whoever did it; a document counts in every topic it was judged for.

    Returns `topic_id, units, documents, judgments, total, per_unit, per_document, per_judgment`, sorted, and
    last a row `all`; without judgments the last three are null. Raises `InputError` for a negative amount.

    Example: 7,059 units of .20 with a fee of .2 cost 7,059 · .24 = 1,694.16; of 4,269 documents each .397.
    """
    for name, amount in (("pay", pay), ("fee", fee)):
        if not (math.isfinite(amount) and amount >= 0):
            raise InputError(
                "amount-out-of-bounds",
                "{argument} {amount} is out of bounds; give a number from 0 up",
                argument=name,
                amount=str(amount),
            )
    counted = (
        judgments.table.group_by("topic_id")
        .agg(
            units=pl.struct(judgments.unit_keys).n_unique().cast(pl.Int64),
            documents=pl.col("document_id").n_unique().cast(pl.Int64),
            judgments=pl.len().cast(pl.Int64),
        )
        .sort("topic_id")
    )
    totals = counted.select(pl.lit("all").alias("topic_id"), pl.exclude("topic_id").sum())
    total = pl.col("units") * (pay * (1 + fee))
    return (
        pl.concat([counted, totals])
        .with_columns(total=total)
        .with_columns(
            pl.when(pl.col(each) > 0).then(pl.col("total") / pl.col(each)).alias(f"per_{each[:-1]}")
            for each in ("units", "documents", "judgments")
        )
    )
