"""Combine the preferences of the workers into one ranking of the documents of each topic [ZY10]."""

import polars as pl

from ..distances.aggregation import Aggregation, combine_orders
from ..distances.preferences import WeakOrder
from ..frames import Gains, Judgments
from ..options import checked


@checked
def combine_preferences(judgments: Judgments, method: Aggregation = "borda") -> Gains:
    """Return the score of each document, from 0 to 1, from the order of the documents in each unit.

    Each unit is the ranking of a user: only the order of its judgments counts, and not how large they are. So
    nothing has to be normalised. `method` is one of `distances.AGGREGATIONS`. A topic has no scores if each
    of its units has a single document.

    Example: a worker gives the documents a, b and c the magnitudes 9, 3, 1, and another worker gives them 20,
    90, 20. Borda's scores are a .625, b .75 and c .125.
    """
    scores: dict[str, dict[str, float]] = {}
    table = judgments.table.sort("topic_id", maintain_order=True)
    for (topic,), of_topic in table.group_by("topic_id", maintain_order=True):
        orders = [
            WeakOrder.from_scores(dict(unit.select("document_id", "relevance_score").iter_rows()))
            for _, unit in of_topic.group_by(judgments.unit_keys, maintain_order=True)
        ]
        scores[str(topic)] = combine_orders(orders, method)
    rows = [(topic, document, value) for topic, of in scores.items() for document, value in of.items()]
    schema = {"topic_id": pl.String, "document_id": pl.String, "gain": pl.Float64}
    return Gains.from_checked(pl.DataFrame(rows, schema=schema, orient="row"))
