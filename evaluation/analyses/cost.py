"""The cost of a unit, a document and a judgment."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from ..arguments import refuse_amount
from ..frames import Judgments
from ..means import ALL, refuse_topic_all

_COUNTS: Final = ("units", "excluded", "documents", "judgments")


def cost(
    judgments: Judgments, pay: float, *, fee: float = 0.0, excluded: Mapping[str, int] | None = None
) -> pl.DataFrame:
    """Return the cost of each topic's units, in total and per unit, document and judgment.

    `pay` is the worker's reward for a unit, in any currency. `fee` is the platform's charge on top, as a
    share of `pay` (.2 for 20 %). A worker gets `pay` once for each unit, however many documents it has. A
    document counts once in each of its topics. `excluded` has, for each topic, the number of paid units whose
    judgments do not count.

    Return `topic_id, units, excluded, documents, judgments, total, per_unit, per_document, per_judgment`,
    sorted by topic. Without the argument `excluded`, the table has no such column. `total` and `per_unit`
    include the excluded units, while `documents` and `judgments` are those that count. The last row, `all`,
    is for all topics together. The last three columns are null where there is nothing to divide by. Raise
    `InputError` if `pay` or `fee` is negative or not finite.

    Example: 7,059 units at .20 with a fee of .2 cost 7,059 · .24 = 1,694.16, which is .397 for each of 4,269
    documents.
    """
    for name, amount in (("pay", pay), ("fee", fee)):
        refuse_amount(name, amount)
    refuse_topic_all(judgments, may_be_alone=True)
    counts = judgments.table.group_by("topic_id").agg(
        units=pl.struct(judgments.unit_keys).n_unique().cast(pl.Int64),
        documents=pl.col("document_id").n_unique().cast(pl.Int64),
        judgments=pl.len().cast(pl.Int64),
    )
    paid = pl.DataFrame(
        list((excluded or {}).items()), {"topic_id": pl.String, "excluded": pl.Int64}, orient="row"
    )
    counts = (
        counts.join(paid, on="topic_id", how="full", coalesce=True)
        .select("topic_id", *(pl.col(name).fill_null(0) for name in _COUNTS))
        .sort("topic_id")
    )
    totals = counts.select(pl.lit(ALL).alias("topic_id"), pl.exclude("topic_id").sum())
    units = pl.col("units") + pl.col("excluded")
    shared = {"unit": units, "document": pl.col("documents"), "judgment": pl.col("judgments")}
    table = (
        pl.concat([counts, totals])
        .with_columns(total=units * (pay * (1 + fee)))
        .with_columns(
            pl.when(number > 0).then(pl.col("total") / number).alias(f"per_{name}")
            for name, number in shared.items()
        )
    )
    return table.drop("excluded") if excluded is None else table
